//! Office documents with a password: OLE files that hold the packed document encrypted (ECMA-376, MS-OFFCRYPTO).
//!
//! Not for PDF, which is opened by its own reader, and not for breaking anything: without the password it is asked for.
//! Nothing is checked beyond the password; a damaged package is found by whoever unpacks it.

mod agile;
mod block;
pub(crate) mod odf;
pub(crate) mod rc4;
mod standard;

use super::{ParseError, compound::Compound};

/// How often a password may be hashed. Office writes 100,000; more than this would be a way to keep a tab busy.
const MAX_SPINS: u32 = 2_000_000;
/// Files that ask for no password though they are encrypted: Excel writes and opens them with this one.
pub(crate) const DEFAULT_PASSWORD: &str = "VelvetSweatshop";

/// How a document is encrypted.
enum Scheme {
    Agile(agile::Agile),
    Standard(standard::Standard),
}

/// The packed document in an encrypted one.
///
/// # Errors
/// [`ParseError::Password`] where one is needed, [`ParseError::WrongPassword`] where another is,
/// [`ParseError::Unsupported`] where it is encrypted in a way that is not read, [`ParseError::Damaged`].
pub(crate) fn open(bytes: &[u8], password: Option<&str>) -> Result<Vec<u8>, ParseError> {
    let damaged = |detail: &str| ParseError::Damaged { detail: detail.to_owned() };
    let file = Compound::open(bytes).ok_or_else(|| damaged("its directory makes no sense"))?;
    let info = file.stream("EncryptionInfo").ok_or_else(|| damaged("it does not say how it is encrypted"))?;
    let unknown = || ParseError::Unsupported {
        found: "an Office document that is protected in a way other than by a password of its own (by rights \
                management or a foreign program; saved without protection it can be read)"
            .to_owned(),
    };
    let version = info.first_chunk().map(|[a, b, c, d]| (u16::from_le_bytes([*a, *b]), u16::from_le_bytes([*c, *d])));
    let scheme = match version {
        Some((4, 4)) => agile::Agile::read(&info[8.min(info.len())..]).map(Scheme::Agile),
        Some((2..=4, 2)) => standard::Standard::read(&info[8.min(info.len())..]).map(Scheme::Standard),
        _ => None,
    };
    let scheme = scheme.ok_or_else(unknown)?;
    let key = |password: &str| match &scheme {
        Scheme::Agile(agile) => agile.key(password),
        Scheme::Standard(standard) => standard.key(password),
    };
    let password = password.filter(|password| !password.is_empty());
    let Some(key) = key(password.unwrap_or(DEFAULT_PASSWORD)) else {
        return Err(if password.is_some() { ParseError::WrongPassword } else { ParseError::Password });
    };
    let package = file.stream("EncryptedPackage").ok_or_else(|| damaged("its encrypted part is missing"))?;
    let size = package.first_chunk().map(|size| u64::from_le_bytes(*size)).ok_or_else(|| damaged("it is cut off"))?;
    let mut package = package[8..].to_vec();
    let opened = match &scheme {
        Scheme::Agile(agile) => agile.decrypt(&key, &mut package),
        Scheme::Standard(_) => block::decrypt_each(&key, &mut package),
    };
    opened.ok_or_else(|| damaged("its key is of no known length"))?;
    package.truncate(usize::try_from(size).unwrap_or(usize::MAX));
    Ok(package)
}

/// A password as these formats hash it.
fn utf16(password: &str) -> Vec<u8> {
    password.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[cfg(test)]
mod tests;
