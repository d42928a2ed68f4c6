//! What other programs ask in the OpenAI form, as a [`Generation`]. Says what it does not do rather than leaving it out
//! silently. Not for answering.

use millwright_core::host::generator::{Generation, Message, Role, Task};
use serde::Deserialize;
use serde_json::Value;

/// The most tokens that may be asked for.
const MAX_TOKENS: u32 = 4096;
/// The most messages of a chat.
const MAX_MESSAGES: usize = 256;
/// The most texts to stop at, as OpenAI has it.
const MAX_STOPS: usize = 4;
/// The most bytes of one of them: so much is held back of a text.
const MAX_STOP_BYTES: usize = 256;

/// The body of `POST /v1/chat/completions`. What is not named here has no influence on the text's meaning, or is refused.
#[derive(Debug, Deserialize)]
pub(super) struct ChatRequest {
    pub(super) model: Option<String>,
    messages: Vec<ChatMessage>,
    max_tokens: Option<u32>,
    max_completion_tokens: Option<u32>,
    temperature: Option<f32>,
    seed: Option<i64>,
    #[serde(default)]
    pub(super) stream: Option<bool>,
    stop: Option<Stop>,
    response_format: Option<ResponseFormat>,
    n: Option<u32>,
    tools: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
struct ChatMessage {
    role: String,
    content: Content,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Debug, Deserialize)]
struct Part {
    #[serde(rename = "type")]
    kind: String,
    text: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Stop {
    One(String),
    Several(Vec<String>),
}

#[derive(Debug, Deserialize)]
struct ResponseFormat {
    #[serde(rename = "type")]
    kind: String,
    json_schema: Option<JsonSchema>,
}

#[derive(Debug, Deserialize)]
struct JsonSchema {
    schema: Value,
}

impl ChatRequest {
    /// What it asks for.
    ///
    /// # Errors
    /// What is not understood or not done here.
    pub(super) fn generation(&self) -> Result<Generation, String> {
        if self.n.is_some_and(|n| n != 1) {
            return Err("Only one text is written for a request: leave “n” out.".to_owned());
        }
        if self.tools.as_ref().is_some_and(|tools| !tools.is_empty()) {
            return Err("Tools are not supported.".to_owned());
        }
        if self.messages.is_empty() || self.messages.len() > MAX_MESSAGES {
            return Err(format!("“messages” must have one to {MAX_MESSAGES} messages."));
        }
        let messages = self.messages.iter().map(message).collect::<Result<Vec<_>, _>>()?;
        let temperature = self.temperature.unwrap_or(0.0);
        if !(0.0..=2.0).contains(&temperature) {
            return Err("“temperature” must be between 0 and 2.".to_owned());
        }
        let max_tokens = self.max_completion_tokens.or(self.max_tokens).unwrap_or(Task::Answer.max_tokens());
        if !(1..=MAX_TOKENS).contains(&max_tokens) {
            return Err(format!("“max_tokens” must be between 1 and {MAX_TOKENS}."));
        }
        let stop = match &self.stop {
            None => Vec::new(),
            Some(Stop::One(stop)) => vec![stop.clone()],
            Some(Stop::Several(stops)) => stops.clone(),
        };
        if stop.len() > MAX_STOPS || stop.iter().any(|stop| stop.is_empty() || stop.len() > MAX_STOP_BYTES) {
            return Err(format!("“stop” may have {MAX_STOPS} texts of up to {MAX_STOP_BYTES} bytes."));
        }
        // Any number is a seed; which bits of it count matters to nobody.
        let seed = self.seed.map_or(0, |seed| (seed & i64::from(u32::MAX)).unsigned_abs() as u32);
        Ok(Generation { messages, max_tokens, temperature, seed, schema: self.schema()?, stop })
    }

    fn schema(&self) -> Result<Option<String>, String> {
        let Some(format) = &self.response_format else { return Ok(None) };
        match (format.kind.as_str(), &format.json_schema) {
            ("text", _) => Ok(None),
            ("json_object", _) => Ok(Some("{\"type\":\"object\"}".to_owned())),
            ("json_schema", Some(JsonSchema { schema })) if schema.is_object() => Ok(Some(schema.to_string())),
            ("json_schema", _) => Err("“response_format” lacks “json_schema.schema”.".to_owned()),
            _ => Err("“response_format” must be text, json_object or json_schema.".to_owned()),
        }
    }
}

fn message(message: &ChatMessage) -> Result<Message, String> {
    let role = match message.role.as_str() {
        "system" | "developer" => Role::System,
        "user" => Role::User,
        "assistant" => Role::Assistant,
        _ => return Err("A message's “role” must be system, user or assistant.".to_owned()),
    };
    let text = match &message.content {
        Content::Text(text) => text.clone(),
        Content::Parts(parts) => {
            let texts = parts.iter().map(|part| part.text.as_deref().filter(|_| part.kind == "text"));
            let texts: Option<Vec<&str>> = texts.collect();
            texts.ok_or("Only text can be sent: no pictures, sounds or files.")?.concat()
        }
    };
    Ok(Message { role, text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(body: Value) -> Result<Generation, String> {
        serde_json::from_value::<ChatRequest>(body).map_err(|error| error.to_string())?.generation()
    }

    #[test]
    fn what_programs_send_is_understood() {
        let asked = read(json!({
            "model": "any", "temperature": 0.5, "seed": -1, "max_tokens": 20, "stop": "\n", "user": "ana", "stream": true,
            "messages": [{"role": "developer", "content": "Be brief."},
                         {"role": "user", "content": [{"type": "text", "text": "Which "}, {"type": "text", "text": "oil?"}]}],
            "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "array"}}},
        }));
        let expected = Generation {
            messages: vec![Message::new(Role::System, "Be brief."), Message::new(Role::User, "Which oil?")],
            max_tokens: 20,
            temperature: 0.5,
            seed: u32::MAX,
            schema: Some(r#"{"type":"array"}"#.to_owned()),
            stop: vec!["\n".to_owned()],
        };
        assert_eq!(asked, Ok(expected));
        let plain = read(json!({"messages": [{"role": "user", "content": "Why?"}]})).unwrap();
        assert_eq!((plain.max_tokens, plain.temperature, plain.schema), (512, 0.0, None));
    }

    #[test]
    fn what_is_not_done_is_refused_and_not_left_out() {
        let with = |name: &str, value: Value| {
            let mut body = json!({"messages": [{"role": "user", "content": "Why?"}]});
            body[name] = value;
            read(body)
        };
        assert!(with("user", json!("ana")).is_ok());
        for (name, value) in [
            ("n", json!(2)),
            ("tools", json!([{"type": "function"}])),
            ("messages", json!([])),
            ("messages", json!([{"role": "tool", "content": "x"}])),
            ("messages", json!([{"role": "user", "content": [{"type": "image_url", "image_url": "x"}]}])),
            ("messages", json!([{"role": "user"}])),
            ("temperature", json!(3)),
            ("max_tokens", json!(0)),
            ("max_tokens", json!(1_000_000)),
            ("max_tokens", json!(-1)),
            ("stop", json!(["a", "b", "c", "d", "e"])),
            ("stop", json!("")),
            ("response_format", json!({"type": "xml"})),
            ("response_format", json!({"type": "json_schema"})),
        ] {
            assert!(with(name, value.clone()).is_err(), "{name}: {value}");
        }
    }
}
