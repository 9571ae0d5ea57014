//! The allowed range of every number in a scenario: one table for validation, schema users and the page.

use crate::info::BoundEntry;
use std::fmt;

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident = $field:literal, $min:expr, $max:expr, $unit:literal;)*) => {
        $($(#[$doc])* pub const $name: BoundEntry = BoundEntry {
            field: $field, min: $min, max: $max, unit: $unit,
        };)*
        /// All bounds.
        pub const ALL: &[BoundEntry] = &[$($name),*];
    };
}

bounds! {
    /// Seeds: up to the largest integer that JavaScript represents exactly.
    SEED = "seed", 0, 9_007_199_254_740_991, "";
    /// Number of lanes.
    SCHEDULERS = "schedulers", 1, 4, "";
    /// Length of names.
    NAME = "name", 1, 80, "bytes";
    /// Length of names of threads: a group, a hyphen and a number.
    THREAD = "edits.thread", 1, 90, "bytes";
    /// Length of notes.
    NOTES = "notes", 0, 4_000, "bytes";
    /// Length of the question: one line on a phone.
    ASK = "ask", 0, 60, "characters";
    /// Number of groups.
    GROUPS = "groups", 0, 64, "";
    /// Threads of a group.
    COUNT = "groups.count", 0, 5_000, "threads";
    /// All threads together, those spawned later included.
    THREADS = "groups", 0, 10_000, "threads";
    /// Nice values.
    NICE = "groups.nice", -20, 20, "";
    /// Real-time priorities.
    RT_PRIORITY = "groups.rtPriority", 1, 99, "";
    /// Slices that threads request; 0 for no own slice.
    SLICE = "groups.sliceNs", 0, 1_000_000_000, "ns";
    /// Sizes of working sets.
    WORKING_SET = "groups.workingSetBytes", 1, 68_719_476_736, "bytes";
    /// Number of CPUs that an affinity names.
    CPUS = "groups.allowed", 1, 1_024, "CPUs";
    /// The CPUs that an affinity names. A machine with fewer CPUs allows fewer.
    CPU = "groups.allowed", 0, 1_023, "";
    /// Start times.
    START = "groups.startNs", 0, 14_400_000_000_000, "ns";
    /// Time between the starts of threads.
    SPACING = "groups.startSpacingNs", 0, 60_000_000_000, "ns";
    /// CPU time of a parent for each fork.
    FORK_COST = "groups.parent.forkCostNs", 1, 1_000_000_000, "ns";
    /// CPU time of a waiting parent for each child that it checks.
    WAIT_COST = "groups.parent.waitCostNs", 0, 1_000_000, "ns";
    /// Number of control groups.
    CGROUPS = "cgroups", 0, 64, "";
    /// Control groups above a control group.
    CGROUP_DEPTH = "cgroups.parent", 0, 8, "";
    /// `cpu.weight`.
    WEIGHT = "cgroups.weight", 1, 10_000, "";
    /// `cpu.weight.nice`.
    WEIGHT_NICE = "cgroups.weightNice", -20, 19, "";
    /// CPU requests of containers.
    REQUEST = "cgroups.requestMilliCpus", 1, 256_000, "thousandths of a CPU";
    /// CPU time of a control group in each period.
    QUOTA = "cgroups.quotaUs", 1_000, 1_024_000_000, "µs";
    /// Periods of a limit.
    PERIOD = "cgroups.periodUs", 1_000, 1_000_000, "µs";
    /// CPU time that a control group may save.
    BURST = "cgroups.burstUs", 0, 1_024_000_000, "µs";
    /// Where the periods of a limit begin.
    PHASE = "cgroups.phaseUs", 0, 1_000_000, "µs";
    /// Number of daemons.
    DAEMONS = "background.daemons.count", 0, 200, "";
    /// Wake-ups per second of daemons or of a kernel thread.
    WAKES = "background.wakesPerSecond", 0, 100_000, "1/s";
    /// Percentages.
    PERCENT = "background.percent", 0, 100, "%";
    /// Run lengths of background threads.
    BACKGROUND_RUN = "background.runNs", 1, 1_000_000_000, "ns";
    /// Signal delays.
    DELAY = "timing.delayNs", 0, 10_000_000, "ns";
    /// Number of threads that an edit adds or ends.
    ASKED = "edits.count", 0, 10_000, "threads";
    /// The lane that an edit concerns. A scenario with fewer lanes allows fewer.
    LANE = "edits.lane", 0, 3, "";
    /// Number of edits.
    EDITS = "edits", 0, 10_000, "";
    /// Time at which a run opens.
    OPENING = "opening.atNs", 0, 14_400_000_000_000, "ns";
    /// Speed at which a run opens, in simulated time per second.
    OPENING_SPEED = "opening.speed", 1_000, 100_000_000_000, "ns";
    /// Length of the run that a timeline shows.
    WINDOW = "opening.windowNs", 1_000, 14_400_000_000_000, "ns";
    /// Length of the name of the thread that is selected.
    SELECT = "opening.select", 1, 90, "bytes";
    /// Length of the name of a group or thread.
    ANSWER_OF = "answer.of", 1, 90, "bytes";
    /// Length of the expression that answers the question.
    ANSWER_EXPRESSION = "answer.expression", 1, 200, "bytes";
    /// Fair values: up to the largest time.
    FAIR = "answer.fair", 0, 14_400_000_000_000, "";
    /// Number of controls.
    CONTROLS = "controls", 0, 4, "";
    /// The lane of a control. A scenario with fewer lanes allows fewer.
    CONTROL_LANE = "controls.lane", 0, 3, "";
    /// Number of kinds of moments.
    MOMENTS = "moments", 0, 6, "";
    /// End times: at most four hours, so that sums of work in units of 2^-20 ns stay below 2^64.
    END = "end.atNs", 1, 14_400_000_000_000, "ns";
    /// Ids of machines.
    MACHINE_ID = "machine.id", 1, 200, "bytes";
    /// Names of machines.
    MACHINE_NAME = "machine.name", 1, 200, "bytes";
    /// Length of the text that says what a machine is for.
    PURPOSE = "machine.purpose", 0, 4_000, "bytes";
    /// Length of the name of its microarchitecture.
    MICROARCHITECTURE = "machine.microarchitecture", 0, 4_000, "bytes";
    /// Number of entries about the sources of its numbers.
    SOURCES = "machine.provenance", 0, 400, "entries";
    /// Length of a source, or of the reasoning.
    SOURCE = "machine.provenance.source", 0, 4_000, "bytes";
    /// Number of fields with the same source.
    SOURCE_FIELDS = "machine.provenance.fields", 0, 400, "entries";
    /// Length of the names of these fields.
    SOURCE_FIELD = "machine.provenance.fields", 0, 200, "bytes";
    /// Years of machines.
    YEAR = "machine.year", 1_900, 2_100, "";
    /// Clocks.
    CLOCK = "machine.clockMhz", 1, 100_000, "MHz";
    /// Compute cycles of an iteration of `loop`.
    LOOP_CYCLES = "machine.work.loopMilliCycles", 1, 10_000_000, "thousandths";
    /// Compute cycles of an iteration of `chase`.
    CHASE_CYCLES = "machine.work.chaseMilliCycles", 1, 10_000_000, "thousandths";
    /// How much waiting is hidden behind computing.
    OVERLAP = "machine.work.overlapMilli", 0, 1_000, "thousandths";
    /// Width of the step of LRU caches.
    LRU_STEP = "machine.work.lruStepMilli", 0, 10_000, "thousandths";
    /// Number of different packages; each has its own repeat count.
    PACKAGE_PARTS = "machine.topology.packages", 1, 256, "entries";
    /// Number of different nodes of a package.
    NODE_PARTS = "machine.topology.packages.nodes", 1, 256, "entries";
    /// Number of different cache groups of a node.
    LLC_PARTS = "machine.topology.packages.nodes.llcs", 1, 256, "entries";
    /// Number of different cores of a cache group.
    CORE_PARTS = "machine.topology.packages.nodes.llcs.cores", 1, 256, "entries";
    /// Number of equal packages. All CPUs together have a separate limit: [`crate::ids::MAX_CPUS`].
    PACKAGES = "machine.topology.packages.count", 1, 1_024, "";
    /// Number of equal nodes.
    NODES = "machine.topology.packages.nodes.count", 1, 1_024, "";
    /// Number of equal cache groups.
    LLCS = "machine.topology.packages.nodes.llcs.count", 1, 1_024, "";
    /// Number of equal cores.
    CORES = "machine.topology.packages.nodes.llcs.cores.count", 1, 1_024, "";
    /// Number of contexts of a core.
    SMT = "machine.topology.packages.nodes.llcs.cores.smt", 1, 8, "contexts";
    /// Number of cores of a cluster.
    CLUSTER = "machine.topology.packages.nodes.llcs.cores.cluster", 1, 1_024, "cores";
    /// Relative speeds of kinds of cores.
    SPEED = "machine.topology.packages.nodes.llcs.cores.speedMilli", 1, 10_000, "thousandths";
    /// Capacities of kinds of cores, as Linux knows them.
    CAPACITY = "machine.topology.packages.nodes.llcs.cores.capacity", 1, 1_024, "1024ths";
    /// Names of kinds of cores.
    KIND = "machine.topology.packages.nodes.llcs.cores.kind", 0, 200, "bytes";
    /// Number of caches that a machine describes.
    CACHES = "machine.caches", 0, 16, "entries";
    /// Levels of caches.
    CACHE_LEVEL = "machine.caches.level", 1, 4, "";
    /// Sizes of caches: up to a tebibyte.
    CACHE_BYTES = "machine.caches.bytes", 1, 1_099_511_627_776, "bytes";
    /// Associativity of caches.
    CACHE_WAYS = "machine.caches.ways", 0, 4_096, "ways";
    /// Load latency of caches.
    CACHE_LATENCY = "machine.caches.latencyCycles", 0, 10_000, "cycles";
    /// Time for a line from a cache; the limit is far beyond any memory.
    CACHE_LINE = "machine.caches.linePs", 0, 10_000_000, "ps";
    /// Factor of a line's time while a port is crowded.
    CACHE_PORT = "machine.caches.portMilli", 1_000, 65_535, "thousandths";
    /// Kinds of cores that have a cache.
    CACHE_KINDS = "machine.caches.kinds", 0, 64, "entries";
    /// Load latency of memory.
    MEMORY_LATENCY = "machine.memory.localLatencyNs", 0, 100_000, "ns";
    /// Peak bandwidth of memory.
    PEAK = "machine.memory.peakMbPerS", 0, 100_000_000, "MB/s";
    /// Time for a line from memory.
    MEMORY_LINE = "machine.memory.linePs", 0, 10_000_000, "ps";
    /// Sustained bandwidth of memory.
    BANDWIDTH = "machine.memory.bandwidthMbPerS", 1, 100_000_000, "MB/s";
    /// Memory of a node.
    NODE_MIB = "machine.memory.nodeMib", 1, 16_777_216, "MiB";
    /// Firmware distances.
    DISTANCE = "machine.memory.distances", 10, 254, "";
    /// Firmware distances with their own cost.
    REMOTE_DISTANCE = "machine.memory.remote.distance", 10, 254, "";
    /// Cost of a line at such a distance.
    REMOTE_COST = "machine.memory.remote.milli", 1_000, 100_000, "thousandths";
    /// Direct costs of a yield. The limit keeps sums of delays from overflowing.
    YIELD = "machine.costs.yieldNs", 0, 10_000_000, "ns";
    /// Direct costs of a switch.
    SWITCH = "machine.costs.switchNs", 0, 10_000_000, "ns";
    /// Direct costs of a tick.
    TICK = "machine.costs.tickNs", 0, 10_000_000, "ns";
    /// Delays of signals to busy CPUs.
    KICK = "machine.costs.kickNs", 0, 10_000_000, "ns";
    /// Delays of signals to idle CPUs.
    IDLE_EXIT = "machine.costs.idleExitNs", 0, 10_000_000, "ns";
    /// Delays of signals to CPUs of idle cores.
    IDLE_EXIT_DEEP = "machine.costs.idleExitDeepNs", 0, 10_000_000, "ns";
    /// Number of idle states.
    IDLE_STATES = "machine.idle.states", 1, 12, "entries";
    /// Length of the name of an idle state.
    IDLE_STATE = "machine.idle.states.name", 1, 16, "bytes";
    /// Times to leave an idle state.
    IDLE_STATE_EXIT = "machine.idle.states.exitNs", 0, 10_000_000, "ns";
    /// Lengths of idleness from which on an idle state is worth while.
    IDLE_STATE_RESIDENCY = "machine.idle.states.residencyNs", 0, 1_000_000_000, "ns";
    /// CPU time of a fork.
    FORK = "machine.costs.forkNs", 1, 1_000_000_000, "ns";
    /// Time to transfer a line between near cores.
    LINE_TRANSFER = "machine.costs.lineTransferNs", 0, 10_000_000, "ns";
    /// Time to transfer a line between far cores.
    LINE_TRANSFER_FAR = "machine.costs.lineTransferFarNs", 0, 10_000_000, "ns";
    /// Number of turbo steps.
    TURBO_STEPS = "machine.turbo.mhz", 1, 1_024, "entries";
    /// Clocks with turbo.
    TURBO = "machine.turbo.mhz", 1, 100_000, "MHz";
    /// Temperature with no core active.
    AMBIENT = "machine.thermal.ambientMilliC", 0, 1_000_000, "thousandths of °C";
    /// Rise of the temperature with each core.
    PER_CORE = "machine.thermal.perCoreMilliC", 1, 1_000_000, "thousandths of °C";
    /// Temperature of the throttle.
    LIMIT = "machine.thermal.limitMilliC", 1, 1_000_000, "thousandths of °C";
    /// Time constant of heat.
    LAG = "machine.thermal.lagMs", 0, 600_000, "ms";
}

