//! One line of a streamed answer (server-sent events with JSON, as OpenAI's interface has it). Not for the connection.

use millwright_core::host::generator::{Finish, Usage};
use serde_json::Value;

/// What a line says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// More text, perhaps none, perhaps the last.
    Delta {
        /// The text.
        text: String,
        /// Why it ended, with the last.
        finish: Option<Finish>,
        /// What it took, where the server counts.
        usage: Option<Usage>,
    },
    /// Something went wrong on the other side.
    Error(String),
    /// Nothing more comes.
    End,
}

/// Reads a line; `None` where it says nothing (comments, empty lines, other fields).
pub(super) fn read(line: &str) -> Option<Event> {
    let data = line.strip_prefix("data:")?.trim();
    if data == "[DONE]" {
        return Some(Event::End);
    }
    let data: Value = serde_json::from_str(data).ok()?;
    if let Some(error) = data.get("error").filter(|error| !error.is_null()) {
        let words = error["message"].as_str().or(error.as_str()).unwrap_or("it failed without words");
        return Some(Event::Error(words.to_owned()));
    }
    let choice = &data["choices"][0];
    let finish = choice["finish_reason"].as_str().map(|reason| match reason {
        "length" => Finish::Length,
        _ => Finish::Ended,
    });
    let text = choice["delta"]["content"].as_str().unwrap_or_default().to_owned();
    Some(Event::Delta { text, finish, usage: usage(&data["usage"]) })
}

fn usage(counted: &Value) -> Option<Usage> {
    let count = |value: &Value| value.as_u64().and_then(|count| u32::try_from(count).ok());
    Some(Usage {
        prompt_tokens: count(&counted["prompt_tokens"])?,
        reused_tokens: count(&counted["prompt_tokens_details"]["cached_tokens"]).unwrap_or(0),
        generated_tokens: count(&counted["completion_tokens"])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_servers_write_them() {
        let text = |text: &str| Some(Event::Delta { text: text.to_owned(), finish: None, usage: None });
        assert_eq!(read(r#"data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":null}]}"#), text("Hi"));
        assert_eq!(read(r#"data:{"choices":[{"delta":{"role":"assistant","content":null}}]}"#), text(""));
        assert_eq!(read(r#"data: {"choices":[],"usage":null}"#), text(""));
        assert_eq!(
            read(
                r#"data: {"choices":[{"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}"#
            ),
            Some(Event::Delta {
                text: String::new(),
                finish: Some(Finish::Length),
                usage: Some(Usage { prompt_tokens: 7, reused_tokens: 0, generated_tokens: 3 })
            })
        );
        assert_eq!(read("data: [DONE]"), Some(Event::End));
        assert_eq!(read(r#"data: {"error":{"message":"out of memory"}}"#), Some(Event::Error("out of memory".into())));
        for silent in ["", ": ping", "event: message", "data: {", "data: "] {
            assert_eq!(read(silent), None, "{silent}");
        }
    }
}
