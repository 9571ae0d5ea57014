//! Compressed snapshots: most of a snapshot repeats an earlier part of it (empty lists, above all).

use lz4_flex::block::{compress, decompress_into};

/// A snapshot, compressed to about a third of its size.
pub(super) struct Packed {
    /// Size of the snapshot in bytes, uncompressed.
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

    /// Size in bytes, compressed.
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// The snapshot.
    pub(super) fn open(&self) -> Vec<u8> {
        let mut snapshot = vec![0; self.size];
        // The bytes were compressed here. If some were missing, the seal would show it.
        let _ = decompress_into(&self.bytes, &mut snapshot);
        snapshot
    }
}
