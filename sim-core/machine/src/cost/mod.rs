//! The cost model: how fast a thread progresses, depending on its CPU, its siblings and its data.
//!
//! The unit of work is one iteration of the thread's class. Its time is `max(a, m) + (1 − o) × min(a, m)`. Here `a` is
//! computing, `m` is waiting for lines from caches and memory, and `o` is the part of the shorter one that is hidden
//! behind the longer.
//!
//! | file | question |
//! |---|---|
//! | [`hit`] | which share of a sweep does a cache of a given size serve? |
//! | [`split`] | how much of a cache does each of its users get? |
//! | [`mix`] | what does an iteration wait for? |
//! | [`time`] | how long does it take, and what are the causes? |
//! | [`saturation`] | by how much does waiting stretch if all threads together want more than memory delivers? |
//! | [`pages`] | what do pages that follow their thread cost? |
//!
//! Integers only: times of an iteration in fs, shares in units of 2^-20.

pub mod hit;
pub mod mix;
pub mod pages;
pub mod saturation;
pub mod split;
pub mod time;

sim_ground::constants! {
    /// Bytes of a cache line: costs are given for 64 bytes, even if a cache has other lines.
    pub LINE: u64 = 64, "bytes", Published,
        "The line of all x86 presets and of the Cortex-A72. Lines of the M1 have 128 bytes, those of the V890 have sub-blocks of 64.";
}
