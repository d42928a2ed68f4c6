//! The server over a real socket: what it serves, how, and to whom not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod models;

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

const INDEX: &str = "<!doctype html><script type=\"module\">start();</script><p>Millwright</p>";
const HASHED: &str = "page-9f86d081884c7d65_bg.wasm";

/// A running `millwright serve` on a free port over a small bundle.
struct Served {
    child: Child,
    port: u16,
    root: tempfile::TempDir,
}

impl Served {
    fn start() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("outside.txt"), "secret").unwrap();
        let bundle = root.path().join("dist");
        write_bundle(&bundle);
        let mut child = Command::new(env!("CARGO_BIN_EXE_millwright"))
            .args(["serve", "--port", "0", "--json", "--app"])
            .arg(&bundle)
            .env("MILLWRIGHT_LIBRARY", root.path().join("library"))
            .env("MILLWRIGHT_MODELS", root.path().join("models"))
            // Nothing listens on the port of the protocol "discard".
            .env("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !said.ends_with("}\n") {
            assert!(lines.read_line(&mut said).unwrap() > 0, "ended after {said}");
        }
        let serving: serde_json::Value = serde_json::from_str(&said).unwrap();
        assert_eq!(serving["bundle"], "0.1.0+abc");
        let address = serving["address"].as_str().unwrap();
        let port = address.strip_prefix("http://127.0.0.1:").unwrap().trim_end_matches('/').parse().unwrap();
        Self { child, port, root }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends a request with these further header lines and reads the answer to its end.
    fn ask(&self, request_line: &str, headers: &[&str]) -> Reply {
        let mut stream = self.connect();
        let host = format!("Host: 127.0.0.1:{}", self.port);
        let has_host = headers.iter().any(|header| header.to_lowercase().starts_with("host:"));
        let mut request = format!("{request_line} HTTP/1.1\r\nConnection: close\r\n");
        for header in headers.iter().copied().chain((!has_host).then_some(host.as_str())) {
            request.push_str(header);
            request.push_str("\r\n");
        }
        request.push_str("\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        Reply::parse(&answer)
    }

    fn get(&self, path: &str) -> Reply {
        self.ask(&format!("GET {path}"), &[])
    }

    #[cfg(unix)]
    fn terminate(&self) {
        let sent = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
struct Reply {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Reply {
    fn parse(answer: &[u8]) -> Self {
        let end = answer.windows(4).position(|window| window == b"\r\n\r\n").expect("headers end");
        let head = std::str::from_utf8(&answer[..end]).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| line.split_once(':').unwrap());
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.trim().to_owned())).collect();
        Self { status, headers, body: answer[end + 4..].to_vec() }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(other, _)| other == name).map_or("", |(_, value)| value)
    }

    fn json(&self) -> serde_json::Value {
        assert_eq!(self.header("content-type"), "application/json");
        serde_json::from_slice(&self.body).unwrap()
    }

    #[track_caller]
    fn assert_failure(&self, status: u16, error_type: &str) {
        assert_eq!(self.status, status);
        let failure = self.json();
        assert_eq!(failure["error_type"], error_type);
        assert!(failure["error"].as_str().is_some_and(|error| !error.is_empty()));
    }
}

fn write_bundle(dir: &Path) {
    fs::create_dir_all(dir.join("samples")).unwrap();
    for (name, content) in [
        ("index.html", INDEX),
        ("sw.js", "// worker"),
        ("version.json", "{\"version\": \"0.1.0+abc\"}"),
        ("manifest.webmanifest", "{}"),
        ("icon.svg", "<svg/>"),
        (HASHED, "\0asm plain"),
        ("page-9f86d081884c7d65_bg.wasm.gz", "\u{1f}squeezed"),
        ("samples/pump manual.md", "# Pump"),
    ] {
        fs::write(dir.join(name), content).unwrap();
    }
}

