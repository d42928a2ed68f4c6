//! Agile encryption (MS-OFFCRYPTO 2.3.4.10 to 2.3.4.15): what Office has written since 2010.

use super::{MAX_SPINS, block, utf16};
use crate::parse::markup;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha384, Sha512};

/// The package is encrypted in pieces of so many bytes.
const SEGMENT_BYTES: usize = 4096;
const BLOCK_BYTES: usize = 16;
/// What keys for different ends are made different with.
const VERIFIER_INPUT: [u8; 8] = [0xfe, 0xa7, 0xd2, 0x76, 0x3b, 0x4b, 0x9e, 0x79];
const VERIFIER_VALUE: [u8; 8] = [0xd7, 0xaa, 0x0f, 0x6d, 0x30, 0x61, 0x34, 0x4e];
const KEY_VALUE: [u8; 8] = [0x14, 0x6e, 0x0b, 0xe7, 0xab, 0xac, 0xd0, 0xd6];

#[derive(Clone, Copy)]
enum Hash {
    Sha1,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "SHA1" | "SHA-1" => Self::Sha1,
            "SHA256" | "SHA-256" => Self::Sha256,
            "SHA384" | "SHA-384" => Self::Sha384,
            "SHA512" | "SHA-512" => Self::Sha512,
            _ => return None,
        })
    }

    /// Of both parts, one after the other.
    fn of(self, first: &[u8], second: &[u8]) -> Vec<u8> {
        fn hash<D: Digest>(first: &[u8], second: &[u8]) -> Vec<u8> {
            D::new().chain_update(first).chain_update(second).finalize().to_vec()
        }
        match self {
            Self::Sha1 => hash::<Sha1>(first, second),
            Self::Sha256 => hash::<Sha256>(first, second),
            Self::Sha384 => hash::<Sha384>(first, second),
            Self::Sha512 => hash::<Sha512>(first, second),
        }
    }
}

/// What a file says of its encryption.
pub(super) struct Agile {
    /// Of the package.
    package: Lock,
    /// Of the key, which the password opens.
    password: Lock,
    n_spins: u32,
    verifier_input: Vec<u8>,
    verifier_value: Vec<u8>,
    key_value: Vec<u8>,
}

struct Lock {
    hash: Hash,
    salt: Vec<u8>,
    key_bytes: usize,
}

impl Agile {
    /// Reads the XML; `None` where it asks for something that no Office writes.
    pub(super) fn read(xml: &[u8]) -> Option<Self> {
        let root = markup::root(std::str::from_utf8(xml).ok()?, |_| Some("e"))?;
        let key_data = root.find("e:keyData")?;
        let key = root.find("e:encryptedKey")?;
        let lock = |element: &markup::Element| {
            let is_known = element.attribute("cipherAlgorithm") == Some("AES")
                && element.attribute("cipherChaining") == Some("ChainingModeCBC");
            let key_bytes = element.attribute("keyBits")?.parse::<usize>().ok()? / 8;
            let hash = Hash::named(element.attribute("hashAlgorithm")?)?;
            let salt = STANDARD.decode(element.attribute("saltValue")?.trim()).ok()?;
            (is_known && matches!(key_bytes, 16 | 24 | 32) && !salt.is_empty()).then_some(Lock {
                hash,
                salt,
                key_bytes,
            })
        };
        let bytes = |name: &str| STANDARD.decode(key.attribute(name)?.trim()).ok();
        Some(Self {
            package: lock(key_data)?,
            password: lock(key)?,
            n_spins: key.attribute("spinCount")?.parse().ok().filter(|n| *n <= MAX_SPINS)?,
            verifier_input: bytes("encryptedVerifierHashInput")?,
            verifier_value: bytes("encryptedVerifierHashValue")?,
            key_value: bytes("encryptedKeyValue")?,
        })
    }

    /// The key of the package; `None` where the password is not the right one.
    pub(super) fn key(&self, password: &str) -> Option<Vec<u8>> {
        let Lock { hash, salt, key_bytes } = &self.password;
        let mut spun = hash.of(salt, &utf16(password));
        for spin in 0..self.n_spins {
            spun = hash.of(&spin.to_le_bytes(), &spun);
        }
        let opened = |purpose: &[u8; 8], encrypted: &[u8]| {
            let key = fitted(hash.of(&spun, purpose), *key_bytes);
            let mut data = encrypted.to_vec();
            block::decrypt_chained(&key, &fitted(salt.clone(), BLOCK_BYTES), &mut data)?;
            Some(data)
        };
        let input = opened(&VERIFIER_INPUT, &self.verifier_input)?;
        let value = opened(&VERIFIER_VALUE, &self.verifier_value)?;
        let of_input = hash.of(input.get(..salt.len()).unwrap_or(&input), &[]);
        if value.get(..of_input.len()) != Some(of_input.as_slice()) {
            return None;
        }
        let mut key = opened(&KEY_VALUE, &self.key_value)?;
        key.truncate(self.package.key_bytes);
        Some(key)
    }

    /// Decrypts the package piece by piece.
    pub(super) fn decrypt(&self, key: &[u8], package: &mut [u8]) -> Option<()> {
        for (at, segment) in package.chunks_mut(SEGMENT_BYTES).enumerate() {
            let number = u32::try_from(at).ok()?.to_le_bytes();
            let first = fitted(self.package.hash.of(&self.package.salt, &number), BLOCK_BYTES);
            block::decrypt_chained(key, &first, segment)?;
        }
        Some(())
    }
}

/// Cut or filled up to a length.
fn fitted(mut bytes: Vec<u8>, length: usize) -> Vec<u8> {
    bytes.resize(length, 0x36);
    bytes
}
