//! The format of a conformance file: the given situation, the expected result, and the source.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CaseFile {
    pub(super) case: Vec<Case>,
}

/// A fact. Exactly one kind is filled in, unless the case is only listed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    /// Unique within its file.
    pub(super) id: String,
    /// Kernel function and release, and how the fact was established.
    pub(super) source: String,
    /// What it assumes that this simulation does not: told beside a difference.
    pub(super) note: Option<String>,
    /// The reason why it is not run. Such cases are counted and printed.
    pub(super) unsupported: Option<String>,
    /// The reason why it does not hold, with evidence. The test fails when it begins to hold.
    pub(super) known_failure: Option<String>,
    /// Kind: deadline offsets by nice value.
    pub(super) offsets: Option<Offsets>,
    /// Kind: default slice by number of CPUs, as pairs (CPUs, ms).
    pub(super) default_slice: Option<Vec<(usize, u64)>>,
    /// Kind: shares of two hogs on one CPU, compared with the closed form.
    pub(super) share_law: Option<ShareLaw>,
    /// Kind: arithmetic of 4BSD.
    pub(super) fourbsd: Option<super::fourbsd::Table>,
    /// Kind: which tasks may run beside each other on a core (BFS 0.512): own bias, best bias of the siblings, 1 for
    /// yes.
    pub(super) smt_nice: Option<Vec<(i64, i64, u8)>>,
    /// Kind: arithmetic of ULE.
    pub(super) ule: Option<super::ule::Table>,
    /// Kind: hogs that share a machine, by their number.
    pub(super) sawtooth: Option<super::sawtooth::Table>,
    /// Kind: arithmetic of NUMA balancing.
    pub(super) numa: Option<super::numa::Table>,
    /// Kind: a run.
    pub(super) run: Option<Run>,
    /// The expected results of the run.
    pub(super) expect: Option<Expect>,
}

/// Pairs (nice, jiffies from now to the deadline of a refill).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Offsets {
    pub(super) hz: u32,
    pub(super) rr: u32,
    pub(super) jiffies: Vec<(i8, u64)>,
}

/// Two hogs on one CPU. The less favoured one gets `s / (s + max(s, d))`, where s is the slice in ticks and d the
/// difference of the deadline offsets in ticks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShareLaw {
    /// Era of BFS; the first one if left out.
    pub(super) era: Option<String>,
    pub(super) rr: u64,
    pub(super) hz: Vec<u64>,
    pub(super) pairs: Vec<(i8, i8)>,
    pub(super) seconds: u64,
    pub(super) tolerance: f64,
}

/// A scenario. A machine that is written out has no costs; delays of signals are 0 unless given.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Run {
    /// `packages x cores x contexts`, with one cache per package and siblings i and i + cores; or `packages x caches x
    /// cores x contexts`; each package is a node. Or the id of a preset.
    pub(super) machine: String,
    pub(super) scheduler: String,
    /// Era of the scheduler; the first one if left out.
    pub(super) era: Option<String>,
    pub(super) seed: u64,
    pub(super) hz: u32,
    /// `rr_interval` in ms; 0 for the kernel's choice.
    pub(super) rr: u32,
    /// Tunables of schedulers other than BFS.
    pub(super) tunables: BTreeMap<String, toml::Value>,
    /// A kernel thread on each CPU: wake-ups per second of each, and how long it runs.
    pub(super) kernel_threads: Option<(u32, String)>,
    /// Control groups, as scenarios write them.
    pub(super) cgroups: BTreeMap<String, toml::Value>,
    pub(super) threads: Vec<Threads>,
    pub(super) edits: Vec<Change>,
    pub(super) kick: String,
    pub(super) idle_exit: String,
    /// Idle-exit delay of a completely idle core.
    pub(super) deep_idle_exit: String,
    pub(super) aligned_ticks: bool,
    /// Whether ticks are placed as the kernel starts its clocks.
    pub(super) kernel_ticks: bool,
    /// `timers` or `all`.
    pub(super) idle_exit_delays: String,
    pub(super) idle_cpus_tick: bool,
    /// Whether the run is too long for records, invariants and a second run without skipped ticks.
    pub(super) long: bool,
    /// Start of the window in which shares, waits and rates are measured.
    pub(super) from: String,
    pub(super) end: String,
}

impl Default for Run {
    fn default() -> Self {
        Self {
            machine: "1x1x1".to_owned(),
            scheduler: "bfs".to_owned(),
            era: None,
            seed: 1,
            hz: 1000,
            rr: 0,
            tunables: BTreeMap::new(),
            kernel_threads: None,
            cgroups: BTreeMap::new(),
            threads: Vec::new(),
            edits: Vec::new(),
            kick: "0ns".to_owned(),
            idle_exit: "0ns".to_owned(),
            deep_idle_exit: "0ns".to_owned(),
            aligned_ticks: false,
            kernel_ticks: false,
            idle_exit_delays: "timers".to_owned(),
            idle_cpus_tick: false,
            long: false,
            from: "0ns".to_owned(),
            end: String::new(),
        }
    }
}

