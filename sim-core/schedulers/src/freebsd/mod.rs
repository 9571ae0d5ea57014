//! What the schedulers of FreeBSD share: run queues, clocks, ranges of priorities.
//!
//! Lower numbers are better priorities, as in the kernel: 0 to 255 in five ranges ([`ranges`]). Threads wait in lists
//! by priority, with a bitmap of the lists that are not empty ([`runq`]). Two clocks drive everything: `ticks`, counted
//! up hz times a second, and the statistics clock ([`clocks`]). Timed sleeps end by the first of the two ([`sleep`]).

pub mod clocks;
pub(crate) mod lending;
pub mod ranges;
pub mod runq;
pub mod sleep;
