//! The service worker's promises, over two small shells of our own and a server that can fail on demand: the whole shell
//! or none of it, with all that comes after the shell, one version at a time, a new one only when the page says so. Not the
//! app, which `browser` walks through.

use anyhow::{Context, Result};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use millwright_tests::{
    paths,
    webdriver::{Browser, PATIENCE},
};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};

const TEMPLATE: &str = include_str!("../../pkg/static/sw.js");

/// The file that is no part of the shell.
const LATER: &str = "/lazy.js";

/// The file that only some need.
const FOR_SOME: &str = "/rare.js";

/// A file of the shell that takes long to come, so that whoever does not wait for it is seen.
const SLOW: (&str, Duration) = ("/app.js", Duration::from_millis(300));

/// What the server answers: by path, a type and a body. An empty map is a server that is down.
type Files = BTreeMap<String, (&'static str, String)>;

/// A shell of one page and a script, a script for later and one for some, all of which say its version, with its service worker filled in
/// as `cargo pkg bundle` would.
fn shell(version: &str) -> Files {
    let page = format!("<!doctype html><title>{version}</title><script src=/app.js></script>");
    let app =
        format!("window.app = '{version}'; navigator.serviceWorker.register('/sw.js', {{updateViaCache: 'none'}});");
    let lazy = format!("window.lazy = '{version}';");
    let rare = format!("window.rare = '{version}';");
    let assets = [
        ("/", "text/html", page),
        ("/app.js", "text/javascript", app),
        (LATER, "text/javascript", lazy),
        (FOR_SOME, "text/javascript", rare),
    ];
    let integrity = |text: &str| format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)));
    let list = |wanted: &dyn Fn(&str) -> bool| {
        let files = assets.iter().filter(|(path, ..)| wanted(path));
        serde_json::json!(files.map(|(path, _, text)| [(*path).to_owned(), integrity(text)]).collect::<Vec<_>>())
    };
    let worker = TEMPLATE
        .replace("MILLWRIGHT_VERSION", version)
        .replace("[\"MILLWRIGHT_SHELL\"]", &list(&|path| path != LATER && path != FOR_SOME).to_string())
        .replace("[\"MILLWRIGHT_LATER\"]", &list(&|path| path == LATER).to_string())
        .replace("[\"MILLWRIGHT_FOR_SOME\"]", &list(&|path| path == FOR_SOME).to_string());
    let mut files: Files = assets.into_iter().map(|(path, kind, text)| (path.to_owned(), (kind, text))).collect();
    files.insert("/sw.js".into(), ("text/javascript", worker));
    files.insert("/api/health".into(), ("application/json", "{}".into()));
    files
}

/// A server on a port of its own, for as long as the test process lives.
struct Server {
    files: Arc<Mutex<Files>>,
    /// `asked PATH` and `sent PATH`, in order.
    log: Arc<Mutex<Vec<String>>>,
    origin: String,
}

