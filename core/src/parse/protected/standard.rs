//! Standard encryption (MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9): what Office 2007 wrote.

use super::{block, utf16};
use sha1::{Digest, Sha1};

/// How often the password is hashed; fixed by the format.
const N_SPINS: u32 = 50_000;
/// The numbers of AES with keys of 128, 192 and 256 bits.
const AES: [u32; 3] = [0x660e, 0x660f, 0x6610];

/// What a file says of its encryption.
pub(super) struct Standard {
    key_bytes: usize,
    salt: [u8; 16],
    verifier: [u8; 16],
    verifier_hash: [u8; 32],
}

impl Standard {
    /// Reads what follows version and flags; `None` where it is not AES.
    pub(super) fn read(info: &[u8]) -> Option<Self> {
        let number = |at: usize| info.get(at..)?.first_chunk().map(|four| u32::from_le_bytes(*four));
        let header_bytes = number(0)? as usize;
        let (algorithm, key_bits) = (number(4 + 8)?, number(4 + 16)?);
        let verifier = info.get(4_usize.checked_add(header_bytes)?..)?;
        // The length of the salt stands first, that of the hash before it.
        let salt = *verifier.get(4..)?.first_chunk()?;
        let encrypted = *verifier.get(20..)?.first_chunk()?;
        let verifier_hash = *verifier.get(40..)?.first_chunk()?;
        let key_bytes = key_bits as usize / 8;
        let is_known = AES.contains(&algorithm) && matches!(key_bytes, 16 | 24 | 32);
        is_known.then_some(Self { key_bytes, salt, verifier: encrypted, verifier_hash })
    }

    /// The key of the package; `None` where the password is not the right one.
    pub(super) fn key(&self, password: &str) -> Option<Vec<u8>> {
        let key = self.derived(password);
        let (mut verifier, mut hash) = (self.verifier, self.verifier_hash);
        block::decrypt_each(&key, &mut verifier)?;
        block::decrypt_each(&key, &mut hash)?;
        (Sha1::digest(verifier).as_slice() == &hash[..20]).then_some(key)
    }

    fn derived(&self, password: &str) -> Vec<u8> {
        let mut spun = Sha1::new().chain_update(self.salt).chain_update(utf16(password)).finalize();
        for spin in 0..N_SPINS {
            spun = Sha1::new().chain_update(spin.to_le_bytes()).chain_update(spun).finalize();
        }
        let last = Sha1::new().chain_update(spun).chain_update(0_u32.to_le_bytes()).finalize();
        let mixed = |filler: u8| {
            let mut block = [filler; 64];
            block.iter_mut().zip(last).for_each(|(byte, hash)| *byte ^= hash);
            Sha1::digest(block)
        };
        let mut key = [mixed(0x36).as_slice(), mixed(0x5c).as_slice()].concat();
        key.truncate(self.key_bytes);
        key
    }
}

#[cfg(test)]
pub(super) fn fixture(password: &str, package: &[u8]) -> (Vec<u8>, Vec<u8>) {
    //! The two streams of a file that is encrypted so.
    let mut standard =
        Standard { key_bytes: 16, salt: *b"sixteen of salt!", verifier: *b"verify sixteen !", verifier_hash: [0; 32] };
    let key = standard.derived(password);
    standard.verifier_hash[..20].copy_from_slice(&Sha1::digest(standard.verifier));
    block::encrypting::each(&key, &mut standard.verifier);
    block::encrypting::each(&key, &mut standard.verifier_hash);
    let mut info = [3_u16.to_le_bytes(), 2_u16.to_le_bytes()].concat();
    let numbers = [0x24_u32, 34, 0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0];
    info.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    info.extend([0; 2]);
    info.extend(16_u32.to_le_bytes());
    info.extend(standard.salt);
    info.extend(standard.verifier);
    info.extend(20_u32.to_le_bytes());
    info.extend(standard.verifier_hash);
    let mut encrypted = package.to_vec();
    encrypted.resize(package.len().next_multiple_of(16), 0);
    block::encrypting::each(&key, &mut encrypted);
    (info, [(package.len() as u64).to_le_bytes().as_slice(), &encrypted].concat())
}
