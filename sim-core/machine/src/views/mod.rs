//! What an operating system made of a machine: views of [`super::Machine`], as each system built them.

pub mod freebsd;
pub mod linux;
