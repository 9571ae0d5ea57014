//! The tables of the design, as data.

use serde::Deserialize;
use sim_run::ids::CpuId;
use sim_run::machine::{Machine, registry};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) const KIB: u64 = 1_024;
pub(super) const MIB: u64 = 1_024 * KIB;

fn read<T: for<'a> Deserialize<'a>>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/machine-model");
    let text = std::fs::read_to_string(path.join(name)).expect("readable");
    toml::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Speeds of equal threads on a machine.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpeedRow {
    pub(super) id: String,
    pub(super) alone_ns: f64,
    #[serde(default)]
    pub(super) cool: bool,
    kib_1: String,
    mib_4: String,
    mib_32: String,
}

/// The speed of a thread with remote memory.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoteRow {
    pub(super) id: String,
    pub(super) distance: u16,
    pub(super) speed: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Speeds {
    pub(super) machine: Vec<SpeedRow>,
    pub(super) remote: Vec<RemoteRow>,
}

pub(super) fn speeds() -> Speeds {
    read("speeds.toml")
}

impl SpeedRow {
    /// Working set, number of threads, speed.
    pub(super) fn points(&self) -> Vec<(u64, usize, f64)> {
        let columns = [
            (KIB, &self.kib_1),
            (4 * MIB, &self.mib_4),
            (32 * MIB, &self.mib_32),
        ];
        let mut points = Vec::new();
        for (set, text) in columns {
            for part in text.split(';') {
                let (counts, speed) = part.split_once(':').expect("n: speed");
                let speed: f64 = speed.trim().parse().expect("a speed");
                let counts = counts.split(',').map(|n| n.trim().parse().expect("n"));
                points.extend(counts.map(|n| (set, n, speed)));
            }
        }
        points
    }

    /// The machine, without its throttle if the table assumes none.
    pub(super) fn machine(&self) -> Machine {
        let mut spec = registry::spec(&self.id).expect("a preset");
        if self.cool {
            spec.thermal = None;
        }
        Machine::new(&spec).expect("possible")
    }
}

/// Time to fill a cache.
#[derive(Deserialize)]
pub(super) struct FillRow {
    pub(super) id: String,
    #[serde(flatten)]
    us: BTreeMap<String, f64>,
}

impl FillRow {
    /// Working set, whether it comes from the shared level, and us.
    pub(super) fn points(&self) -> Vec<(u64, bool, f64)> {
        let point = |(name, us): (&String, &f64)| {
            let (name, shared) = name
                .strip_suffix("_shared")
                .map_or((name.as_str(), false), |n| (n, true));
            let (unit, n) = name.split_once('_').expect("a size");
            let unit = if unit == "kib" { KIB } else { MIB };
            (unit * n.parse::<u64>().expect("a number"), shared, *us)
        };
        self.us.iter().map(point).collect()
    }
}

pub(super) fn fills() -> Vec<FillRow> {
    #[derive(Deserialize)]
    struct File {
        fill: Vec<FillRow>,
    }
    read::<File>("warm-up.toml").fill
}

/// CPUs for n threads: cores in index order with one thread each, then the siblings.
pub(super) fn spread(machine: &Machine, n: usize) -> Vec<CpuId> {
    let mut cpus: Vec<CpuId> = machine.cpu_ids().collect();
    cpus.sort_by_key(|c| (machine.place(*c).thread, machine.place(*c).core.index()));
    cpus.truncate(n);
    cpus
}

/// Whether a printed number is right to its last digit.
pub(super) fn printed(found: f64, wanted: f64, half_digit: f64) -> bool {
    (found - wanted).abs() <= half_digit
}

/// Mean CPU time and elapsed time (if known) of n threads relative to one, by n.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sweep {
    pub(super) set_mib: u64,
    pub(super) iterations: u64,
    pub(super) one_queue: BTreeMap<String, Vec<f64>>,
    pub(super) pinned: BTreeMap<String, Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Queued {
    pub(super) slice_ms: u64,
    pub(super) sweep: Vec<Sweep>,
}

pub(super) fn queued() -> Queued {
    read("queues.toml")
}
