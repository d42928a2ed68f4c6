//! The adapter against a server that follows a script.

use super::*;
use millwright_core::host::generator::{Message, Role, Task};
use std::{
    io::Write,
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

/// Answers each connection with the next of these texts and hands on what was asked; the address.
fn serve(answers: Vec<String>) -> (String, mpsc::Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (asked, requests) = mpsc::channel();
    thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = asked.send(read_request(&mut stream));
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    (address, requests)
}

fn read_request(stream: &mut TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    head + std::str::from_utf8(&body).unwrap()
}

fn reply(status: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}", body.len())
}

fn models() -> String {
    reply("200 OK", r#"{"data":[{"id":"tiny"},{"id":"large"}]}"#)
}

/// The server at `address`, once it was asked for its models.
fn connected(address: &str, key: Option<&str>) -> Remote {
    let remote = Remote::connect(address, None, key.map(str::to_owned)).unwrap();
    while remote.status().state == GeneratorState::Warming {
        thread::sleep(Duration::from_millis(5));
    }
    remote
}

fn all(remote: &Remote) -> (String, Option<Piece>) {
    let generation = Generation {
        schema: Some(r#"{"type":"object"}"#.to_owned()),
        ..Generation::new(Task::Rewrite, vec![Message::new(Role::User, "Why?")])
    };
    let mut stream = remote.start(&generation).unwrap();
    let (mut text, mut last) = (String::new(), None);
    while let Some(piece) = pollster::block_on(stream.next()) {
        match piece {
            Piece::Text(piece) => text.push_str(&piece),
            other => last = Some(other),
        }
    }
    (text, last)
}

#[test]
fn another_server_writes() {
    let events = "data: {\"choices\":[{\"delta\":{\"content\":\"Be\"}}]}\n\n\
                  data: {\"choices\":[{\"delta\":{\"content\":\"cause\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let (address, requests) = serve(vec![models(), reply("200 OK", events)]);
    let remote = connected(&address, Some("secret"));
    let status = remote.status();
    assert_eq!(
        (status.state, status.model.as_deref(), status.place),
        (GeneratorState::Ready, Some("tiny"), Place::Here)
    );
    let (text, last) = all(&remote);
    assert_eq!(text, "Because");
    assert!(matches!(last, Some(Piece::Done { finish: Finish::Ended, .. })), "{last:?}");
    assert!(requests.recv().unwrap().starts_with("GET /v1/models "));
    let asked = requests.recv().unwrap();
    assert!(asked.starts_with("POST /v1/chat/completions ") && asked.contains("Bearer secret"), "{asked}");
    let body: Value = serde_json::from_str(asked.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert_eq!((&body["model"], &body["max_tokens"], &body["stream"]), (&json!("tiny"), &json!(120), &json!(true)));
    assert_eq!(body["response_format"]["json_schema"]["schema"], json!({"type": "object"}));
}

#[test]
fn what_goes_wrong_there_is_said() {
    let cut = "data: {\"choices\":[{\"delta\":{\"content\":\"Be\"}}]}\n\n";
    let refused = reply("401 Unauthorized", r#"{"error":{"message":"no key"}}"#);
    let (address, _requests) = serve(vec![models(), refused, reply("200 OK", cut)]);
    let remote = connected(&address, None);
    let (_, last) = all(&remote);
    let Some(Piece::Failed(error)) = last else { panic!("{last:?}") };
    assert!(error.to_string().contains("no key") && error.to_string().contains("MILLWRIGHT_GENERATOR_KEY"), "{error}");
    let (text, last) = all(&remote);
    assert_eq!(text, "Be");
    assert!(matches!(last, Some(Piece::Failed(GenerateError::Crashed { .. }))), "{last:?}");
}

#[test]
fn a_redirect_takes_no_excerpt_elsewhere() {
    let (elsewhere, taken) = serve(vec![reply("200 OK", "data: [DONE]\n\n")]);
    let moved = format!("HTTP/1.1 307 Moved\r\nLocation: {elsewhere}/v1/chat/completions\r\nContent-Length: 0\r\n\r\n");
    let (address, _requests) = serve(vec![models(), moved]);
    let (_, last) = all(&connected(&address, None));
    assert!(matches!(last, Some(Piece::Failed(GenerateError::Unreachable { .. }))), "{last:?}");
    assert!(taken.try_recv().is_err());
}

#[test]
fn a_dead_server_is_said() {
    // Nothing listens on the port of the protocol "discard".
    let remote = connected("http://127.0.0.1:9", None);
    assert!(matches!(remote.status().state, GeneratorState::Failed { .. }));
    assert!(matches!(all(&remote).1, Some(Piece::Failed(GenerateError::Unreachable { .. }))));
}

#[test]
fn addresses_are_understood_and_places_told() {
    for (address, base, here) in [
        ("http://localhost:11434", "http://localhost:11434/v1", true),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1", true),
        ("http://[::1]:8080/v1/chat/completions", "http://[::1]:8080/v1", true),
        ("HTTPS://Mill.OpenAI.Azure.com/openai/v1", "https://Mill.OpenAI.Azure.com/openai/v1", false),
        ("http://192.168.0.7:8000", "http://192.168.0.7:8000/v1", false),
        ("https://127.0.0.1.evil.example", "https://127.0.0.1.evil.example/v1", false),
    ] {
        assert_eq!(base_of(address).as_deref(), Ok(base));
        assert_eq!(is_here(&host_of(base).unwrap()), here, "{address}");
    }
    for address in ["", "localhost:8080", "ftp://x", "http://", "http://user@host", "http://a b", "file:///etc/passwd"]
    {
        assert!(base_of(address).is_err(), "{address}");
    }
    let readable = Remote::connect("http://gpu.example/v1", None, Some("secret".to_owned()));
    assert!(readable.is_err_and(|why| why.contains("https://")));
}
