//! The parts that the fair schedulers of Linux share in all releases: CFS and EEVDF are built on them.
//!
//! | room | holds |
//! |---|---|
//! | `weight` | weights of nice values, and products of time and weight |
//! | `pelt` | the geometric series of load tracking |
//! | `clock` | the clocks of queues: takes the ticks that were left out, between the hooks and the rules |
//! | `ticks` | ticks in a row that change nothing but averages |
//! | `tree` | the red-black trees of waiting entities |
//! | `lists` | the list of a CPU's fair tasks, which balancers scan |
//! | `wakees` | how many other tasks a task wakes |
//! | `applications` | which tasks form a group |
//! | `cgroups` | control groups: weights, and limits of CPU time |
//! | `groups` | where the queues of groups are, and the load below them |
//! | `rt` | real-time tasks, which come before fair ones |
//! | `reserve` | what is kept for fair tasks where real-time tasks would take all |
//! | `tunables` | tunables and features that all releases have |
//! | `shown` | what the page shows of all of them |
//! | `reasons` | why shared code decides, by the code that its scheduler has for it |
//! | `class`, `tables` | what these parts need of a scheduler, and of its state |
//! | `lending` | what the holder of a lock borrows from those that wait for it |
//! | `beside` | what is kept beside the state of a scheduler |
//! | `hooks` | hooks that do the same in all releases |
//! | `stopper` | moves of tasks that cannot move while they run |
//! | `balance` | what balancing means in all releases |
//! | `machine` | load tracking, choice of CPUs and balancing since 6.1: all that does not ask how one queue is ordered |
//! | `numa` | memory that follows its thread |
//!
//! Virtual time and who runs next are not here: each scheduler has its own rules. CFS 2.6.34 and 4.9 also have averages,
//! balancing and choices of CPUs of their own: these are other mechanisms than those of `machine`. One rule for both would
//! ask for the release in each line.

pub(crate) mod applications;
pub(crate) mod balance;
#[cfg(test)]
pub(crate) mod bench;
pub(crate) mod beside;
pub(crate) mod cgroups;
pub(crate) mod class;
pub(crate) mod clock;
pub(crate) mod groups;
pub(crate) mod hooks;
pub(crate) mod lending;
pub(crate) mod lists;
pub(crate) mod machine;
pub mod numa;
pub(crate) mod pelt;
pub(crate) mod reasons {
    //! The reasons of decisions that shared code makes; the file has a row for each.

    sim_contract::reasons!("linux");
}
pub(crate) mod reserve;
pub(crate) mod rt;
pub(crate) mod shown;
pub(crate) mod stopper;
pub(crate) mod tables;
pub(crate) mod ticks;
pub(crate) mod tree;
pub(crate) mod tunables;
pub(crate) mod wakees;
pub(crate) mod weight;

/// A value as a signed number, for differences and operands; the largest one if it does not fit.
#[inline]
pub(crate) fn signed(x: u64) -> i64 {
    i64::try_from(x).unwrap_or(i64::MAX)
}
