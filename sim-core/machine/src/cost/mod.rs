//! The cost model: how fast a thread progresses, from where it runs, beside whom, on which data.
//!
//! Unit of work is one iteration of the thread's class. Its time is `max(a, m) + (1 − o) × min(a, m)`: `a` computes,
//! `m` waits for lines from caches and memory, `o` is how much of the shorter hides behind the longer.
//!
//! | file | question |
//! |---|---|
//! | [`hit`] | which share of a sweep does a cache of a given size serve? |
//! | [`split`] | how much of a cache does each of its users get? |
//! | [`mix`] | what does an iteration wait for? |
//! | [`time`] | how long does it take, and for which causes? |
//! | [`saturation`] | by how much do all stretch if together they want more than memory delivers? |
//! | [`pages`] | what do pages cost that follow their thread? |
//!
//! Integers only: times of an iteration in fs, shares in units of 2^-20.

pub mod hit;
pub mod mix;
pub mod pages;
pub mod saturation;
pub mod split;
pub mod time;

sim_ground::constants! {
    /// Bytes of a line: costs are given for 64 bytes, whatever a cache's own line is.
    pub LINE: u64 = 64, "bytes", Published,
        "The line of all x86 presets and of the Cortex-A72. Lines of the M1 have 128 bytes, those of the V890 have sub-blocks of 64.";
}
