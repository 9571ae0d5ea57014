//! Tokens between processes: bytes in a pipe. A pipe wakes its reader with the hint that the writer is about to block.

use nix::libc::O_NONBLOCK;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::fs::OpenOptionsExt;

/// The end that gives tokens. It never waits: what a full pipe has no room for is lost.
pub(super) fn writer(place: &str) -> std::io::Result<File> {
    File::options()
        .write(true)
        .custom_flags(O_NONBLOCK)
        .open(place)
}

/// The channels of an actor.
pub(super) struct Channels(BTreeMap<u32, (File, File)>);

impl Channels {
    pub(super) fn open(places: &BTreeMap<u32, String>) -> Result<Self, String> {
        let mut opened = BTreeMap::new();
        for (number, place) in places {
            let ends = File::open(place).and_then(|reader| Ok((reader, writer(place)?)));
            let ends = ends.map_err(|e| format!("channel {number} cannot be opened: {e}"))?;
            opened.insert(*number, ends);
        }
        Ok(Self(opened))
    }

    pub(super) fn post(&mut self, number: u32) {
        if let Some((_, writer)) = self.0.get_mut(&number) {
            let _ = writer.write(&[1]);
        }
    }

    pub(super) fn take(&mut self, number: u32) {
        if let Some((reader, _)) = self.0.get_mut(&number) {
            let _ = reader.read(&mut [0]);
        }
    }
}
