//! The eras as data: constants, and a strategy where a step differs.
//!
//! | id | stands for | rests on |
//! |---|---|---|
//! | `2007-10` | CURRENT of October 2007 | the file of those weeks |
//! | `2011-11` | 10-CURRENT r227746 | 8.0, with the priorities of January 2011 |
//! | `2013-06` | 10-CURRENT r251496 | a file of 2013 |
//! | `11.1` | 11.1, July 2017 | 10.4 and 12-CURRENT of early 2018, which agree |
//! | `11.1-linux` | 11.1 moved into Linux 4.9 for a comparison | as 11.1; its clock is inferred |
//! | `15-2024` | CURRENT before the 256 queues | the file of late 2024 |
//! | `16-2025` | CURRENT with the 256 queues | the reviews' text; choice of CPUs and balancing as before, inferred |

use crate::freebsd::clocks::Drive;
use crate::freebsd::ranges::Ranges;
use crate::freebsd::sleep::SleepRule;
use sim_machine::views::freebsd::Builder;

/// How a score becomes an interactive priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreMap {
    /// `⌊span / interact⌋` levels for each point of score, with the span of the array's era.
    PerPoint(u32),
    /// `⌊span × score / interact⌋`.
    Scaled(u32),
}

/// How CPU use becomes levels of batch priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuPart {
    /// `⌊ticks / ⌈total / length⌉⌉`, at most the given cap.
    Divided {
        /// Levels that it spans.
        length: u32,
        /// Largest value.
        cap: u32,
    },
    /// `round(length × share)`.
    Rounded {
        /// Levels that it spans.
        length: u32,
    },
}

/// How nice becomes levels of batch priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NicePart {
    /// One level for each step, from -20 on: the base lies in the middle.
    One,
    /// `⌊5 (nice + 20) / 4⌋`.
    FiveQuarters,
}

/// How fast the calendar turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalendarPace {
    /// One slot for each tick of the statistics clock, however many ticks a call stands for.
    OneSlot,
    /// Seven slots in four ticks: 2, 2, 2, 1.
    SevenQuarters,
}

/// How the length of a slice is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceRule {
    /// Down from a fixed length, only for time sharing; refilled when the thread is inserted (2007).
    DownTimeshare,
    /// Down from a fixed length; refilled at the end (8.0, 9.x).
    Down,
    /// Up to a length that depends on the present load.
    Up,
}

/// When a thread that must leave its CPU goes first into the calendar's next slot, not to its own place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requeue {
    /// If the switch is a preemption.
    Preempted,
    /// If its slice has not ended, whatever the switch.
    SliceLeft,
    /// If the switch is a preemption and its slice has not ended.
    PreemptedWithSliceLeft,
}

/// How CPU use is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindowRule {
    /// At each tick of hz, and stretched to ten seconds when it is read.
    PerTick,
    /// By elapsed ticks, cut to ten seconds.
    Elapsed,
}

/// How CPUs are chosen and searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// The idle mask, then the worst running priority (2007).
    IdleMask,
    /// Lowest index wins ties (8.0).
    FirstLowest,
    /// Random ties, the last CPU preferred (2013 to 2017).
    RandomTies,
    /// Random ties; threads of a core rotate, interrupts stay near (2024).
    Rotating,
}

/// What the long-term balancer moves in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceRule {
    /// Half of the difference between the most and least loaded groups, driven by callouts (2007).
    HalfOfOnePair,
    /// Half of the difference of one pair in each group of the tree (8.0).
    HalfOfEachGroup,
    /// One thread from each CPU that has more threads than another.
    OneEach,
    /// The same, and a lone thread is told to choose a CPU again.
    OneEachAndLone,
}

/// Which threads of the calendar the stealing CPU considers. The queues by priority are searched as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StealScan {
    /// The first thread met in the calendar stays on its own CPU, even if nothing else is there (8.0).
    SkipFirst,
    /// If no other qualifies, the last thread met is taken, if it may leave (9.3 to 11.1).
    LastMet,
    /// If no other qualifies, the first thread met is taken, if it may leave. The scan reads every slot, not only the
    /// first that it finds in a word (2018 on).
    AllSlots,
}

/// When an idle CPU searches the queues of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdleRule {
    /// At each tick of hz.
    EachTick,
    /// Twice a second, if its counts of switches changed; missed ticks are replayed one by one.
    ReplayEach,
    /// The same, but missed ticks are replayed in one call, and the switch path also steals.
    ReplayOnce,
}

/// Default of `steal_thresh`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StealThresh {
    /// That number.
    Fixed(i64),
    /// min(fls(CPUs) - 1, 3).
    Log,
}

