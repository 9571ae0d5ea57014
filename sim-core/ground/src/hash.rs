//! FNV-1a over 64-bit words: the digest of runs. It is not cryptographic; it only detects differences.

/// The hash before the first word.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds a word.
///
/// FNV-1a mixes bytes. With whole words an extra shift is needed, so that high bits reach low ones.
#[must_use]
#[inline]
pub fn word(hash: u64, word: u64) -> u64 {
    let h = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
    h ^ (h >> 29)
}

/// Adds bytes.
#[must_use]
pub fn bytes(mut hash: u64, bytes: &[u8]) -> u64 {
    for chunk in bytes.chunks(8) {
        let mut padded = [0_u8; 8];
        padded[..chunk.len()].copy_from_slice(chunk);
        hash = word(hash, u64::from_le_bytes(padded));
    }
    word(hash, bytes.len() as u64)
}
