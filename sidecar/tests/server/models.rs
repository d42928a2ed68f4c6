//! The models of the server's folder: which are there, their bytes, and fetching one.

use super::Served;
use millwright_core::models::Catalogue;
use std::{
    fs,
    time::{Duration, Instant},
};

/// The state of the model that reads scans.
fn model_state(served: &Served) -> serde_json::Value {
    let list = served.get("/api/models");
    assert_eq!(list.status, 200);
    let list = list.json();
    let models = list["models"].as_array().unwrap();
    models.iter().find(|model| model["model"] == "ocr").unwrap()["state"].clone()
}

#[test]
fn a_model_that_is_not_here_is_fetched_when_asked_for_and_only_by_the_page() {
    let served = Served::start();
    assert_eq!(model_state(&served)["state"], "absent");
    served.get("/api/models/ocr/ppocrv6_dict.txt").assert_failure(404, "not_found");
    let fetch = "POST /api/models/ocr/fetch";
    served.ask(fetch, &["Origin: http://evil.example"]).assert_failure(403, "bad_request");
    assert_eq!(model_state(&served)["state"], "absent", "nobody asked");
    served.ask("POST /api/models/none/fetch", &[]).assert_failure(404, "not_found");

    assert_eq!(served.ask(fetch, &[]).status, 202);
    let deadline = Instant::now() + Duration::from_secs(20);
    let state = loop {
        let state = model_state(&served);
        if state["state"] != "fetching" {
            break state;
        }
        assert!(Instant::now() < deadline, "{state}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let words = state["error"].as_str().unwrap();
    assert!(state["state"] == "failed" && words.contains("127.0.0.1:9") && words.contains("From a file"), "{state}");
    assert_eq!(served.ask("DELETE /api/models/ocr/fetch", &[]).status, 204);
}

#[test]
fn a_model_that_is_here_is_handed_out_in_ranges() {
    let served = Served::start();
    let folder = served.root.path().join("models/ocr");
    fs::create_dir_all(&folder).unwrap();
    // Of the right sizes: whoever uses the bytes looks at their hashes.
    for file in &Catalogue::shipped().model("ocr").unwrap().files {
        let size_bytes = usize::try_from(file.size_bytes).unwrap();
        fs::write(folder.join(&file.name), b"0123456789".repeat(size_bytes / 10 + 1).split_at(size_bytes).0).unwrap();
    }
    assert_eq!(model_state(&served)["state"], "whole");
    assert_eq!(served.ask("POST /api/models/ocr/fetch", &[]).status, 204, "nothing is fetched again");
    let path = "/api/models/ocr/ppocrv6_dict.txt";
    let whole = served.get(path);
    assert_eq!((whole.status, whole.body.len(), whole.header("accept-ranges")), (200, 74_947, "bytes"));
    let part = served.ask(&format!("GET {path}"), &["Range: bytes=13-16"]);
    assert_eq!((part.status, part.header("content-range")), (206, "bytes 13-16/74947"));
    assert_eq!(part.body, b"3456");
    let rest = served.ask(&format!("GET {path}"), &["Range: bytes=74940-"]);
    assert_eq!((rest.status, rest.body.len()), (206, 7));
    let beyond = served.ask(&format!("GET {path}"), &["Range: bytes=74947-"]);
    assert_eq!((beyond.status, beyond.header("content-range")), (416, "bytes */74947"));
    served.get("/api/models/ocr/..%2f..%2foutside.txt").assert_failure(404, "not_found");
    served.ask(&format!("GET {path}"), &["Host: evil.example"]).assert_failure(421, "bad_request");
}