impl Server {
    fn start(files: Files) -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let origin = format!("http://127.0.0.1:{}", listener.local_addr()?.port());
        let files = Arc::new(Mutex::new(files));
        let log = Arc::default();
        let shared = (Arc::clone(&files), Arc::clone(&log));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (files, log) = shared.clone();
                // A browser that hangs up early is none of the server's concern.
                thread::spawn(move || drop(answer(&stream, &files, &log)));
            }
        });
        Ok(Self { files, log, origin })
    }

    fn serve(&self, files: Files) {
        *lock(&self.files) = files;
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn answer(mut stream: &TcpStream, files: &Mutex<Files>, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut request = BufReader::new(stream).lines();
    let first = request.next().transpose()?.unwrap_or_default();
    for line in request.by_ref() {
        if line?.is_empty() {
            break;
        }
    }
    // Not before: browsers open connections in advance, and one of those must not keep the others waiting.
    let files = lock(files).clone();
    if files.is_empty() {
        return Ok(());
    }
    let path = first.split(' ').nth(1).and_then(|path| path.split('?').next()).unwrap_or_default();
    lock(log).push(format!("asked {path}"));
    if path == SLOW.0 {
        thread::sleep(SLOW.1);
    }
    let (status, (kind, body)) = match files.get(path) {
        Some(file) => ("200 OK", file.clone()),
        None => ("404 Not Found", ("text/plain", String::new())),
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\
         cache-control: max-age=3600\r\nvary: accept-encoding\r\ncross-origin-opener-policy: same-origin\r\n\
         cross-origin-embedder-policy: require-corp\r\ncontent-security-policy: default-src 'self'\r\n\r\n{body}",
        body.len()
    )?;
    lock(log).push(format!("sent {path}"));
    Ok(())
}

/// Runs the body of an asynchronous function in the page.
fn run(browser: &Browser, body: &str) -> Result<serde_json::Value> {
    browser.run(&format!("return (async () => {{ {body} }})()"), &[])
}

/// A browser that has visited version one and whose worker is in charge. `None` where browser tests are not asked for.
fn after_first_visit() -> Result<Option<(Server, Browser, tempfile::TempDir)>> {
    if paths::bundle()?.is_none() {
        return Ok(None);
    }
    let server = Server::start(shell("one"))?;
    let profile = tempfile::tempdir()?;
    let browser = Browser::start(profile.path())?;
    browser.goto(&server.origin)?;
    // Without a reload: the first visit is enough.
    browser.until("the worker to take the first page over", PATIENCE, || {
        Ok((run(&browser, "return !!navigator.serviceWorker.controller")? == true).then_some(()))
    })?;
    Ok(Some((server, browser, profile)))
}

/// Title, script and lazily loaded script of the page on show, and the version of the worker in charge.
fn versions(browser: &Browser) -> Result<[String; 4]> {
    let told = run(
        browser,
        "await new Promise((done, failed) => {
           const script = document.createElement('script');
           Object.assign(script, { src: '/lazy.js', onload: done, onerror: failed });
           document.head.append(script);
         });
         const { port1, port2 } = new MessageChannel();
         navigator.serviceWorker.controller.postMessage({ type: 'version' }, [port2]);
         const worker = await new Promise((done) => (port1.onmessage = (event) => done(event.data.version)));
         return [document.title, window.app, window.lazy, worker];",
    )?;
    serde_json::from_value(told).context("not four versions")
}

/// Asks for an update and says how it ended: `waiting`, or `none` where the new worker was discarded or nothing is new.
fn update(browser: &Browser) -> Result<String> {
    let ended = run(
        browser,
        "const registration = await navigator.serviceWorker.getRegistration();
         await registration.update().catch(() => {});
         const worker = registration.installing;
         if (worker) await new Promise((done) => (worker.onstatechange = done));
         return registration.waiting ? 'waiting' : 'none';",
    )?;
    serde_json::from_value(ended).context("not a word")
}

fn caches(browser: &Browser) -> Result<Vec<String>> {
    serde_json::from_value(run(browser, "return (await caches.keys()).sort()")?).context("not a list of names")
}

#[test]
fn after_one_visit_the_shell_works_without_the_server_at_any_address() -> Result<()> {
    let Some((server, browser, _profile)) = after_first_visit()? else { return Ok(()) };
    server.serve(Files::new());
    for address in ["/", "/index.html", "/document/7?page=3#passage"] {
        browser.goto(&format!("{}{address}", server.origin))?;
        assert_eq!(versions(&browser)?, ["one"; 4], "{address}");
        // The headers were stored with the files: isolation, without which threads end, holds offline.
        assert_eq!(run(&browser, "return crossOriginIsolated")?, true, "{address}");
    }
    let asked = "return fetch('/api/health').then((answer) => answer.status, () => 'no answer')";
    assert_eq!(run(&browser, asked)?, "no answer", "the sidecar's answers must never come from a cache");
    server.serve(shell("one"));
    assert_eq!(run(&browser, asked)?, 200);
    assert_eq!(run(&browser, "return (await fetch('/nothing.js')).status")?, 404);
    Ok(())
}

