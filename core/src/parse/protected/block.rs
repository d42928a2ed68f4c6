//! AES over many blocks: each for itself, or each mixed with the one before it (CBC).

use aes::{
    Aes128, Aes192, Aes256,
    cipher::{Block, BlockDecrypt, KeyInit},
};

const BLOCK_BYTES: usize = 16;

/// AES with a key of any of its lengths.
enum Aes {
    Short(Aes128),
    Middle(Aes192),
    Long(Aes256),
}

impl Aes {
    fn new(key: &[u8]) -> Option<Self> {
        match key.len() {
            16 => Aes128::new_from_slice(key).ok().map(Self::Short),
            24 => Aes192::new_from_slice(key).ok().map(Self::Middle),
            32 => Aes256::new_from_slice(key).ok().map(Self::Long),
            _ => None,
        }
    }

    fn decrypt(&self, block: &mut [u8]) {
        let block = Block::<Aes128>::from_mut_slice(block);
        match self {
            Self::Short(aes) => aes.decrypt_block(block),
            Self::Middle(aes) => aes.decrypt_block(block),
            Self::Long(aes) => aes.decrypt_block(block),
        }
    }
}

/// Decrypts every whole block for itself (ECB). `None` where the key has no length that AES knows.
pub(super) fn decrypt_each(key: &[u8], data: &mut [u8]) -> Option<()> {
    let aes = Aes::new(key)?;
    data.chunks_exact_mut(BLOCK_BYTES).for_each(|block| aes.decrypt(block));
    Some(())
}

/// Decrypts every whole block and takes the one before it out (CBC). `None` as above, or where `first` is no block.
pub(super) fn decrypt_chained(key: &[u8], first: &[u8], data: &mut [u8]) -> Option<()> {
    let aes = Aes::new(key)?;
    let mut before: [u8; BLOCK_BYTES] = first.try_into().ok()?;
    for block in data.chunks_exact_mut(BLOCK_BYTES) {
        let mut encrypted = [0; BLOCK_BYTES];
        encrypted.copy_from_slice(block);
        aes.decrypt(block);
        block.iter_mut().zip(before).for_each(|(byte, before)| *byte ^= before);
        before = encrypted;
    }
    Some(())
}

#[cfg(test)]
pub(super) mod encrypting {
    //! The way back, for tests.

    use super::BLOCK_BYTES;
    use aes::{
        Aes128, Aes256,
        cipher::{Block, BlockEncrypt, KeyInit},
    };

    fn block(key: &[u8], block: &mut [u8]) {
        let block = Block::<Aes128>::from_mut_slice(block);
        match key.len() {
            16 => Aes128::new_from_slice(key).expect("a key").encrypt_block(block),
            _ => Aes256::new_from_slice(key).expect("a key").encrypt_block(block),
        }
    }

    pub(in super::super) fn each(key: &[u8], data: &mut [u8]) {
        data.chunks_exact_mut(BLOCK_BYTES).for_each(|part| block(key, part));
    }
}