/// An era.
#[derive(Debug)]
pub struct Era {
    /// Layout of priorities.
    pub ranges: Ranges,
    /// Best interactive priority.
    pub min_interact: u8,
    /// How the score maps to priorities from there.
    pub score: ScoreMap,
    /// Whether nice is part of the score.
    pub nice_in_score: bool,
    /// Best batch priority: the calendar begins here.
    pub min_batch: u8,
    /// Batch priority without CPU use at nice 0; where nice counts up from -20, at nice -20.
    pub cpu_base: u8,
    /// CPU use in levels.
    pub cpu_part: CpuPart,
    /// Nice in levels.
    pub nice_part: NicePart,
    /// Slots of the calendar.
    pub slots: u8,
    /// Whether there is one array of 256 queues instead of three of 64.
    pub one_array: bool,
    /// How fast the calendar turns.
    pub turn: CalendarPace,
    /// Worst priority that preemption treats as interactive.
    pub max_interact: u8,
    /// How the length of a slice is counted.
    pub slice: SliceRule,
    /// Where a thread that must leave its CPU waits.
    pub requeue: Requeue,
    /// How CPU use is counted.
    pub window: WindowRule,
    /// How CPUs are chosen.
    pub search: Search,
    /// What the long-term balancer moves.
    pub balance: BalanceRule,
    /// Which threads a stealing CPU considers.
    pub steal: StealScan,
    /// The default of `steal_thresh`.
    pub steal_thresh: StealThresh,
    /// When idle CPUs search for threads.
    pub idle: IdleRule,
    /// How the kernel finds its topology.
    pub builder: Builder,
    /// What drives the clocks.
    pub drive: Drive,
    /// When timed sleeps end.
    pub sleep: SleepRule,
    /// Whether `sched_yield` demotes to the worst priority of time sharing.
    pub yield_demotes: bool,
    /// Whether the caller gives the priority of a sleep; later eras use the static boost.
    pub callers_sleep_priority: bool,
    /// Whether `user_pri` is computed at every tick and insertion. In 2007 it is computed when the slice ends, at
    /// insertion and at removal.
    pub priority_each_tick: bool,
    /// Whether memory comes from one node until that is full, then from the next.
    pub fills_nodes: bool,
}

/// CURRENT of October 2007.
pub const E07: Era = Era {
    ranges: Ranges::V7,
    min_interact: 128,
    score: ScoreMap::PerPoint(31),
    nice_in_score: false,
    min_batch: 160,
    cpu_base: 180,
    cpu_part: CpuPart::Divided {
        length: 23,
        cap: u32::MAX,
    },
    nice_part: NicePart::One,
    slots: 64,
    one_array: false,
    turn: CalendarPace::OneSlot,
    max_interact: 159,
    slice: SliceRule::DownTimeshare,
    requeue: Requeue::Preempted,
    window: WindowRule::PerTick,
    search: Search::IdleMask,
    balance: BalanceRule::HalfOfOnePair,
    steal: StealScan::SkipFirst,
    steal_thresh: StealThresh::Fixed(2),
    idle: IdleRule::EachTick,
    builder: Builder::Threads,
    drive: Drive::Lapic,
    sleep: SleepRule::V7,
    yield_demotes: true,
    callers_sleep_priority: true,
    priority_each_tick: false,
    fills_nodes: true,
};

/// r227746, November 2011.
pub const E11: Era = Era {
    ranges: Ranges::V9,
    min_interact: 120,
    score: ScoreMap::PerPoint(32),
    nice_in_score: true,
    min_batch: 152,
    cpu_base: 172,
    cpu_part: CpuPart::Divided {
        length: 32,
        cap: u32::MAX,
    },
    max_interact: 151,
    slice: SliceRule::Down,
    search: Search::FirstLowest,
    balance: BalanceRule::HalfOfEachGroup,
    steal_thresh: StealThresh::Log,
    builder: Builder::Counts,
    drive: Drive::EventTimers,
    sleep: SleepRule::V9,
    yield_demotes: false,
    callers_sleep_priority: false,
    priority_each_tick: true,
    ..E07
};

/// r251496, June 2013.
pub const E13: Era = Era {
    cpu_part: CpuPart::Divided {
        length: 32,
        cap: 32,
    },
    slice: SliceRule::Up,
    requeue: Requeue::SliceLeft,
    window: WindowRule::Elapsed,
    search: Search::RandomTies,
    balance: BalanceRule::OneEach,
    steal: StealScan::LastMet,
    steal_thresh: StealThresh::Fixed(2),
    idle: IdleRule::ReplayEach,
    ..E11
};

/// 11.1, July 2017.
pub const E17: Era = Era {
    cpu_part: CpuPart::Divided {
        length: 32,
        cap: 31,
    },
    requeue: Requeue::PreemptedWithSliceLeft,
    builder: Builder::Caches,
    sleep: SleepRule::V10,
    ..E13
};

/// 11.1 in Linux, with Linux's placement of memory.
pub const E17_LINUX: Era = Era {
    drive: Drive::Other,
    sleep: SleepRule::EXACT,
    fills_nodes: false,
    ..E17
};

/// CURRENT of late 2024.
pub const E24: Era = Era {
    ranges: Ranges::V15,
    min_interact: 88,
    score: ScoreMap::Scaled(48),
    min_batch: 136,
    cpu_base: 156,
    cpu_part: CpuPart::Divided {
        length: 48,
        cap: 47,
    },
    max_interact: 135,
    search: Search::Rotating,
    balance: BalanceRule::OneEachAndLone,
    steal: StealScan::AllSlots,
    idle: IdleRule::ReplayOnce,
    builder: Builder::CachesAndNodes,
    fills_nodes: false,
    ..E17
};

/// CURRENT with one array of 256 queues.
pub const E25: Era = Era {
    ranges: Ranges::V16,
    min_interact: 56,
    score: ScoreMap::Scaled(59),
    min_batch: 115,
    cpu_base: 115,
    cpu_part: CpuPart::Rounded { length: 58 },
    nice_part: NicePart::FiveQuarters,
    slots: 109,
    one_array: true,
    turn: CalendarPace::SevenQuarters,
    max_interact: 114,
    ..E24
};

/// The era of an id.
#[must_use]
pub fn find(id: &str) -> &'static Era {
    match id {
        "2007-10" => &E07,
        "2011-11" => &E11,
        "2013-06" => &E13,
        "11.1" => &E17,
        "11.1-linux" => &E17_LINUX,
        "15-2024" => &E24,
        _ => &E25,
    }
}
