//! Plain data as bytes, for snapshots and digests, in the format of postcard.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of a state.
///
/// # Panics
/// Never: plain data is serialisable.
pub fn save_state<T: Serialize>(state: &T) -> Vec<u8> {
    postcard::to_stdvec(state).expect("invariant: plain data is serialisable")
}

/// The state that the bytes hold, if they are valid. Bytes after it are ignored.
#[must_use]
pub fn load_state<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// The state at the beginning of the bytes, and the bytes after it, if they are valid.
#[must_use]
pub fn take_state<T: DeserializeOwned>(bytes: &[u8]) -> Option<(T, &[u8])> {
    postcard::take_from_bytes(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Snapshots are kept in files, so another release of the library must write the same.
    #[test]
    fn the_format_stays() {
        let state = (300_u64, -2_i16, Some(true), "ab", [1_u8, 2]);
        let bytes = [0xac, 0x02, 0x03, 0x01, 0x01, 0x02, b'a', b'b', 1, 2];
        assert_eq!(save_state(&state), bytes);
    }

    #[test]
    fn bytes_after_a_state_are_handed_back() {
        let mut bytes = save_state(&vec![(1_u64, true), (1_000, false)]);
        let n = bytes.len();
        bytes.extend([7, 8, 9]);
        let (state, rest) = take_state::<Vec<(u64, bool)>>(&bytes).expect("a state");
        assert_eq!(state, [(1, true), (1_000, false)]);
        assert_eq!(rest, [7, 8, 9]);
        for end in 0..n {
            assert_eq!(
                load_state::<Vec<(u64, bool)>>(&bytes[..end]),
                None,
                "cut at {end}"
            );
        }
    }
}
