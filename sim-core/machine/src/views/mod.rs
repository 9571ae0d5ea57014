//! Views of [`super::Machine`]: the topology as each operating system built it.

pub mod freebsd;
pub mod linux;
