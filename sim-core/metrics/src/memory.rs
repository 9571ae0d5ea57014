//! Where the memory of threads lies, and how often pages follow threads and threads follow memory.

use super::{Metric, Totals, real};
use sim_ground::info::MetricEntry;
use sim_machine::rate::RATE_BITS;

pub(super) const LOCAL: Metric = Metric {
    entry: MetricEntry {
        id: "localMemory",
        name: "local memory",
        unit: "share",
        summary: "Part of their memory that lay on the node where the workload's threads ran, over their CPU time. Threads without data count as having all of it.",
        better: "higher",
    },
    value: |t: &Totals<'_>| {
        let ran = t.sum(|a| a.run_ns);
        let remote = real(t.tasks.iter().map(|a| a.remote_ns >> RATE_BITS).sum());
        if ran > 0.0 {
            1.0 - (remote / ran).min(1.0)
        } else {
            f64::NAN
        }
    },
};

pub(super) const PAGES_MOVED: Metric = Metric {
    entry: MetricEntry {
        id: "pagesMoved",
        name: "pages moved",
        unit: "count",
        summary: "Pages of 4 KiB of the workload's memory that were moved to another node.",
        better: "none",
    },
    value: |t| t.sum(|a| a.pages_moved),
};

pub(super) const HINTING_FAULTS: Metric = Metric {
    entry: MetricEntry {
        id: "hintingFaults",
        name: "hinting faults",
        unit: "count",
        summary: "Times that a thread of the workload touched memory that the kernel had marked, to learn where it is used.",
        better: "none",
    },
    value: |t| t.sum(|a| a.hinting_faults),
};

pub(super) const TO_MEMORY: Metric = Metric {
    entry: MetricEntry {
        id: "numaMigrations",
        name: "NUMA migrations",
        unit: "count",
        summary: "Times that a thread of the workload went to another node because of its memory, or changed places with one.",
        better: "none",
    },
    value: |t| t.sum(|a| a.to_memory),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{account, of};
    use sim_trace::accounts::TaskAccount;

    #[test]
    fn memory_is_local_to_the_part_of_the_time_in_which_it_is_here() {
        let half = TaskAccount {
            run_ns: 1_000,
            remote_ns: 500 << RATE_BITS,
            ..account(1)
        };
        let seen = of(&[half], &[], LOCAL);
        assert!((seen - 0.5).abs() < 1e-9, "{seen}");
    }
}
