//! Where a thread's CPU time goes: the shares of all causes, and the rate of useful work.
//!
//! Between two events every running thread progresses at a constant rate; rates are computed only at events. A rate is
//! the work done per ns of CPU time, in units of 2^-20. `ONE` is the speed of the thread alone on its core, with its
//! data in the first-level cache, at nominal clock. The loss is split by cause, and the shares of all causes add up to
//! exactly `ONE`, so no time is unaccounted for.
//!
//! [`cost`](super::cost) computes the rates. Switches, refilled footprints and waits for scheduler locks are debts that
//! the engine pays before work goes on.

use serde::{Deserialize, Serialize};
use sim_ground::info::CauseEntry;

/// Fractional bits of a rate.
pub const RATE_BITS: u32 = 20;
/// Full speed; also the sum of all shares.
pub const ONE: u64 = 1 << RATE_BITS;

/// The causes that take a thread's CPU time. The order is that of columns, snapshots and stacked bars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Useful work at nominal speed.
    Compute,
    /// Waiting for the second-level cache.
    L2,
    /// Waiting for outer caches.
    L3,
    /// Waiting for memory.
    Memory,
    /// Additional waiting because the memory belongs to another node.
    Remote,
    /// Additional waiting because the memory bandwidth is used up.
    Saturation,
    /// Filling a cache that does not hold the data any more.
    WarmUp,
    /// The sibling context was busy.
    Sibling,
    /// The core ran below its nominal clock, or is a slow core.
    Frequency,
    /// Waiting for a scheduler lock.
    LockWait,
    /// Timer interrupts.
    Tick,
    /// Switching to the thread, and yields.
    Switch,
    /// Faults on marked pages, moving and marking pages.
    Pages,
}

/// Number of causes.
pub const CAUSES: usize = 13;

/// Names of the causes, in the order of [`Cause`].
pub const CAUSE_ENTRIES: [CauseEntry; CAUSES] = [
    CauseEntry {
        id: "compute",
        name: "useful work",
        summary: "Time in which the thread progresses as if it were alone on its core with all its data at hand.",
    },
    CauseEntry {
        id: "l2",
        name: "second-level cache",
        summary: "Time lost waiting for data from the second-level cache.",
    },
    CauseEntry {
        id: "l3",
        name: "shared cache",
        summary: "Time lost waiting for data from the outer cache that cores share.",
    },
    CauseEntry {
        id: "memory",
        name: "memory",
        summary: "Time lost waiting for data from memory: no cache holds the whole working set.",
    },
    CauseEntry {
        id: "remote",
        name: "remote memory",
        summary: "Time lost because the data lie in the memory of another node.",
    },
    CauseEntry {
        id: "saturation",
        name: "memory bandwidth",
        summary: "Time lost because all threads together want more from memory than it can deliver.",
    },
    CauseEntry {
        id: "warmUp",
        name: "warm-up",
        summary: "Time lost filling a cache with data that others pushed out, or that stayed behind on another core.",
    },
    CauseEntry {
        id: "sibling",
        name: "busy sibling",
        summary: "Time lost because the other context of the core was running a thread too.",
    },
    CauseEntry {
        id: "frequency",
        name: "frequency",
        summary: "Time lost because the core ran below its nominal clock (heat), or is a slow one.",
    },
    CauseEntry {
        id: "lockWait",
        name: "scheduler lock",
        summary: "Time lost waiting for a lock of the scheduler that another CPU held, and fetching it from there.",
    },
    CauseEntry {
        id: "tick",
        name: "timer ticks",
        summary: "Time spent in timer interrupts.",
    },
    CauseEntry {
        id: "switch",
        name: "switching",
        summary: "Time spent in the scheduler switching to the thread, or yielding.",
    },
    CauseEntry {
        id: "pages",
        name: "moving pages",
        summary: "Time for faults that tell the kernel where memory is used, for moving pages after the thread and marking them.",
    },
];

/// The properties of a kind of work on a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkClass {
    /// Throughput of two siblings of this class relative to one alone, in thousandths (`s2`).
    pub smt_pair_milli: u16,
    /// How much of a core's shared units it occupies, in thousandths (`g`: 1000 is compute bound). A thread that waits
    /// for data more than it computes counts 500.
    pub pressure_milli: u16,
    /// What it does with its working set.
    pub data: DataUse,
}

/// What a thread does with its working set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DataUse {
    /// Touches it after each dispatch, then works in the first-level cache: a switch costs the refill.
    Footprint,
    /// `loop`: sweeps it from end to end, 8 bytes in each iteration, and writes all of it back.
    Sweep,
    /// `chase`: reads one 64-byte line after the other at random.
    Chase,
}

/// How a running thread's CPU time is divided at present; the shares add up to [`ONE`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// Share of each cause, indexed by [`Cause`].
    pub share: [u64; CAUSES],
    /// Work per ns in units of 2^-20. It is the share of `Compute`, or more above the nominal clock.
    pub rate: u64,
}

impl Speed {
    /// Work per ns in units of 2^-20.
    #[must_use]
    pub fn rate(&self) -> u64 {
        self.rate
    }

    /// Whether the cost model can have produced it, or it is empty.
    pub fn is_whole(&self) -> bool {
        let sum = self.share.iter().try_fold(0_u64, |n, s| n.checked_add(*s));
        let compute = self.share[Cause::Compute as usize];
        match sum {
            Some(ONE) => (compute..=8 * ONE).contains(&self.rate),
            Some(0) => self.rate == 0,
            _ => false,
        }
    }
}