/// A group of threads.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Threads {
    pub(super) name: String,
    pub(super) count: u32,
    /// A script, or `dhrystone` or `loop`.
    pub(super) program: String,
    /// A behaviour as scenarios write it, in place of a program.
    pub(super) behaviour: Option<toml::Value>,
    /// Working set in KiB; that of the program if left out.
    pub(super) working_set_kib: Option<u64>,
    pub(super) child: Option<String>,
    pub(super) nice: i8,
    /// The slice that it requests.
    pub(super) slice: Option<String>,
    pub(super) policy: Option<String>,
    pub(super) allowed: Option<Vec<u16>>,
    pub(super) start: String,
    pub(super) spacing: String,
    pub(super) process: Option<String>,
    /// Its control group.
    pub(super) cgroup: Option<String>,
}

impl Default for Threads {
    fn default() -> Self {
        Self {
            name: String::new(),
            count: 1,
            program: "run".to_owned(),
            behaviour: None,
            working_set_kib: None,
            child: None,
            nice: 0,
            slice: None,
            policy: None,
            allowed: None,
            start: "0ns".to_owned(),
            spacing: "1ms".to_owned(),
            process: None,
            cgroup: None,
        }
    }
}

/// A change at a time: one of pin, unpin, nice, slice, stop, resume, or a property by its path.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    pub(super) t: String,
    #[serde(default)]
    pub(super) group: String,
    pub(super) set: Option<(String, toml::Value)>,
    pub(super) pin: Option<Vec<u16>>,
    #[serde(default)]
    pub(super) unpin: bool,
    pub(super) nice: Option<i8>,
    pub(super) slice: Option<String>,
    #[serde(default)]
    pub(super) pause: bool,
    #[serde(default)]
    pub(super) resume: bool,
}

/// The expected results of a run. A name means the thread, or every thread of the group.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Expect {
    /// CPU time of a thread per time of the window.
    pub(super) shares: BTreeMap<String, f64>,
    /// The same without names: pairs (share, number of threads), for all threads of the run.
    pub(super) share_counts: Vec<(f64, usize)>,
    /// Tolerance of both; 0.0002 if left out.
    pub(super) share_tolerance: Option<f64>,
    /// Longest wait from becoming runnable to running.
    pub(super) longest_wait: BTreeMap<String, String>,
    /// Waits of a group's threads that began with a start or a wake-up.
    pub(super) wakeup_latency: BTreeMap<String, Latency>,
    /// The scheduler's counters, `switches` or `migrations`, per second.
    pub(super) per_second: BTreeMap<String, f64>,
    /// Relative tolerance; 0.005 if left out.
    pub(super) rate_tolerance: Option<f64>,
    /// Growth of counters in the window, with a tolerance.
    pub(super) counts: BTreeMap<String, (f64, f64)>,
    /// Growth of one counter divided by the growth of another, with a tolerance.
    pub(super) ratios: Vec<(String, String, f64, f64)>,
    /// How often a group's threads follow each other on CPU 0, without other threads, and a tolerance.
    pub(super) changes: BTreeMap<String, (f64, f64)>,
    /// Time of the first exit divided by the time of the last, with a tolerance.
    pub(super) first_exit_per_last: Option<(f64, f64)>,
    /// List entries read per pick, with a tolerance.
    pub(super) looked_at_per_pick: Option<(f64, f64)>,
    /// Mean number of cores with a running thread, with a tolerance.
    pub(super) cores_busy: Option<(f64, f64)>,
    /// The threads that run on CPU 0 from the start of the window, and for how long.
    pub(super) turns: Vec<(String, String)>,
    /// Tolerance of how long; none if left out.
    pub(super) turns_within: Option<String>,
    /// When something runs on a CPU, from the start of the window: times in ms from the start of the run.
    pub(super) busy: BTreeMap<String, Vec<(f64, f64)>>,
    /// Tolerance of these times in ms; none if left out.
    pub(super) busy_within: f64,
    /// What is counted of control groups at the end, with tolerances.
    pub(super) cgroups: BTreeMap<String, Counts>,
    /// Threads that must start to run at a time on a CPU.
    pub(super) starts: Vec<Start>,
    pub(super) decisions: Vec<Decision>,
    /// CPUs that must not be signalled in the window.
    pub(super) never_signalled: Vec<i32>,
    /// Whether every migration of the window stays within a package.
    pub(super) migrations_inside_packages: bool,
    /// Operands of all decisions for a reason, from the start of the window.
    pub(super) operands: Vec<OperandRange>,
    /// How often something has happened when all CPUs are equal.
    pub(super) until_even: Option<UntilEven>,
    /// The scenario must be refused with a message that contains this.
    pub(super) refused: Option<String>,
    pub(super) at: Vec<Probe>,
}