/// Length of the program of an own policy. It is not among [`ALL`], because most builds have no own policies.
pub const PROGRAM: BoundEntry = BoundEntry {
    field: "schedulers.program",
    min: 1,
    max: 16_384,
    unit: "bytes",
};

/// Length of a recording that a lane follows: a scenario with it is still a file that the page opens. It is not among
/// [`ALL`], because nobody writes one by hand.
pub const RECORDING: BoundEntry = BoundEntry {
    field: "schedulers.program",
    min: 1,
    max: 3_500_000,
    unit: "bytes",
};

impl BoundEntry {
    /// Whether a value is in range.
    #[must_use]
    pub fn holds(&self, value: impl TryInto<i64>) -> bool {
        value
            .try_into()
            .is_ok_and(|v| (self.min..=self.max).contains(&v))
    }

    /// Length of a text in this range's unit: characters, or bytes.
    #[must_use]
    pub fn length(&self, text: &str) -> usize {
        match self.unit {
            "characters" => text.chars().count(),
            _ => text.len(),
        }
    }

    /// The message for a value out of range.
    #[must_use]
    pub fn message(&self, got: &dyn fmt::Display) -> String {
        let unit = if self.unit.is_empty() { "" } else { " " };
        format!(
            "must be from {} to {}{unit}{}, got {got}",
            self.min, self.max, self.unit
        )
    }
}
