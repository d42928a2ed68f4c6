//! The command line from outside: what programs read (JSON, exit codes) and what people read.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use millwright_sidecar::store::FileStorage;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A library and some files of its own.
struct Bench {
    root: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { root: tempfile::tempdir().unwrap() };
        bench.write(
            "manuals/pump.md",
            b"# Pump P-100\n\n## Maintenance\n\nGrease the bearing TF/2026-27/001 every 500 hours.\n",
        );
        bench.write("manuals/parts/list.csv", b"Part,Description,Price\nSKU-48291,Impeller,130\nSKU-48292,Gasket,4\n");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_millwright"));
        command.args(arguments).current_dir(self.root.path()).env("MILLWRIGHT_LIBRARY", self.path("library"));
        // What is found here does not depend on the models that a developer has.
        command.env("MILLWRIGHT_MODELS", self.path("models"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs with `--json` and gives the exit code with the one document that was printed.
    #[track_caller]
    fn json(&self, arguments: &[&str]) -> (i32, Value) {
        let output = self.command(arguments).arg("--json").output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let document = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error} in {text:?}"));
        (output.status.code().unwrap(), document)
    }

    /// Runs for people and gives what they read; it must have gone well.
    #[track_caller]
    fn read(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn names(listing: &Value) -> Vec<&str> {
    listing["documents"].as_array().unwrap().iter().map(|document| document["name"].as_str().unwrap()).collect()
}

fn outcomes(report: &Value) -> Vec<(&str, &str)> {
    let files = report["files"].as_array().unwrap().iter();
    files.map(|file| (file["file"].as_str().unwrap(), file["outcome"].as_str().unwrap())).collect()
}

#[test]
fn a_folder_goes_in_is_found_and_goes_out_again() {
    let bench = Bench::new();
    let (code, report) = bench.json(&["ingest", "manuals"]);
    assert_eq!(code, 0);
    assert_eq!(outcomes(&report), [("manuals/parts/list.csv", "added"), ("manuals/pump.md", "added")]);
    assert_eq!(report["summary"]["n_documents_in_library"], 2);

    let (code, found) = bench.json(&["find", "TF/2026-27/001"]);
    assert_eq!(code, 0);
    let first = &found["passages"][0];
    assert_eq!(first["name"], "manuals/pump.md");
    assert!(first["text"].as_str().unwrap().contains("TF/2026-27/001"));
    assert_eq!(bench.json(&["find", "impeller", "price"]).1["passages"][0]["name"], "manuals/parts/list.csv");

    let (code, again) = bench.json(&["ingest", "manuals"]);
    assert_eq!((code, &again["summary"]["n_unchanged"]), (0, &Value::from(2)));

    let (code, removal) = bench.json(&["remove", "manuals/pump.md"]);
    assert_eq!((code, &removal["removed"][0]["name"]), (0, &Value::from("manuals/pump.md")));
    assert_eq!(names(&bench.json(&["documents"]).1), ["manuals/parts/list.csv"]);
    let (_, gone) = bench.json(&["find", "grease the bearing"]);
    assert_eq!(gone["passages"], Value::Array(vec![]));
}

#[test]
fn new_bytes_under_an_old_name_replace_it() {
    let bench = Bench::new();
    bench.json(&["ingest", "manuals"]);
    bench.write("manuals/pump.md", b"# Pump P-200\n\nUse lithium soap.\n");
    bench.write("copies/second.csv", &fs::read(bench.path("manuals/parts/list.csv")).unwrap());
    let (_, report) = bench.json(&["ingest", "manuals", "copies"]);
    let expected = [
        ("manuals/parts/list.csv", "unchanged"),
        ("manuals/pump.md", "replaced"),
        ("copies/second.csv", "same_content"),
    ];
    assert_eq!(outcomes(&report), expected);
    assert_eq!(report["files"][2]["name"], "manuals/parts/list.csv", "under which it is listed");
    assert_eq!(bench.json(&["find", "grease the bearing"]).1["passages"], Value::Array(vec![]));
    assert_eq!(bench.json(&["find", "lithium"]).1["passages"][0]["name"], "manuals/pump.md");
}

#[test]
fn bad_files_are_told_and_the_rest_goes_on() {
    let bench = Bench::new();
    bench.write("mixed/1-empty.md", b"");
    bench.write("mixed/2-good.txt", b"The coolant pump hums.");
    bench.write("mixed/3-picture.gif", b"GIF89a\0\0\0\rIHDR\0\0\0\0");
    bench.write("mixed/4-nul.txt", &[0; 5000]);
    bench.write("mixed/5-zip.pdf", b"PK\x03\x04\x14\0\0\0\x08\0not a pdf");
    let (code, report) = bench.json(&["ingest", "mixed", "nowhere.md"]);
    assert_eq!(code, 0, "something went in");
    let kinds: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["error_type"].as_str().unwrap_or_else(|| file["outcome"].as_str().unwrap()))
        .collect();
    assert_eq!(
        kinds,
        ["empty_file", "added", "unsupported_format", "empty_file", "unsupported_format", "unreadable_file"]
    );
    assert_eq!(names(&bench.json(&["documents"]).1), ["mixed/2-good.txt"]);

    let (code, report) = bench.json(&["ingest", "mixed/1-empty.md"]);
    assert_eq!((code, &report["summary"]["n_failed"]), (1, &Value::from(1)), "nothing went in");
}

#[test]
fn people_read_it_at_eighty_columns_without_escapes() {
    let bench = Bench::new();
    let long = format!(
        "# Pump\n\n## {}\n\n{}\n",
        "Very long heading ".repeat(8),
        "Grease the \u{1b}[31mbearing daily. ".repeat(60)
    );
    bench.write("manuals/long.md", long.as_bytes());
    for text in
        [bench.read(&["ingest", "manuals"]), bench.read(&["documents"]), bench.read(&["find", "grease bearing"])]
    {
        assert!(!text.contains('\u{1b}'), "{text:?}");
        for line in text.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }
    let found = bench.read(&["find", "grease", "bearing"]);
    assert!(found.contains(" 1  manuals/long.md › ") || found.contains(" 1  manuals/pump.md › "), "{found}");
    assert!(found.contains(" passages from "), "{found}");
}

#[test]
fn an_empty_library_says_what_to_do() {
    let bench = Bench::new();
    assert!(bench.read(&["find", "anything"]).contains("millwright ingest"));
    assert!(bench.read(&["documents"]).contains("millwright ingest"));
}

#[test]
fn removing_what_is_not_there_fails_and_removes_the_rest() {
    let bench = Bench::new();
    bench.json(&["ingest", "manuals"]);
    let (code, removal) = bench.json(&["remove", "manuals/*", "manuals/pump.md"]);
    assert_eq!(code, 1);
    assert_eq!(removal["error_type"], "not_found");
    assert_eq!(removal["missing"], serde_json::json!(["manuals/*"]));
    assert_eq!(removal["removed"].as_array().unwrap().len(), 1);
    let (_, listing) = bench.json(&["documents"]);
    let id = listing["documents"][0]["id"].as_str().unwrap();
    assert_eq!(bench.json(&["remove", id]).0, 0, "ids name documents too");
    assert!(names(&bench.json(&["documents"]).1).is_empty());
}

#[test]
fn usage_errors_are_told_in_the_form_that_was_asked_for() {
    let bench = Bench::new();
    let (code, failure) = bench.json(&["find"]);
    assert_eq!((code, &failure["error_type"]), (2, &Value::from("bad_request")));
    let output = bench.run(&["find", "--limit", "many", "x"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    assert_eq!(bench.run(&["--help"]).status.code(), Some(0));
}

#[test]
fn a_library_in_use_is_said() {
    let bench = Bench::new();
    let _other = FileStorage::open(&bench.path("library")).unwrap();
    let (code, failure) = bench.json(&["documents"]);
    assert_eq!((code, &failure["error_type"]), (1, &Value::from("read_only")));
    assert!(failure["error"].as_str().unwrap().contains("in use by another millwright process"));
}

#[test]
fn a_reader_that_leaves_stops_nothing() {
    let bench = Bench::new();
    let mut child = bench.command(&["ingest", "manuals"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(names(&bench.json(&["documents"]).1).len(), 2);
}

#[test]
fn parse_shows_the_tree() {
    let bench = Bench::new();
    let outline = bench.read(&["parse", "manuals/pump.md"]);
    assert!(outline.contains("Maintenance") && outline.contains("Markdown, "), "{outline}");
    let (code, tree) = bench.json(&["parse", "manuals/pump.md"]);
    assert_eq!((code, &tree["document"]["name"]), (0, &Value::from("pump.md")));
    assert!(!Path::new(&bench.path("library")).exists(), "no library is needed");
}

#[test]
fn protected_files_are_read_with_their_password() {
    const PROTECTED: &[u8] = include_bytes!("../../core/src/parse/pdf/fixtures/aes_256.pdf");
    let bench = Bench::new();
    bench.write("seal.pdf", PROTECTED);
    let kind = |arguments: &[&str]| {
        let (code, said) = bench.json(arguments);
        (code, said["error_type"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(kind(&["parse", "seal.pdf"]), (1, "password_needed".to_owned()));
    assert_eq!(kind(&["parse", "seal.pdf", "--password", "wrong"]), (1, "password_needed".to_owned()));
    assert!(bench.read(&["parse", "seal.pdf", "--password", "reader"]).contains("4,000 hours"));
    let (_, report) = bench.json(&["ingest", "seal.pdf"]);
    assert_eq!(report["summary"]["n_failed"], 1);
    let output = bench.command(&["ingest", "seal.pdf"]).env("MILLWRIGHT_PASSWORD", "keeper").output().unwrap();
    assert!(output.status.success());
    assert!(bench.read(&["find", "when is the seal changed"]).contains("4,000 hours"));
}

#[test]
fn evaluate_measures_a_collection() {
    let bench = Bench::new();
    let corpus = r#"{"_id": "a", "title": "Pump", "text": "Grease the bearing."}
{"_id": "b", "title": "Valve", "text": "Close the valve, then grease it."}
{"_id": "c", "title": "Belt", "text": "Tension the belt."}
"#;
    bench.write("set/corpus.jsonl", corpus.as_bytes());
    bench.write("set/queries.jsonl", br#"{"_id": "1", "text": "grease bearing"}"#);
    bench.write("set/qrels/test.tsv", b"query-id\tcorpus-id\tscore\n1\tb\t1\n");
    let (code, report) = bench.json(&["evaluate", "ranking", "--collection", "set"]);
    assert_eq!((code, &report["n_documents"], &report["n_queries"]), (0, &Value::from(3), &Value::from(1)));
    // The judged document stands second, behind the one with both words.
    let ndcg = report["systems"][0]["ndcg_at_k"].as_f64().unwrap();
    assert!((ndcg - 1.0 / 3_f64.log2()).abs() < 1e-9, "{ndcg}");
    assert_eq!(
        bench.json(&["evaluate", "ranking", "--collection", "set", "--k", "1"]).1["systems"][0]["ndcg_at_k"],
        0.0
    );
    assert!(bench.read(&["evaluate", "ranking", "--collection", "set"]).contains("nDCG@10"));
    assert_eq!(bench.json(&["evaluate", "ranking", "--collection", "manuals"]).0, 1);
}

/// The library stays whole when an ingestion is stopped at any moment, gently or not.
#[cfg(unix)]
#[test]
fn stopping_leaves_whole_documents() {
    let bench = Bench::new();
    // All their chunks together are fewer than the passages asked for below.
    for n in 0..40 {
        bench.write(
            &format!("many/{n:02}.md"),
            format!("# File {n}\n\n{}", format!("Screw {n} is M6x20. ").repeat(400)).as_bytes(),
        );
    }
    for (signal, patience_millis) in [("-INT", 300), ("-KILL", 700)] {
        let mut child =
            bench.command(&["ingest", "--json", "many"]).stdout(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(patience_millis));
        let _ = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        if signal == "-INT" && status.code() != Some(0) {
            assert_eq!(status.code(), Some(130));
        }
        // Every document that is listed is found, and no other.
        let (_, listing) = bench.json(&["documents"]);
        let (_, found) = bench.json(&["find", "--limit", "1000", "M6x20"]);
        let mut found: Vec<&str> =
            found["passages"].as_array().unwrap().iter().map(|passage| passage["name"].as_str().unwrap()).collect();
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, names(&listing));
    }
    assert_eq!(bench.json(&["ingest", "many"]).0, 0);
    assert_eq!(names(&bench.json(&["documents"]).1).len(), 40);
}