#[test]
fn the_page_comes_with_its_policy() {
    let served = Served::start();
    let reply = served.get("/");
    assert_eq!((reply.status, reply.body.as_slice()), (200, INDEX.as_bytes()));
    assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(reply.header("cache-control"), "no-cache");
    assert_eq!(reply.header("cross-origin-opener-policy"), "same-origin");
    assert_eq!(reply.header("cross-origin-embedder-policy"), "require-corp");
    assert_eq!(reply.header("cross-origin-resource-policy"), "same-origin");
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
    let policy = reply.header("content-security-policy");
    // SHA-256 of `start();`, by openssl.
    assert!(
        policy.contains("script-src 'self' 'wasm-unsafe-eval' 'sha256-E6jQvrT2ZivWG9GJ4AAEZf4MhI7l3QkLroW4hgvUT4c=';"),
        "{policy}"
    );
    assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe-inline"));
}

#[test]
fn files_come_with_types_and_lifetimes() {
    let served = Served::start();
    for (path, content_type, cache) in [
        ("/sw.js", "text/javascript; charset=utf-8", "no-cache"),
        ("/version.json", "application/json", "no-cache"),
        ("/manifest.webmanifest", "application/manifest+json", "no-cache"),
        ("/icon.svg", "image/svg+xml", "no-cache"),
        ("/samples/pump%20manual.md", "text/markdown; charset=utf-8", "no-cache"),
        (&format!("/{HASHED}"), "application/wasm", "public, max-age=31536000, immutable"),
    ] {
        let reply = served.get(path);
        assert_eq!(
            (reply.status, reply.header("content-type"), reply.header("cache-control")),
            (200, content_type, cache)
        );
    }
}

#[test]
fn compressed_forms_go_to_those_who_take_them() {
    let served = Served::start();
    let request = format!("GET /{HASHED}");
    let squeezed = served.ask(&request, &["Accept-Encoding: gzip, br"]);
    assert_eq!(squeezed.header("content-encoding"), "gzip");
    assert_eq!(squeezed.header("content-type"), "application/wasm");
    assert_eq!(squeezed.header("vary"), "accept-encoding");
    assert_eq!(squeezed.body, "\u{1f}squeezed".as_bytes());
    let plain = served.ask(&request, &["Accept-Encoding: br"]);
    assert_eq!((plain.header("content-encoding"), plain.body.as_slice()), ("", "\0asm plain".as_bytes()));
    assert_ne!(plain.header("etag"), squeezed.header("etag"));
}

#[test]
fn what_is_known_is_not_sent_again() {
    let served = Served::start();
    let first = served.get("/sw.js");
    let again = served.ask("GET /sw.js", &[&format!("If-None-Match: \"other\", W/{}", first.header("etag"))]);
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(again.header("etag"), first.header("etag"));
    assert_eq!(served.ask("GET /sw.js", &["If-None-Match: \"other\""]).status, 200);
}

#[test]
fn head_tells_without_sending() {
    let served = Served::start();
    let reply = served.ask("HEAD /", &[]);
    assert_eq!((reply.status, reply.body.len()), (200, 0));
    assert_eq!(reply.header("content-length"), INDEX.len().to_string());
}