/// Counts of a control group at the end of the run, with tolerances; times in ms.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Counts {
    pub(super) periods: Option<(f64, f64)>,
    pub(super) throttled: Option<(f64, f64)>,
    pub(super) throttled_ms: Option<(f64, f64)>,
    pub(super) throttled_all_ms: Option<(f64, f64)>,
    pub(super) bursts: Option<(f64, f64)>,
    pub(super) burst_ms: Option<(f64, f64)>,
    pub(super) pool_ms: Option<(f64, f64)>,
}

/// The range of an operand, and its mean with a tolerance.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OperandRange {
    pub(super) reason: String,
    /// Position of the operand.
    pub(super) operand: usize,
    /// Position of another operand that must always be equal to it.
    pub(super) equals: Option<usize>,
    pub(super) range: Option<(i64, i64)>,
    pub(super) mean: Option<(f64, f64)>,
    /// ULE: whether it is the slot of the priority in operand 0, with the insert hand in operand 2 and the remove hand
    /// in operand 3.
    #[serde(default)]
    pub(super) own_slot: bool,
}

/// The first time at which a column has the same value on all CPUs: how much the counters, and the time in `seconds`,
/// have grown since `from`, with tolerances.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UntilEven {
    pub(super) column: String,
    pub(super) value: f64,
    /// Interval between readings.
    pub(super) every: String,
    pub(super) from: String,
    pub(super) counters: BTreeMap<String, (f64, f64)>,
}

/// Latencies in ms, with tolerances.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Latency {
    pub(super) mean: (f64, f64),
    pub(super) p95: (f64, f64),
    pub(super) max: (f64, f64),
}

/// The first time at which a thread is switched in at or after a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Start {
    pub(super) thread: String,
    pub(super) after: String,
    pub(super) t: String,
    /// Tolerance for the instant that a thread without work still takes.
    pub(super) within: Option<String>,
    pub(super) cpu: Option<i32>,
}

/// A decision that must have been made. Only the given fields are compared.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Decision {
    pub(super) reason: String,
    pub(super) t: Option<String>,
    pub(super) after: Option<String>,
    pub(super) cpu: Option<u16>,
    pub(super) thread: Option<String>,
    /// The first operands.
    #[serde(default)]
    pub(super) operands: Vec<i64>,
    /// How often it must have been made; at least once if left out.
    pub(super) count: Option<usize>,
}

/// The state at a time, after all events of that time.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Probe {
    pub(super) t: String,
    /// The running thread of a CPU; `-` for none.
    pub(super) runs: BTreeMap<String, String>,
    /// The rest of a slice in us (for a running thread, the CPU's copy).
    pub(super) slice_us: BTreeMap<String, i64>,
    /// A thread's virtual deadline in jiffies.
    pub(super) deadline: BTreeMap<String, u64>,
    /// A CPU's copy of the deadline in jiffies.
    pub(super) cpu_deadline: BTreeMap<String, u64>,
    /// Columns that the scheduler shows of a thread.
    pub(super) columns: BTreeMap<String, BTreeMap<String, f64>>,
    /// Counters of the scheduler.
    pub(super) counters: BTreeMap<String, u64>,
    /// Waiting threads in queue order.
    pub(super) queue: Option<Vec<String>>,
    /// Columns that the scheduler shows of the CPUs, one value for each CPU from 0.
    pub(super) cpus: BTreeMap<String, Vec<f64>>,
    /// The same, sorted with the largest value first.
    pub(super) cpus_in_any_order: BTreeMap<String, Vec<f64>>,
    /// Pairs of equal values: `thread.column`, `cpu0.column`, or `before thread.column` from the previous probe.
    pub(super) same: Vec<(String, String)>,
    /// ULE: threads that must wait in the slot of their priority.
    pub(super) own_slot: Vec<String>,
    /// Threads that wait or run on each CPU: minimum and maximum.
    pub(super) per_cpu: Option<Vec<(usize, usize)>>,
    /// The same for each node.
    pub(super) per_node: Option<Vec<(usize, usize)>>,
}

/// A time such as `100.5ms` in ns.
pub(crate) fn ns(text: &str) -> u64 {
    let split = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or_else(|| panic!("\"{text}\" has no unit"));
    let unit: u64 = match &text[split..] {
        "ns" => 1,
        "us" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        other => panic!("\"{other}\" is not a unit of time"),
    };
    let (whole, part) = text[..split]
        .split_once('.')
        .unwrap_or((&text[..split], ""));
    let mut total = whole.parse::<u64>().expect("digits") * unit;
    let mut scale = unit;
    for digit in part.bytes() {
        scale /= 10;
        total += u64::from(digit - b'0') * scale;
    }
    total
}
