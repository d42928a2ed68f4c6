//! Somebody else's model over the OpenAI interface: llama-server, Ollama, vLLM, or a hosted one. Whether it is on this machine
//! is told by its address, and stands in the status for everyone to see. Not for keeping its process: it has a keeper.

mod event;

use super::{
    stream::{Piece, Stream},
    wire::MAX_JOBS,
};
use event::Event;
use millwright_core::host::generator::{
    Finish, GenerateError, Generation, GeneratorState, GeneratorStatus, Place, Usage,
};
use serde_json::{Value, json};
use std::{
    io::{self, BufRead, BufReader, Read},
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use ureq::tls::{RootCerts, TlsConfig};

/// How long connecting may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// How long it may say nothing: it may have to load its model first, or to read all messages.
const SILENCE_LIMIT: Duration = Duration::from_secs(180);
/// The most of one line that is read.
const MAX_LINE_BYTES: u64 = 1 << 20;
/// The most of a refusal that is read.
const MAX_REFUSAL_BYTES: u64 = 1 << 16;
/// The most of a refusal that is shown, in characters.
const MAX_REFUSAL_CHARS: usize = 300;

/// Another program's server.
#[derive(Debug)]
pub struct Remote(Arc<Server>);

#[derive(Debug)]
struct Server {
    /// Without a slash at its end.
    base: String,
    place: Place,
    key: Option<String>,
    agent: ureq::Agent,
    known: Mutex<Known>,
    n_running: AtomicUsize,
}

/// What changes.
#[derive(Debug)]
struct Known {
    state: GeneratorState,
    model: Option<String>,
}

impl Remote {
    /// The server at `address`, `http://127.0.0.1:8080` or with a path (`…/v1` otherwise). Asks it in a thread of its own which models it
    /// has, where none is named. `key` goes to it as a bearer token.
    ///
    /// # Errors
    /// What is wrong with the address.
    pub fn connect(address: &str, model: Option<&str>, key: Option<String>) -> Result<Self, String> {
        let base = base_of(address)?;
        let host = host_of(&base).ok_or_else(|| format!("{address} names no host"))?;
        let place = if is_here(&host) { Place::Here } else { Place::Hosted { host } };
        if place != Place::Here && base.starts_with("http://") && key.is_some() {
            return Err(format!(
                "{address} would carry the key and the excerpts readably over the network: use its https:// address"
            ));
        }
        // The system's certificates: factories' networks often have authorities of their own.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let mut config = ureq::Agent::config_builder()
            .tls_config(tls)
            .http_status_as_error(false)
            // Excerpts go to the host that was named and to no other.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_connect(Some(CONNECT_LIMIT))
            .timeout_per_read(Some(SILENCE_LIMIT));
        if place == Place::Here {
            config = config.proxy(None);
        }
        let known = Known { state: GeneratorState::Warming, model: model.map(str::to_owned) };
        let server = Server {
            base,
            place,
            key,
            agent: config.build().into(),
            known: Mutex::new(known),
            n_running: AtomicUsize::new(0),
        };
        let remote = Self(Arc::new(server));
        let server = Arc::clone(&remote.0);
        thread::spawn(move || server.look());
        Ok(remote)
    }

    /// What is known of it.
    #[must_use]
    pub fn status(&self) -> GeneratorStatus {
        let known = self.0.known();
        GeneratorStatus {
            state: known.state.clone(),
            model: known.model.clone(),
            place: self.0.place.clone(),
            ..GeneratorStatus::absent()
        }
    }

    /// Has a text written.
    ///
    /// # Errors
    /// [`GenerateError::Busy`] where [`MAX_JOBS`] texts are under way. All else comes in the stream.
    pub fn start(&self, generation: &Generation) -> Result<Stream, GenerateError> {
        let take = |n_running: usize| (n_running < MAX_JOBS).then_some(n_running + 1);
        self.0.n_running.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_err(|_| GenerateError::Busy)?;
        let (sender, receiver) = unbounded_channel();
        let (server, asked) = (Arc::clone(&self.0), generation.clone());
        thread::spawn(move || {
            let end = match server.write(&asked, &sender) {
                Ok((finish, usage)) => Piece::Done { finish, usage },
                Err(error) => Piece::Failed(error),
            };
            // Nobody may be listening any more; the next piece then ended the connection.
            let _ = sender.send(end);
            server.n_running.fetch_sub(1, Ordering::Relaxed);
        });
        // The thread notices by itself: its next piece finds nobody.
        Ok(Stream::new(generation, receiver, || {}))
    }
}

impl Server {
    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unreachable(&self, why: impl std::fmt::Display) -> GenerateError {
        GenerateError::Unreachable { address: self.base.clone(), why: why.to_string() }
    }

    /// Asks which models it has, and takes the first where none was named.
    fn look(&self) {
        let models = self.models();
        let mut known = self.known();
        match models {
            Ok(models) => {
                known.state = GeneratorState::Ready;
                known.model = known.model.take().or_else(|| models.into_iter().next());
            }
            Err(error) => known.state = GeneratorState::Failed { error: error.to_string() },
        }
    }

    fn models(&self) -> Result<Vec<String>, GenerateError> {
        let mut request = self.agent.get(format!("{}/models", self.base));
        for (name, value) in self.credentials() {
            request = request.header(name, value);
        }
        let mut response = request.call().map_err(|error| self.unreachable(error))?;
        let text = response.body_mut().with_config().limit(MAX_LINE_BYTES).read_to_string();
        let text = text.map_err(|error| self.unreachable(error))?;
        if !response.status().is_success() {
            return Err(self.unreachable(refusal(response.status().as_u16(), &text)));
        }
        let list: Value = serde_json::from_str(&text).map_err(|_| self.unreachable("its list of models is no JSON"))?;
        let models = list["data"].as_array().into_iter().flatten();
        Ok(models.filter_map(|model| model["id"].as_str().map(str::to_owned)).collect())
    }

    /// Azure wants its keys under a name of its own.
    fn credentials(&self) -> impl Iterator<Item = (&'static str, String)> {
        let bearer = self.key.iter().map(|key| ("authorization", format!("Bearer {key}")));
        let is_azure = host_of(&self.base).is_some_and(|host| host.ends_with(".azure.com"));
        bearer.chain(self.key.iter().filter(move |_| is_azure).map(|key| ("api-key", key.clone())))
    }

    /// Asks, and hands on what comes.
    fn write(&self, generation: &Generation, to: &UnboundedSender<Piece>) -> Result<(Finish, Usage), GenerateError> {
        let model = self.known().model.clone();
        let mut request = self.agent.post(format!("{}/chat/completions", self.base));
        for (name, value) in self.credentials() {
            request = request.header(name, value);
        }
        let answered =
            request.header("content-type", "application/json").send(body(generation, model.as_deref()).to_string());
        let mut response = answered.map_err(|error| {
            let error = self.unreachable(error);
            self.known().state = GeneratorState::Failed { error: error.to_string() };
            error
        })?;
        let status = response.status().as_u16();
        if !response.status().is_success() {
            let text = response.body_mut().with_config().limit(MAX_REFUSAL_BYTES).read_to_string();
            return Err(self.unreachable(refusal(status, &text.unwrap_or_default())));
        }
        self.known().state = GeneratorState::Ready;
        let mut lines = BufReader::new(response.body_mut().as_reader());
        let (mut finish, mut usage) = (None, Usage::default());
        while let Some(line) = next_line(&mut lines).map_err(|error| self.broken(&error))? {
            let Some(event) = event::read(&line) else { continue };
            match event {
                Event::Delta { text, finish: ended, usage: counted } => {
                    if !text.is_empty() && to.send(Piece::Text(text)).is_err() {
                        return Ok((Finish::Stopped, usage));
                    }
                    finish = ended.or(finish);
                    usage = counted.unwrap_or(usage);
                }
                Event::Error(why) => return Err(self.unreachable(why)),
                Event::End => break,
            }
            if to.is_closed() {
                return Ok((Finish::Stopped, usage));
            }
        }
        // A connection that breaks off without a reason has not finished.
        finish.map(|finish| (finish, usage)).ok_or_else(|| self.broken(&io::ErrorKind::UnexpectedEof.into()))
    }

    fn broken(&self, error: &io::Error) -> GenerateError {
        GenerateError::Crashed { why: format!("{} broke off: {error}", self.base) }
    }
}

/// The next line, without more than [`MAX_LINE_BYTES`] of it.
fn next_line(from: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let n_bytes = from.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)?;
    if n_bytes as u64 == MAX_LINE_BYTES {
        return Err(io::Error::other("it sent a line without an end"));
    }
    Ok((n_bytes > 0).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// What is asked.
fn body(generation: &Generation, model: Option<&str>) -> Value {
    let messages = generation.messages.iter();
    let messages: Vec<Value> =
        messages.map(|message| json!({"role": message.role.name(), "content": message.text})).collect();
    let mut body = json!({
        "messages": messages,
        "max_tokens": generation.max_tokens,
        "temperature": generation.temperature,
        "seed": generation.seed,
        "stream": true,
    });
    if let Some(model) = model {
        body["model"] = json!(model);
    }
    if !generation.stop.is_empty() {
        body["stop"] = json!(generation.stop);
    }
    // Whoever made the schema made it JSON; where not, the server is asked without it and the text is checked anyway.
    let schema = generation.schema.as_ref().and_then(|schema| serde_json::from_str::<Value>(schema).ok());
    if let Some(schema) = schema {
        body["response_format"] =
            json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema}});
    }
    body
}

