//! Who may have the language model work: the app's own page, which its browser vouches for, and programs that know this
//! installation's key. The key lies in a file that only this user reads. Not for foreign sites and names: the guard has
//! refused those before.
//!
//! What it cannot do: a program that runs as this very user may read the key, as it may read the documents.

use super::{Site, api, guard};
use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::Response,
};
use millwright_core::protocol::FailureKind;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The key's file in the folder of the user's data.
const FILE: &str = "pairing-key";
/// Bytes of chance in a key.
const KEY_BYTES: usize = 24;

/// The key that programs show as `Authorization: Bearer …`.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    key: Option<String>,
    /// Where it lies.
    pub file: Option<PathBuf>,
}

impl Pairing {
    /// The key of `folder`, made where there is none yet.
    ///
    /// # Errors
    /// When it can be neither read nor written.
    pub fn in_folder(folder: &Path) -> io::Result<Self> {
        let file = folder.join(FILE);
        let kept = fs::read_to_string(&file).map(|key| key.trim().to_owned());
        let key = match kept {
            // An empty key would let everyone in.
            Ok(key) if key.len() >= KEY_BYTES => key,
            _ => {
                let key = new_key()?;
                fs::create_dir_all(folder)?;
                write_private(&file, &key)?;
                key
            }
        };
        Ok(Self { key: Some(key), file: Some(file) })
    }

    /// Whether these headers show the key.
    fn is_shown(&self, headers: &HeaderMap) -> bool {
        let shown = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let shown = shown.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim);
        match (&self.key, shown) {
            (Some(key), Some(shown)) => is_same(key.as_bytes(), shown.as_bytes()),
            _ => false,
        }
    }
}

/// Compares in a time that does not tell how much is right.
fn is_same(key: &[u8], shown: &[u8]) -> bool {
    key.len() == shown.len() && key.iter().zip(shown).fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
}

fn new_key() -> io::Result<String> {
    let mut bytes = [0; KEY_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a file that only this user reads.
fn write_private(path: &Path, text: &str) -> io::Result<()> {
    use io::Write;
    // One of another mode, or a link to elsewhere, must not get it.
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(format!("{text}\n").as_bytes())
}

/// The middleware of what makes the model work or tells of it.
pub(super) async fn check(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    if guard::is_page(headers, site.port) || site.desk.pairing.is_shown(headers) {
        return next.run(request).await;
    }
    let why = match &site.desk.pairing.file {
        // Where the file lies is no secret, but nobody without it needs to know.
        Some(_) => {
            "This needs the key of this installation: send it as “Authorization: Bearer KEY”. `millwright serve` says in which file it is."
        }
        None => {
            "Programs cannot use this: the key of this installation could not be stored. `millwright serve` says why."
        }
    };
    api::failure(StatusCode::UNAUTHORIZED, FailureKind::BadRequest, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_is_private() {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join("data");
        let first = Pairing::in_folder(&folder).unwrap();
        assert_eq!(Pairing::in_folder(&folder).unwrap().key, first.key);
        assert_eq!(first.key.as_ref().map(String::len), Some(2 * KEY_BYTES));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(folder.join(FILE)).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(folder.join(FILE), "\n").unwrap();
        let again = Pairing::in_folder(&folder).unwrap();
        assert!(again.key.is_some() && again.key != first.key, "an emptied file is no key");
    }

    #[test]
    fn only_the_whole_key_opens() {
        let pairing = Pairing { key: Some("0123456789abcdef0123456789".to_owned()), file: None };
        let shown =
            |value: &str| pairing.is_shown(&HeaderMap::from_iter([(header::AUTHORIZATION, value.parse().unwrap())]));
        assert!(shown("Bearer 0123456789abcdef0123456789"));
        for wrong in [
            "Bearer 0123456789abcdef012345678",
            "Bearer ",
            "Basic 0123456789abcdef0123456789",
            "",
            "Bearer 0123456789abcdef0123456788",
        ] {
            assert!(!shown(wrong), "{wrong}");
        }
        assert!(
            !Pairing::default().is_shown(&HeaderMap::from_iter([(header::AUTHORIZATION, "Bearer ".parse().unwrap())]))
        );
    }
}
