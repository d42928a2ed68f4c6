//! The standard library's source out of Debian's `rust-src` package, whose versions follow Rust's own.
//!
//! Not an installation: the package is fetched and unpacked into a folder, with apt's lists and cache kept there too.

use crate::{
    error::PkgError,
    process::{Program, find},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Where Rust versions newer than a Debian release are to be found, in the order of likelihood.
const SUITES: [&str; 3] = ["trixie-backports", "testing", "unstable"];

/// Fetches and unpacks the source of exactly `version`; returns the folder that holds `library`.
///
/// # Errors
/// [`PkgError::Missing`] where this is no Debian, or Debian has no such version.
pub(super) fn rust_source(version: &str, scratch: &Path) -> Result<PathBuf, PkgError> {
    let missing = |what: String| PkgError::Missing {
        what,
        remedy: "connect to where rustup gets its toolchains and type `rustup target add wasm32-unknown-unknown`"
            .into(),
    };
    if find("apt-get", &[]).is_none() || find("dpkg-deb", &[]).is_none() {
        return Err(missing("the wasm target needs rustup with a connection, or Debian's apt".into()));
    }
    let listed = apt_sources();
    let Some(source) = listed.iter().find_map(|text| debian_source(text)) else {
        return Err(missing("apt's sources on this machine name no Debian mirror".into()));
    };
    for suite in SUITES {
        let apt = Scratch::new(&scratch.join(suite), &source, suite)?;
        // A suite that this mirror does not carry is no failure, the next may be there.
        if apt.get(&["-q", "update"]).capture().is_err() {
            continue;
        }
        let offered = apt.cache(&["madison", "rust-src"]).capture()?;
        if let Some(package) = package_version(&offered, version) {
            apt.get(&["-q", "download", &format!("rust-src={package}")]).capture()?;
            return apt.unpack(version);
        }
    }
    Err(missing(format!("Debian offers no source of Rust {version}")))
}

/// The texts of the machine's source lists.
fn apt_sources() -> Vec<String> {
    let parts = fs::read_dir("/etc/apt/sources.list.d").into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = parts
        .filter(|path| path.extension().is_some_and(|extension| extension == "list" || extension == "sources"))
        .collect();
    files.sort();
    files.insert(0, PathBuf::from("/etc/apt/sources.list"));
    files.iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Where this machine gets Debian from: the mirror and, if one is named, the key that signs it.
#[derive(Debug, PartialEq)]
struct Source {
    uri: String,
    signed_by: Option<String>,
}

/// Reads the first Debian mirror out of a source list, in the one-line or the deb822 form.
fn debian_source(text: &str) -> Option<Source> {
    let is_mirror = |word: &str| word.contains("://") && word.trim_end_matches('/').ends_with("/debian");
    for paragraph in text.split("\n\n") {
        let field = |name: &str| {
            let value = paragraph.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            value.map(str::trim)
        };
        if let Some(uri) = field("URIs").and_then(|uris| uris.split_whitespace().find(|uri| is_mirror(uri))) {
            let signed_by = field("Signed-By").filter(|key| key.starts_with('/')).map(str::to_owned);
            return Some(Source { uri: uri.to_owned(), signed_by });
        }
    }
    let line = text.lines().map(str::trim).find(|line| line.starts_with("deb ") && line.split(' ').any(is_mirror))?;
    let options = line.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(options, _)| options);
    let signed_by = options.split_whitespace().find_map(|option| option.strip_prefix("signed-by=")).map(str::to_owned);
    Some(Source { uri: line.split(' ').find(|word| is_mirror(word))?.to_owned(), signed_by })
}

/// The newest package of a Rust version in `apt-cache madison`'s lines, `rust-src | 1.95.0+dfsg1-2~bpo13+1 | …`.
fn package_version<'a>(madison: &'a str, version: &str) -> Option<&'a str> {
    madison
        .lines()
        .filter_map(|line| line.split('|').nth(1).map(str::trim))
        .find(|package| package.strip_prefix(version).is_some_and(|rest| rest.starts_with(['+', '-', '~'])))
}

