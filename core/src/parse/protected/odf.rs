//! Parts of OpenDocument packages that are encrypted with a password (ODF 1.2, part 3, 3.4): AES after PBKDF2.

use super::{MAX_SPINS, block};
use crate::parse::{ParseError, markup};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::read::DeflateDecoder;
use sha1::Sha1;
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, io::Read as _};

/// Bytes of a part by which its password is told to be right.
const CHECKED_BYTES: usize = 1024;

/// The encrypted parts of a package and what the password makes of it.
pub(crate) struct Locks {
    parts: BTreeMap<String, Lock>,
    start_key: Vec<u8>,
}

/// How a part is encrypted.
struct Lock {
    first: Vec<u8>,
    salt: Vec<u8>,
    n_spins: u32,
    key_bytes: usize,
    checksum: Option<(bool, Vec<u8>)>,
}

impl Locks {
    /// What the manifest says is encrypted; `None` where nothing is.
    ///
    /// # Errors
    /// [`ParseError::Password`] where none was given, and [`ParseError::Unsupported`] for other ways to encrypt.
    pub(crate) fn read(manifest: &str, password: Option<&str>) -> Result<Option<Self>, ParseError> {
        if !manifest.contains("encryption-data") {
            return Ok(None);
        }
        let Some(password) = password.filter(|password| !password.is_empty()) else {
            return Err(ParseError::Password);
        };
        let unknown = || ParseError::Unsupported {
            found: "an OpenDocument file that is protected in another way than AES after PBKDF2 (saved without its \
                    password it can be read)"
                .to_owned(),
        };
        let root = markup::root(manifest, |_| Some("m")).ok_or_else(unknown)?;
        let mut locks = Self { parts: BTreeMap::new(), start_key: Vec::new() };
        for entry in root.all("m:file-entry") {
            let Some(data) = entry.child("m:encryption-data") else { continue };
            let name = entry.attribute("m:full-path").unwrap_or_default().to_lowercase();
            let (lock, is_sha256) = lock(data).ok_or_else(unknown)?;
            let of_password = if is_sha256 {
                Sha256::digest(password.as_bytes()).to_vec()
            } else {
                Sha1::digest(password.as_bytes()).to_vec()
            };
            locks.start_key = of_password;
            locks.parts.insert(name, lock);
        }
        Ok((!locks.parts.is_empty()).then_some(locks))
    }

    /// Decrypts and unpacks a part, no further than `limit` bytes; `None` where it is not encrypted.
    ///
    /// # Errors
    /// [`ParseError::WrongPassword`].
    pub(crate) fn open(&self, name: &str, bytes: &[u8], limit: u64) -> Result<Option<Vec<u8>>, ParseError> {
        let Some(lock) = self.parts.get(name) else { return Ok(None) };
        let key = pbkdf2(&self.start_key, &lock.salt, lock.n_spins, lock.key_bytes);
        let mut bytes = bytes.to_vec();
        block::decrypt_chained(&key, &lock.first, &mut bytes).ok_or(ParseError::WrongPassword)?;
        // The last byte says how many were added to fill the last block.
        let n_added = bytes.last().map_or(0, |last| usize::from(*last)).clamp(1, 16);
        bytes.truncate(bytes.len().saturating_sub(n_added));
        if let Some((is_sha256, checksum)) = &lock.checksum {
            let checked = &bytes[..bytes.len().min(CHECKED_BYTES)];
            let found = if *is_sha256 { Sha256::digest(checked).to_vec() } else { Sha1::digest(checked).to_vec() };
            if found != *checksum {
                return Err(ParseError::WrongPassword);
            }
        }
        let mut unpacked = Vec::new();
        match DeflateDecoder::new(bytes.as_slice()).take(limit).read_to_end(&mut unpacked) {
            Ok(_) => Ok(Some(unpacked)),
            // A part that was cut off; of the first bytes it is known that they are right.
            Err(_) if lock.checksum.is_some() => Ok(Some(unpacked)),
            Err(_) => Err(ParseError::WrongPassword),
        }
    }
}

/// How a part is encrypted, and whether its password is hashed with SHA-256; `None` for what is not known here.
fn lock(data: &markup::Element) -> Option<(Lock, bool)> {
    let bytes = |text: Option<&str>| STANDARD.decode(text?.trim()).ok();
    let algorithm = data.child("m:algorithm")?;
    let derivation = data.child("m:key-derivation")?;
    let key_bytes = match algorithm.attribute("m:algorithm-name")?.rsplit('#').next()? {
        "aes128-cbc" => 16,
        "aes192-cbc" => 24,
        "aes256-cbc" => 32,
        _ => return None,
    };
    if !derivation.attribute("m:key-derivation-name")?.to_lowercase().ends_with("pbkdf2") {
        return None;
    }
    let start = data.child("m:start-key-generation").and_then(|start| start.attribute("m:start-key-generation-name"));
    let n_spins = derivation.attribute("m:iteration-count")?.parse().ok().filter(|n| (1..=MAX_SPINS).contains(n))?;
    let checksum = bytes(data.attribute("m:checksum")).zip(data.attribute("m:checksum-type"));
    let checksum = checksum.and_then(|(sum, kind)| {
        let kind = kind.to_lowercase();
        kind.ends_with("1k").then(|| (kind.contains("sha256"), sum))
    });
    let lock = Lock {
        first: bytes(algorithm.attribute("m:initialisation-vector"))?,
        salt: bytes(derivation.attribute("m:salt"))?,
        n_spins,
        key_bytes,
        checksum,
    };
    Some((lock, start.is_some_and(|start| start.ends_with("sha256"))))
}

/// PBKDF2 with HMAC-SHA-1 (RFC 8018, 5.2).
fn pbkdf2(password: &[u8], salt: &[u8], n_spins: u32, n_bytes: usize) -> Vec<u8> {
    // Of HMAC's two halves the first block is always the same.
    let padded = |filler: u8| {
        let mut block = [filler; 64];
        block.iter_mut().zip(password).for_each(|(byte, key)| *byte ^= key);
        Sha1::new().chain_update(block)
    };
    let (inner, outer) = (padded(0x36), padded(0x5c));
    let hmac = |parts: &[&[u8]]| {
        let mut hash = inner.clone();
        parts.iter().for_each(|part| hash.update(part));
        outer.clone().chain_update(hash.finalize()).finalize()
    };
    let mut key = Vec::new();
    for number in 1_u32.. {
        if key.len() >= n_bytes {
            break;
        }
        let mut last = hmac(&[salt, &number.to_be_bytes()]);
        let mut sum = last;
        for _ in 1..n_spins {
            last = hmac(&[&last]);
            sum.iter_mut().zip(last).for_each(|(sum, byte)| *sum ^= byte);
        }
        key.extend_from_slice(&sum);
    }
    key.truncate(n_bytes);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_derived_as_rfc_6070_has_it() {
        let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        assert_eq!(hex(pbkdf2(b"password", b"salt", 2, 20)), "ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957");
        let salt = b"saltSALTsaltSALTsaltSALTsaltSALTsalt";
        let key = pbkdf2(b"passwordPASSWORDpassword", salt, 4096, 25);
        assert_eq!(hex(key), "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038");
    }
}
