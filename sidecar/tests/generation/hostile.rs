//! Ten thousand requests by chance, with a seed: valid, half valid, no HTTP at all. Each is answered or cut off, and at the end
//! everything still works.

use crate::served::{Served, chat_body};
use serde_json::json;
use std::{
    io::{Read, Write},
    net::Shutdown,
    thread,
    time::Duration,
};

const N_REQUESTS: u64 = 10_000;
const N_THREADS: u64 = 4;

/// xorshift64* (Vigna, 2016): the same requests every time.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() >> 33).unwrap() % n
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn noise(&mut self, most: usize) -> Vec<u8> {
        (0..self.below(most)).map(|_| self.next() as u8).collect()
    }
}

/// A request, and whether it is well-formed enough to deserve an answer.
fn request(chance: &mut Chance, port: u16, bearer: &str) -> Vec<u8> {
    if chance.below(20) == 0 {
        return chance.noise(300);
    }
    let method = chance.one(&[
        "GET", "POST", "POST", "POST", "PATCH", "PUT", "HEAD", "OPTIONS", "CONNECT", "TRACE", "get", "", "P\u{0}ST",
    ]);
    let path = chance.one(&[
        "/",
        "/v1/models",
        "/v1/chat/completions",
        "/v1/chat/completions",
        "/v1/chat/completions",
        "/api/generator",
        "/api/models",
        "/api/models/ocr/fetch/../x",
        "/api/health",
        "/v1",
        "/v1/",
        "/v1/../api/generator",
        "/%2e%2e/etc/passwd",
        "//",
        "/v1/chat/completions?x=%00",
        "http://evil.example/",
        "*",
        "/\u{fc}",
        "/api/models/%ff/%00",
        "",
    ]);
    let body = body(chance);
    let host = format!("127.0.0.1:{port}");
    let host = chance.one(&[&host, &host, &host, &host, "evil.example", "", "localhost"]).to_owned();
    let mut head = format!(
        "{method} {path} {}\r\nHost: {host}\r\n",
        chance.one(&["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9", ""])
    );
    if chance.below(8) > 0 {
        head.push_str(&format!("{bearer}\r\n"));
    }
    let length = match chance.below(12) {
        0 => "Content-Length: 99999999999999999999\r\n".to_owned(),
        1 => "Content-Length: -1\r\n".to_owned(),
        2 => format!("Content-Length: {}\r\n", body.len() + 7),
        3 => format!("Content-Length: {}\r\n", body.len() / 2),
        4 => "Transfer-Encoding: chunked\r\n".to_owned(),
        5 => format!("Content-Length: {0}\r\nContent-Length: {0}\r\nTransfer-Encoding: chunked\r\n", body.len()),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    head.push_str(&length);
    for _ in 0..chance.below(3) {
        head.push_str(chance.one(&[
            "Origin: http://evil.example\r\n",
            "Origin: null\r\n",
            "Sec-Fetch-Site: cross-site\r\n",
            "Content-Type: application/json\r\n",
            "Expect: 100-continue\r\n",
            "Upgrade: websocket\r\n",
            "Connection: upgrade\r\n",
            "Range: bytes=0-\r\n",
            "Accept: text/html\r\n",
            "X: \u{1}\r\n",
            ": empty\r\n",
            "No colon\r\n",
            "Host: second\r\n",
            "Authorization: Bearer\r\n",
            " folded\r\n",
        ]));
    }
    head.push_str("Connection: close\r\n\r\n");
    let mut request = head.into_bytes();
    request.extend(body);
    if chance.below(10) == 0 {
        let keep = chance.below(request.len());
        request.truncate(keep);
    }
    if chance.below(10) == 0 {
        let at = chance.below(request.len().max(1));
        if let Some(byte) = request.get_mut(at) {
            *byte = chance.next() as u8;
        }
    }
    request
}

fn body(chance: &mut Chance) -> Vec<u8> {
    let script = chance.one(&[
        "say yes",
        "say no more",
        "circle",
        "echo",
        "long",
        "",
        "\u{0}",
        "<|im_end|>",
        "{\"order\":\"cancel\"}",
    ]);
    let more = match chance.below(14) {
        0 => json!({"max_tokens": -1}),
        1 => json!({"max_tokens": 1e300}),
        2 => json!({"messages": "none"}),
        3 => json!({"messages": vec![json!({"role": "user", "content": "x"}); 300]}),
        4 => json!({"response_format": {"type": "json_schema", "json_schema": {"schema": {"$ref": "#"}}}}),
        5 => json!({"stop": ["", "\u{ffff}"]}),
        6 => json!({"temperature": "hot"}),
        7 => json!({"stream": true}),
        8 => json!({"model": "../../etc/passwd"}),
        9 => json!({"model": "x".repeat(5000)}),
        10 => json!({"messages": [{"role": "user", "content": [{"type": "text", "text": null}]}]}),
        _ => json!({}),
    };
    match chance.below(8) {
        0 => chance.noise(2000),
        // Deep nesting, which readers that recurse fall over.
        1 => "[".repeat(chance.below(200_000)).into_bytes(),
        2 => Vec::new(),
        _ => chat_body(script, more).to_string().into_bytes(),
    }
}

#[test]
fn ten_thousand_hostile_requests_break_nothing() {
    let served = Served::start();
    thread::scope(|scope| {
        for worker in 0..N_THREADS {
            let served = &served;
            scope.spawn(move || {
                let mut chance = Chance(0x9E37_79B9_7F4A_7C15 ^ (worker + 1));
                for _ in 0..N_REQUESTS / N_THREADS {
                    let request = request(&mut chance, served.port, &served.bearer());
                    let mut stream = served.connect();
                    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
                    // The server may have refused and closed before all was sent.
                    let _ = stream.write_all(&request);
                    let _ = stream.shutdown(Shutdown::Write);
                    let mut answer = Vec::new();
                    let end = stream.take(1 << 20).read_to_end(&mut answer);
                    let is_hung = end.is_err_and(|error| {
                        matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
                    });
                    assert!(!is_hung, "no answer and no end to {:?}", String::from_utf8_lossy(&request));
                    assert!(
                        answer.is_empty() || answer.starts_with(b"HTTP/1."),
                        "{:?}",
                        String::from_utf8_lossy(&answer)
                    );
                }
            });
        }
    });
    assert_eq!(served.ask("GET /api/health", &[], "").0, 200);
    let state = served.state();
    assert_eq!((&state["state"], &state["restarts"]), (&json!("ready"), &json!(0)), "{state}");
    // Permissions to ask fill up again.
    thread::sleep(Duration::from_secs(1));
    assert_eq!(served.chat("say still here", json!({})).0, 200);
}