#[test]
fn what_is_needed_later_comes_after_the_shell_and_without_being_used() -> Result<()> {
    let Some((server, browser, _profile)) = after_first_visit()? else { return Ok(()) };
    // Nobody has used it: it was fetched in advance, once, when the worker had the whole shell.
    let log = lock(&server.log).clone();
    let place = |line: String| log.iter().rposition(|logged| *logged == line);
    let shell_sent = place(format!("sent {}", SLOW.0));
    let later_asked = place(format!("asked {LATER}"));
    assert!(shell_sent.is_some() && later_asked > shell_sent, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.ends_with(LATER)).count(), 2, "{log:?}");
    server.serve(Files::new());
    assert_eq!(versions(&browser)?, ["one"; 4]);
    Ok(())
}

/// The version that the script for some has here, or that it cannot be had.
fn rare(browser: &Browser) -> Result<serde_json::Value> {
    run(browser, "return fetch('/rare.js').then((answer) => answer.text(), () => 'no answer')")
}

#[test]
fn what_only_some_need_is_kept_once_it_was_used_and_then_in_the_next_version_too() -> Result<()> {
    let Some((server, browser, _profile)) = after_first_visit()? else { return Ok(()) };
    let n_asked =
        |server: &Server| lock(&server.log).iter().filter(|line| **line == format!("asked {FOR_SOME}")).count();
    assert_eq!(n_asked(&server), 0, "nobody has used it");
    server.serve(Files::new());
    assert_eq!(rare(&browser)?, "no answer");
    server.serve(shell("one"));
    assert_eq!(rare(&browser)?, "window.rare = 'one';");
    server.serve(Files::new());
    assert_eq!(rare(&browser)?, "window.rare = 'one';", "from now on without the server, too");
    server.serve(shell("two"));
    assert_eq!(update(&browser)?, "waiting");
    run(
        &browser,
        "const changed = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
         (await navigator.serviceWorker.getRegistration()).waiting.postMessage({ type: 'activate' });
         await changed",
    )?;
    server.serve(Files::new());
    assert_eq!(rare(&browser)?, "window.rare = 'two';", "an update must not take it away");
    Ok(())
}

#[test]
fn a_new_version_waits_until_the_page_lets_it_in_and_then_replaces_the_old_one_whole() -> Result<()> {
    let Some((server, mut browser, _profile)) = after_first_visit()? else { return Ok(()) };
    server.serve(shell("two"));
    assert_eq!(update(&browser)?, "waiting");
    // Neither a reload nor a second tab lets it in, and nothing of it shows before.
    browser.reload()?;
    assert_eq!(versions(&browser)?, ["one"; 4]);
    let first = browser.tab()?;
    browser.open_tab()?;
    browser.goto(&server.origin)?;
    assert_eq!(versions(&browser)?, ["one"; 4]);
    assert_eq!(caches(&browser)?, ["millwright-shell-one", "millwright-shell-two"]);
    let changed = run(
        &browser,
        "const changed = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = () => done('changed')));
         (await navigator.serviceWorker.getRegistration()).waiting.postMessage({ type: 'activate' });
         return changed",
    )?;
    assert_eq!(changed, "changed", "the page is told, so that it can reload");
    server.serve(Files::new());
    browser.reload()?;
    assert_eq!(versions(&browser)?, ["two"; 4]);
    browser.until("the old version's files to go", PATIENCE, || {
        Ok((caches(&browser)? == ["millwright-shell-two"]).then_some(()))
    })?;
    browser.close_tab(&first)?;
    Ok(())
}

#[test]
fn an_update_that_fails_half_way_leaves_the_old_version_whole() -> Result<()> {
    let Some((server, browser, _profile)) = after_first_visit()? else { return Ok(()) };
    let mut incomplete = shell("two");
    incomplete.remove("/lazy.js");
    // The server's folder was replaced once more between the worker's file and its assets.
    let mut mixed = shell("two");
    mixed.extend(shell("three").remove_entry("/lazy.js"));
    for broken in [incomplete, mixed] {
        server.serve(broken);
        assert_eq!(update(&browser)?, "none");
        assert_eq!(caches(&browser)?, ["millwright-shell-one"]);
        browser.reload()?;
        assert_eq!(versions(&browser)?, ["one"; 4]);
    }
    server.serve(shell("two"));
    assert_eq!(update(&browser)?, "waiting");
    Ok(())
}