#[test]
fn health_is_told() {
    let served = Served::start();
    let reply = served.get("/api/health");
    let health = reply.json();
    assert_eq!((reply.status, health["status"].as_str()), (200, Some("ok")));
    assert_eq!(health["name"], "millwright", "the packaging tool tells Millwright from other servers by it");
    assert_eq!(health["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(health["protocol"], millwright_core::protocol::PROTOCOL_VERSION);
    assert_eq!(health["bundle"], "0.1.0+abc");
    assert_eq!(reply.header("cache-control"), "no-store");
}

#[test]
fn what_is_not_there_is_said_in_one_form() {
    let served = Served::start();
    for path in ["/api/nothing", "/api", "/api/", "/nothing.js", "/samples/", "/samples", "/index.html/"] {
        served.get(path).assert_failure(404, "not_found");
    }
    served.ask("POST /api/health", &["Content-Length: 0"]).assert_failure(405, "bad_request");
    served.ask("POST /", &["Content-Length: 0"]).assert_failure(405, "bad_request");
}

#[test]
fn addresses_inside_the_app_give_the_app() {
    let served = Served::start();
    let opened = served.ask("GET /document/e3b0c442?node=7", &["Sec-Fetch-Mode: navigate"]);
    assert_eq!((opened.status, opened.body.as_slice()), (200, INDEX.as_bytes()));
    served.ask("GET /document/e3b0c442", &["Sec-Fetch-Mode: cors"]).assert_failure(404, "not_found");
    served.ask("GET /api/nothing", &["Sec-Fetch-Mode: navigate"]).assert_failure(404, "not_found");
}

#[test]
fn no_path_leads_out_of_the_bundle() {
    let served = Served::start();
    for path in [
        "/../outside.txt",
        "/..%2foutside.txt",
        "/%2e%2e/outside.txt",
        "/%2e%2e%2foutside.txt",
        "/%252e%252e/outside.txt",
        "/..%5coutside.txt",
        "/samples/../../outside.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/sw.js%00.html",
        "/%ff%fe",
        "/%",
    ] {
        assert_eq!(served.get(path).status, 404, "{path}");
    }
}

#[test]
fn foreign_hosts_are_refused() {
    let served = Served::start();
    let own_port = served.port;
    for host in ["evil.example".to_owned(), format!("evil.example:{own_port}"), "127.0.0.1:1".to_owned(), String::new()]
    {
        served.ask("GET /", &[&format!("Host: {host}")]).assert_failure(421, "bad_request");
    }
    let two = [format!("Host: 127.0.0.1:{own_port}"), "Host: evil.example".to_owned()];
    served.ask("GET /api/health", &[&two[0], &two[1]]).assert_failure(421, "bad_request");
    served.ask("GET http://evil.example/", &[]).assert_failure(421, "bad_request");
}

#[test]
fn localhost_is_led_to_the_one_origin() {
    let served = Served::start();
    let host = format!("Host: localhost:{}", served.port);
    let reply = served.ask("GET /?q=a%20b", &[&host, "Accept: text/html,*/*"]);
    assert_eq!(reply.status, 307);
    assert_eq!(reply.header("location"), format!("http://127.0.0.1:{}/?q=a%20b", served.port));
    assert_eq!(served.ask("GET /api/health", &[&host]).status, 200, "programs may use the name");
}

#[test]
fn other_sites_may_not_write() {
    let served = Served::start();
    let foreign = ["Origin: http://evil.example", "Content-Length: 0"];
    served.ask("POST /api/health", &foreign).assert_failure(403, "bad_request");
    served
        .ask("POST /api/health", &["Sec-Fetch-Site: cross-site", "Content-Length: 0"])
        .assert_failure(403, "bad_request");
    served.ask("POST /api/health", &["Content-Length: 2000000"]).assert_failure(413, "too_large");
}

#[test]
fn oversized_headers_are_cut_off() {
    let served = Served::start();
    let reply = served.ask("GET /", &[&format!("X-Long: {}", "x".repeat(100_000))]);
    assert_eq!(reply.status, 431);
    assert_eq!(served.get("/").status, 200, "the server goes on");
}

#[test]
fn a_taken_port_is_said() {
    let served = Served::start();
    let bundle = tempfile::tempdir().unwrap();
    fs::write(bundle.path().join("index.html"), INDEX).unwrap();
    let second = Command::new(env!("CARGO_BIN_EXE_millwright"))
        .args(["serve", "--json", "--port", &served.port.to_string(), "--app"])
        .arg(bundle.path())
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let failure: serde_json::Value = serde_json::from_slice(&second.stdout).unwrap();
    assert!(failure["error"].as_str().unwrap().contains(&format!("Port {} is in use", served.port)));
}

#[test]
fn a_missing_page_is_said() {
    let empty = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_millwright"))
        .args(["serve", "--port", "0", "--app"])
        .arg(empty.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cargo pkg bundle"));
}

#[cfg(unix)]
#[test]
fn it_ends_when_asked_even_with_idle_connections() {
    let mut served = Served::start();
    let mut idle = served.connect();
    write!(idle, "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port).unwrap();
    let mut first = [0; 12];
    idle.read_exact(&mut first).unwrap();
    // And one in the middle of its headers, which never ends on its own.
    let mut stuck = served.connect();
    stuck.write_all(b"GET / HT").unwrap();
    served.terminate();
    let start = Instant::now();
    let code = served.child.wait().unwrap().code();
    assert_eq!(code, Some(0));
    assert!(start.elapsed() < Duration::from_secs(8), "{:?}", start.elapsed());
}
