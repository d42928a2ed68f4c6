//! The model's states: absent, loading, ready, failed; swapped, unloaded, crashed and started again.

use crate::served::{Served, wait};
use serde_json::json;

#[test]
fn a_model_is_loaded_swapped_and_unloaded() {
    let served = Served::start_with(&["one", "two", "slow"]);
    let state = served.state();
    assert_eq!(
        (&state["state"], &state["models"], &state["place"]),
        (&json!("absent"), &json!(["one", "slow", "two"]), &json!("here"))
    );
    let (status, answer) = served.chat("say no", json!({}));
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("no_model")));

    served.load("one");
    let ready = served.wait_for("ready");
    assert_eq!((&ready["model"], &ready["context_tokens"]), (&json!("one"), &json!(1000)));
    assert_eq!(served.chat("say yes", json!({"model": "one"})).0, 200);
    let (status, answer) = served.chat("say yes", json!({"model": "two"}));
    assert_eq!((status, &answer["error"]["code"]), (404, &json!("model_not_found")));

    // A file that takes its time is told from one that is dead.
    served.load("slow");
    let loading = wait(|| Some(served.state()).filter(|state| state["percent"] == 43));
    assert_eq!((&loading["state"], &loading["words"]), (&json!("loading"), &json!("loading 43 %")));
    let (status, answer) = served.chat("say no", json!({}));
    assert_eq!((status, &answer["error"]["code"]), (503, &json!("not_ready")));
    assert!(answer["error"]["message"].as_str().unwrap().contains("loading 43 %"), "{answer}");

    served.load("two");
    assert_eq!(served.wait_for("ready")["model"], "two");
    assert_eq!(served.ask("DELETE /api/generator", &[&served.bearer()], "").0, 204);
    assert_eq!(served.state()["state"], "absent");
}

#[test]
fn what_cannot_be_loaded_says_why_and_the_server_goes_on() {
    let served = Served::start_with(&["damaged", "fatal", "nowhere", "fine"]);
    for (model, why) in
        [("damaged", "this file is no model"), ("fatal", "signal 6"), ("nowhere", "there is no model runtime here")]
    {
        served.load(model);
        let failed = served.wait_for("failed");
        assert!(failed["error"].as_str().unwrap().contains(why) && failed["model"] == model, "{failed}");
    }
    for name in ["", "../fine", "fine.gguf", "/etc/passwd"] {
        let (status, body) =
            served.ask("POST /api/generator", &[&served.bearer()], &json!({"model": name}).to_string());
        assert_eq!(status, 404, "{body}");
    }
    assert_eq!(served.ask("POST /api/generator", &[&served.bearer()], "fine").0, 400);
    served.load("fine");
    served.wait_for("ready");
}

#[test]
fn a_crash_ends_one_text_and_the_model_comes_back() {
    let served = Served::start();
    for (script, why) in [("crash", "exit status: 3"), ("abort", "signal 6")] {
        let (status, answer) = served.chat(script, json!({}));
        let message = answer["error"]["message"].as_str().unwrap();
        assert_eq!((status, &answer["error"]["code"]), (500, &json!("model_crashed")));
        assert!(message.contains("in the middle") && message.contains(why), "{message}");
        assert_eq!(served.ask("GET /api/health", &[], "").0, 200, "the server is not in it");
        let state = served.wait_for("ready");
        assert!(state["last_crash"].as_str().unwrap().contains(why), "{state}");
        assert_eq!(served.chat("say back", json!({})).0, 200);
    }
    assert_eq!(served.state()["restarts"], 2);
}

#[test]
fn a_crash_in_a_stream_leaves_what_was_said() {
    let served = Served::start();
    let body = crate::served::chat_body("abort", json!({"stream": true})).to_string();
    let (status, stream) = served.ask("POST /v1/chat/completions", &[&served.bearer()], &body);
    assert_eq!(status, 200);
    assert!(stream.contains("\"content\":\"so \"") && stream.contains("model_crashed"), "{stream}");
    assert!(!stream.contains("[DONE]"), "it was not done: {stream}");
}

#[test]
fn a_model_that_only_crashes_is_not_started_for_ever() {
    let served = Served::start();
    for _ in 0..3 {
        // Until the third crash it comes back.
        wait(|| (served.chat("crash", json!({})).0 == 500).then_some(()));
    }
    let failed = served.wait_for("failed");
    assert!(failed["error"].as_str().unwrap().contains("3 times"), "{failed}");
    served.load("steady");
    assert_eq!(served.wait_for("ready")["restarts"], 0);
}

#[test]
fn messages_that_do_not_fit_are_told_from_other_faults() {
    let served = Served::start();
    let (status, answer) = served.chat("long", json!({}));
    assert_eq!((status, &answer["error"]["code"]), (400, &json!("context_length_exceeded")));
    assert_eq!(served.state()["state"], "ready");
}

#[cfg(unix)]
#[test]
fn the_child_ends_with_the_server() {
    let served = Served::start();
    let process = std::fs::read_to_string(served.notes("steady").with_extension("process")).unwrap();
    let is_alive = || {
        let mut look = std::process::Command::new("kill");
        look.args(["-0", &process]).stderr(std::process::Stdio::null()).status().unwrap().success()
    };
    assert!(is_alive());
    let _writing = served.begin("count 100000");
    drop(served);
    wait(|| (!is_alive()).then_some(()));
}