/// apt with everything that it writes in a folder of ours.
struct Scratch {
    folder: PathBuf,
    options: Vec<String>,
}

impl Scratch {
    fn new(folder: &Path, source: &Source, suite: &str) -> Result<Self, PkgError> {
        for sub in ["lists/partial", "cache/archives/partial"] {
            let sub = folder.join(sub);
            fs::create_dir_all(&sub).map_err(PkgError::file("creating", &sub))?;
        }
        let list = folder.join("rust.list");
        let key = source.signed_by.as_ref().map_or_else(String::new, |key| format!("[signed-by={key}] "));
        let text = format!("deb {key}{} {suite} main\n", source.uri);
        fs::write(&list, text).map_err(PkgError::file("writing", &list))?;
        let folder = folder.to_path_buf();
        let options = [
            format!("Dir::Etc::sourcelist={}", list.display()),
            "Dir::Etc::sourceparts=/dev/null".to_owned(),
            format!("Dir::State::lists={}", folder.join("lists").display()),
            format!("Dir::Cache={}", folder.join("cache").display()),
            // As root apt would drop to a user who cannot write to our folder.
            "APT::Sandbox::User=".to_owned(),
        ];
        Ok(Self { folder, options: options.into_iter().flat_map(|option| ["-o".to_owned(), option]).collect() })
    }

    fn get(&self, arguments: &[&str]) -> Program {
        Program::new("apt-get", &self.folder).args(&self.options).args(arguments)
    }

    fn cache(&self, arguments: &[&str]) -> Program {
        Program::new("apt-cache", &self.folder).args(&self.options).args(arguments)
    }

    fn unpack(&self, version: &str) -> Result<PathBuf, PkgError> {
        let entries = fs::read_dir(&self.folder).map_err(PkgError::file("reading", &self.folder))?;
        let package =
            entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "deb"));
        let package = package.ok_or_else(|| PkgError::Failed("apt-get downloaded no package".into()))?;
        let unpacked = self.folder.join("unpacked");
        Program::new("dpkg-deb", &self.folder).arg("-x").args([&package, &unpacked]).run()?;
        Ok(unpacked.join("usr").join("src").join(format!("rustc-{version}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mirror_is_read_from_both_forms_of_source_lists() {
        let deb822 = "Types: deb\nURIs: http://mirror.example/debian-security\nSuites: x-security\n\n\
            Types: deb\n# a remark\nURIs: http://mirror.example/debian\nSuites: x\nSigned-By: /usr/share/keyrings/k.gpg\n";
        let key = Some("/usr/share/keyrings/k.gpg".to_owned());
        let uri = "http://mirror.example/debian".to_owned();
        assert_eq!(debian_source(deb822), Some(Source { uri: uri.clone(), signed_by: key.clone() }));
        let one_line = "# old\ndeb-src http://mirror.example/debian x main\n\
            deb [arch=amd64 signed-by=/usr/share/keyrings/k.gpg] http://mirror.example/debian x main\n";
        assert_eq!(debian_source(one_line), Some(Source { uri: uri.clone(), signed_by: key }));
        assert_eq!(debian_source("deb http://mirror.example/debian/ x main"), {
            Some(Source { uri: format!("{uri}/"), signed_by: None })
        });
        assert_eq!(debian_source("deb http://mirror.example/ubuntu x main"), None);
    }

    #[test]
    fn only_the_very_version_is_taken() {
        let madison = "  rust-src | 1.97.1+dfsg1-1 | somewhere\n  rust-src | 1.95.0+dfsg1-2~bpo13+1 | somewhere\n";
        assert_eq!(package_version(madison, "1.95.0"), Some("1.95.0+dfsg1-2~bpo13+1"));
        assert_eq!(package_version(madison, "1.9"), None);
        assert_eq!(package_version(madison, "1.96.0"), None);
    }
}
