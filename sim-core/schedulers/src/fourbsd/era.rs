//! The eras of 4BSD: constants as data, and named strategies for the few steps that differ.

use crate::freebsd::clocks::{Drive, STATHZ_ONESHOT, stathz_lapic};
use crate::freebsd::ranges::{PRI_MAX_TIMESHARE, Ranges};
use crate::freebsd::sleep::SleepRule;

/// How the quantum is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantum {
    /// In ticks of hz since the last switch on the CPU, whichever thread ran (until 2012).
    SinceSwitch,
    /// In ticks of the statistics clock that the thread has left (from August 2012 on).
    OfThread,
}

/// Which thread goes to the head of its list when it leaves its CPU and still wants to run (`sched_switch`). All others
/// go to the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PutBack {
    /// A thread that was preempted in the kernel (`SW_PREEMPT`).
    Preempted,
    /// A thread whose slice has not ended, also after `sched_yield`.
    SliceLeft,
    /// A thread that was preempted in the kernel and whose slice has not ended.
    PreemptedWithSliceLeft,
}

/// The estcpu of the first thread of a forked process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ForkEstcpu {
    /// Zero: `fork1` clears the thread after `sched_fork` has copied the parent's estcpu.
    Cleared,
    /// The parent's.
    Copied,
}

/// The properties of an era.
#[derive(Debug)]
pub(super) struct Era {
    pub(super) ranges: Ranges,
    /// Priorities per list (`RQ_PPQ`).
    pub(super) per_list: u8,
    /// Priority steps that estcpu can reach (the factor of `ESTCPULIM`), before the last partial one.
    pub(super) estcpu_steps: u32,
    pub(super) stathz: fn(u32) -> u32,
    /// What drives the clocks.
    pub(super) drive: Drive,
    pub(super) quantum: Quantum,
    pub(super) put_back: PutBack,
    pub(super) fork: ForkEstcpu,
    /// Whether the CPU of a thread that never ran reads as 0 (cleared), not as none.
    pub(super) new_on_cpu_0: bool,
    /// Whether every class takes the sleep priority; otherwise only time sharing does.
    pub(super) any_class_sleeps_better: bool,
    /// Whether `runq_fuzz` also applies to the CPU's own queue.
    pub(super) fuzz_own_queue: bool,
    /// Whether an interrupt thread that uses a whole quantum gets a priority worse by one list until its next wake-up.
    pub(super) worsen_interrupt_threads: bool,
    /// How often an idle CPU reads the queues per tick of hz (its clock interrupts).
    pub(super) idle_looks: u32,
    /// Whether memory comes from one node until that is full, then from the next.
    pub(super) fills_nodes: bool,
    /// When timed sleeps end.
    pub(super) sleep: SleepRule,
    /// Whether callouts run in the clock's interrupt thread, which preempts, or in the interrupt itself.
    pub(super) softclock_thread: bool,
}

impl Era {
    /// Lists of a queue (`RQ_NQS`).
    pub(super) const fn lists(&self) -> usize {
        256 / self.per_list as usize
    }

    /// The list of a priority.
    pub(super) const fn list(&self, priority: u8) -> usize {
        (priority / self.per_list) as usize
    }
}

/// `ESTCPULIM` in the eras with four priorities per list: 40 nice values less one list.
const STEPS_64: u32 = 36;
/// `ESTCPULIM` with one priority per list: 40, and the whole range of time sharing.
const STEPS_256: u32 = 40 + (PRI_MAX_TIMESHARE - Ranges::V16.min_timeshare) as u32;

const fn oneshot(_: u32) -> u32 {
    STATHZ_ONESHOT
}

/// `sched_4bsd.c` @ 7.3, taken as of 1 October 2007.
pub(super) const A: Era = Era {
    ranges: Ranges::V7,
    per_list: 4,
    estcpu_steps: STEPS_64,
    stathz: stathz_lapic,
    drive: Drive::Lapic,
    quantum: Quantum::SinceSwitch,
    put_back: PutBack::Preempted,
    fork: ForkEstcpu::Cleared,
    new_on_cpu_0: true,
    any_class_sleeps_better: true,
    fuzz_own_queue: true,
    worsen_interrupt_threads: false,
    idle_looks: 2,
    fills_nodes: true,
    sleep: SleepRule::V7,
    softclock_thread: true,
};

/// `sched_4bsd.c` @ 8.0.
pub(super) const A_PLUS: Era = Era {
    fuzz_own_queue: false,
    sleep: SleepRule::V8,
    ..A
};

/// r227746 (November 2011), bracketed by the texts before and after it.
pub(super) const B1: Era = Era {
    ranges: Ranges::V9,
    stathz: oneshot,
    drive: Drive::EventTimers,
    any_class_sleeps_better: false,
    idle_looks: 1,
    sleep: SleepRule::V9,
    ..A_PLUS
};

/// r251496 (June 2013), `sched_4bsd.c` @ 9.3.
pub(super) const B2: Era = Era {
    quantum: Quantum::OfThread,
    put_back: PutBack::SliceLeft,
    fork: ForkEstcpu::Copied,
    ..B1
};

/// `sched_4bsd.c` @ 10.4.
pub(super) const B3: Era = Era {
    put_back: PutBack::PreemptedWithSliceLeft,
    new_on_cpu_0: false,
    sleep: SleepRule::V10,
    softclock_thread: false,
    ..B2
};

/// `sched_4bsd.c` @ 15-CURRENT, mid-2022 to mid-2025.
pub(super) const C0: Era = Era {
    ranges: Ranges::V15,
    worsen_interrupt_threads: true,
    fills_nodes: false,
    ..B3
};

/// `sched_4bsd.c` @ 16-CURRENT, early 2026: one priority to a list.
pub(super) const C: Era = Era {
    ranges: Ranges::V16,
    per_list: 1,
    estcpu_steps: STEPS_256,
    ..C0
};

/// The era of an id of the registry.
pub(super) fn find(id: &str) -> &'static Era {
    match id {
        "2007-10" => &A,
        "2010" => &A_PLUS,
        "2011-11" => &B1,
        "2013-06" => &B2,
        "2017" => &B3,
        "15" => &C0,
        "16" => &C,
        other => panic!("invariant: {other} is no era of 4BSD"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_has_64_lists_or_256() {
        assert_eq!(
            (A.lists(), B3.lists(), C0.lists(), C.lists()),
            (64, 64, 64, 256)
        );
        assert_eq!((B2.list(143), B2.list(144)), (35, 36));
        assert_eq!((C.list(143), C.list(144)), (143, 144));
    }

    #[test]
    fn the_statistics_clock_of_1000_hz_has_133_ticks_and_127_since_2011() {
        assert_eq!(((A.stathz)(1_000), (B1.stathz)(1_000)), (133, 127));
    }
}
