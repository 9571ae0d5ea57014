//! The end of a snapshot, for tests that change the bytes before it.

/// The bytes with the seal that the core puts at the end of a snapshot (FNV-1a over words).
pub(crate) fn seal(data: &[u8]) -> Vec<u8> {
    fn word(hash: u64, word: u64) -> u64 {
        let h = (hash ^ word).wrapping_mul(0x0100_0000_01b3);
        h ^ (h >> 29)
    }
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for chunk in data.chunks(8) {
        let mut padded = [0_u8; 8];
        padded[..chunk.len()].copy_from_slice(chunk);
        hash = word(hash, u64::from_le_bytes(padded));
    }
    hash = word(hash, data.len() as u64);
    [data, &hash.to_le_bytes()].concat()
}
