//! States that are kept, packed: most of a snapshot says the same as a part before it (empty lists, above all).

use lz4_flex::block::{compress, decompress_into};

/// A snapshot in about a third of its room.
pub(super) struct Packed {
    /// Bytes of the snapshot.
    pub(super) size: usize,
    bytes: Vec<u8>,
}

impl Packed {
    pub(super) fn new(snapshot: &[u8]) -> Self {
        Self {
            size: snapshot.len(),
            bytes: compress(snapshot),
        }
    }

    /// Bytes that it takes.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The snapshot.
    pub(super) fn open(&self) -> Vec<u8> {
        let mut snapshot = vec![0; self.size];
        // It was packed here; if it were not whole, its seal would tell.
        let _ = decompress_into(&self.bytes, &mut snapshot);
        snapshot
    }
}
