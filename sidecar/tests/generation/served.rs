//! The server in this process, with scripted models, and asking it.

use crate::scripted;
use millwright_sidecar::{
    generate::{Local, Writer, files::Files},
    server::{Server, generator::Desk, pairing::Pairing},
};
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    thread,
    time::{Duration, Instant},
};
use tokio::sync::oneshot;

/// How long anything here may take at most, on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A server with models of these names. It ends with the value.
pub(crate) struct Served {
    pub(crate) port: u16,
    pub(crate) root: tempfile::TempDir,
    key: String,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Served {
    /// With the model `steady` loaded.
    pub(crate) fn start() -> Self {
        let served = Self::start_with(&["steady"]);
        served.load("steady");
        served.wait_for("ready");
        served
    }

    /// With nothing loaded.
    pub(crate) fn start_with(models: &[&str]) -> Self {
        let root = tempfile::tempdir().unwrap();
        let (app, folder) = (root.path().join("app"), root.path().join("models"));
        fs::create_dir_all(&app).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(app.join("index.html"), "<p>Millwright</p>").unwrap();
        for model in models {
            fs::write(folder.join(format!("{model}.gguf")), "x").unwrap();
        }
        let pairing = Pairing::in_folder(root.path()).unwrap();
        let key = fs::read_to_string(pairing.file.as_ref().unwrap()).unwrap().trim().to_owned();
        let local = Local::new(Files::new(None, Some(folder)), Box::new(scripted::command));
        let server = Server::bind(0, &app, Desk::new(Writer::Local(local), pairing)).unwrap();
        let port = server.address().rsplit_once(':').unwrap().1.trim_end_matches('/').parse().unwrap();
        let (stop, stopped) = oneshot::channel();
        let thread = thread::spawn(move || {
            let stopped = async {
                let _ = stopped.await;
            };
            server.run_until(|| Ok(stopped)).unwrap();
        });
        Self { port, root, key, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn bearer(&self) -> String {
        format!("Authorization: Bearer {}", self.key)
    }

    pub(crate) fn notes(&self, model: &str) -> PathBuf {
        self.root.path().join(format!("models/{model}.notes"))
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends a request and leaves the answer to be read.
    pub(crate) fn send(&self, line: &str, headers: &[&str], body: &str) -> TcpStream {
        let mut stream = self.connect();
        let mut request = format!("{line} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        if !headers.iter().any(|header| header.to_lowercase().starts_with("host:")) {
            request.push_str(&format!("Host: 127.0.0.1:{}\r\n", self.port));
        }
        for header in headers {
            request.push_str(&format!("{header}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        stream
    }

    /// The status and the body of an answer.
    pub(crate) fn ask(&self, line: &str, headers: &[&str], body: &str) -> (u16, String) {
        let mut answer = String::new();
        self.send(line, headers, body).read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        (status, if is_chunked { joined(body) } else { body.to_owned() })
    }

    /// Has the model do what the script says, as a program with the key.
    pub(crate) fn chat(&self, script: &str, more: Value) -> (u16, Value) {
        let (status, body) =
            self.ask("POST /v1/chat/completions", &[&self.bearer()], &chat_body(script, more).to_string());
        (status, serde_json::from_str(&body).unwrap())
    }

    /// Begins a streamed chat and reads to the first piece of text.
    pub(crate) fn begin(&self, script: &str) -> BufReader<TcpStream> {
        let body = chat_body(script, json!({"stream": true})).to_string();
        let mut lines = BufReader::new(self.send("POST /v1/chat/completions", &[&self.bearer()], &body));
        let mut line = String::new();
        while !line.contains("\"content\":\"0 \"") {
            line.clear();
            assert!(lines.read_line(&mut line).unwrap() > 0, "it ended before the first piece");
        }
        lines
    }

    pub(crate) fn state(&self) -> Value {
        let (status, body) = self.ask("GET /api/generator", &[&self.bearer()], "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    pub(crate) fn load(&self, model: &str) {
        let (status, body) = self.ask("POST /api/generator", &[&self.bearer()], &json!({"model": model}).to_string());
        assert_eq!(status, 202, "{body}");
    }

    /// The state once it is this.
    pub(crate) fn wait_for(&self, state: &str) -> Value {
        wait(|| Some(self.state()).filter(|now| now["state"] == state))
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub(crate) fn chat_body(script: &str, more: Value) -> Value {
    let mut body = json!({"messages": [{"role": "user", "content": script}]});
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// What `look` finds, which must be something in time.
pub(crate) fn wait<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "it did not happen");
        thread::sleep(Duration::from_millis(10));
    }
}

/// The parts of a chunked body in one.
fn joined(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        if size == 0 {
            break;
        }
        whole.push_str(&rest[..size]);
        body = &rest[size + 2..];
    }
    whole
}