/// A refusal in words: the server's own, where it has any.
fn refusal(status: u16, text: &str) -> String {
    let said: Option<Value> = serde_json::from_str(text).ok();
    let words = said.as_ref().and_then(|said| {
        let error = &said["error"];
        error["message"].as_str().or(error.as_str()).or(said["message"].as_str())
    });
    let words: String = words.unwrap_or(text.trim()).chars().take(MAX_REFUSAL_CHARS).collect();
    let hint = match status {
        401 | 403 => " Set its key in MILLWRIGHT_GENERATOR_KEY.",
        404 => " Look at the address and at --generator-model.",
        _ => "",
    };
    format!("it answers {status}: {words}.{hint}")
}

/// The address below which `chat/completions` lies.
fn base_of(address: &str) -> Result<String, String> {
    let wrong = || format!("{address} is no address such as http://127.0.0.1:8080/v1");
    let address_lower = address.to_ascii_lowercase();
    if !address_lower.starts_with("http://") && !address_lower.starts_with("https://") {
        return Err(wrong());
    }
    let bare = address.trim_end_matches('/').trim_end_matches("/chat/completions");
    let (scheme, rest) = bare.split_once("://").ok_or_else(wrong)?;
    if rest.is_empty() || rest.contains(['?', '#', '@']) || rest.contains(char::is_whitespace) {
        return Err(wrong());
    }
    let path = if rest.contains('/') { "" } else { "/v1" };
    Ok(format!("{}://{rest}{path}", scheme.to_ascii_lowercase()))
}

/// The host of an address, in small letters and without brackets.
fn host_of(base: &str) -> Option<String> {
    let rest = base.split_once("://")?.1;
    let authority = rest.split('/').next()?;
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next()?,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then(|| host.to_ascii_lowercase())
}

/// Whether a host is this machine for certain. A name that only the network knows is not.
fn is_here(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests;
