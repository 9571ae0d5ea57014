//! The releases and their tunables. Rules differ only by switches, which are among the tunables.

use sim_contract::EraInfo;
use sim_contract::cgroup::CgroupSupport::{self, Limits, Weights};

/// What the releases make of control groups. The limits of 7.3, which throttles tasks, are not here.
pub(super) const CGROUPS: &[(&str, CgroupSupport)] = &[
    ("6.6", Limits),
    ("6.12", Limits),
    ("6.18", Limits),
    ("7.2", Limits),
    ("7.3", Weights),
];

/// The releases whose threads may ask for slices (`sched_setattr`).
pub(super) const SLICES: &[&str] = &["6.12", "6.18", "7.2", "7.3"];

/// The releases; the first is the default.
pub(super) const ERAS: &[EraInfo] = &[
    EraInfo {
        id: "6.12",
        name: "Linux 6.12",
        summary: "Sleepers that are ahead stay until they are served; slices of threads; short slices preempt. Debian 13 ships it.",
        year: 2024,
        tunables: super::specs::V6_12,
    },
    EraInfo {
        id: "6.18",
        name: "Linux 6.18",
        summary: "Protection lasts for the shortest slice of the queue; then each tick picks again. New threads wait. A long-term release.",
        year: 2025,
        tunables: super::specs::V6_18,
    },
    EraInfo {
        id: "7.2",
        name: "Linux 7.2",
        summary: "A timer ends a turn at its request, not the next tick. Debian backports ship it.",
        year: 2026,
        tunables: super::specs::V7_2,
    },
    EraInfo {
        id: "7.3",
        name: "Linux 7.3",
        summary: "One queue for all threads of a CPU, whatever their groups. A shorter slice preempts at once. Debian backports ship it.",
        year: 2026,
        tunables: super::specs::V7_3,
    },
    EraInfo {
        id: "6.6",
        name: "Linux 6.6",
        summary: "The first release: a thread that sleeps leaves its queue at once, and all have one slice.",
        year: 2023,
        tunables: super::specs::V6_6,
    },
];
