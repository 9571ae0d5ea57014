//! All properties of a scenario: one row each, with what its value may be and when it takes effect.

use serde::Serialize;
use sim_ground::bounds;
use sim_ground::info::BoundEntry;

/// What the value of a property may be.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS),
    ts(export, rename = "PropertyKind")
)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Kind {
    /// A whole number.
    Integer {
        /// Its range and unit.
        bound: BoundEntry,
    },
    /// A time: a number of ns, or a text such as `3ms`.
    Time {
        /// Its range in ns.
        bound: BoundEntry,
    },
    /// A size: a number of bytes, or a text such as `64KiB`.
    Size {
        /// Its range in bytes.
        bound: BoundEntry,
    },
    /// `true` or `false`.
    Flag,
    /// One of a few words.
    Word {
        /// The words.
        words: &'static [&'static str],
    },
    /// A text, or the id of something that the catalog lists.
    Text {
        /// Range of its length.
        bound: BoundEntry,
    },
    /// CPUs: a list of numbers, or a text such as `0-3,6`.
    Cpus,
    /// What the declaration of a tunable of a scheduler, or of a parameter of a behaviour, says.
    Declared,
    /// What a scenario file has in this place.
    Written,
}

/// When a property may be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(
    feature = "schema",
    derive(ts_rs::TS),
    ts(export, rename = "PropertyWhen")
)]
#[serde(rename_all = "camelCase")]
pub enum When {
    /// Before the run only.
    Start,
    /// Before the run, and at any time of it.
    Live,
    /// In the run only; without a time, at its start.
    Run,
}

/// A property: something that `set PATH = VALUE` changes.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(ts_rs::TS), ts(export))]
#[serde(rename_all = "camelCase")]
pub struct Property {
    /// Its path. `*` stands for one name or number, a final `**` for everything below.
    pub path: &'static str,
    /// Name for people.
    pub label: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// When it may be set.
    pub when: When,
    /// The value that it has if nothing sets it, in words. Empty if a scenario must have one, so that `null` is refused.
    pub default: &'static str,
    /// The system call or command that does the same on a running system, if there is one.
    pub call: &'static str,
    /// A value with which the property can be tried.
    pub example: &'static str,
}

impl Property {
    const fn new(
        path: &'static str,
        kind: Kind,
        label: &'static str,
        default: &'static str,
        example: &'static str,
        summary: &'static str,
    ) -> Self {
        Self {
            path,
            label,
            summary,
            kind,
            when: When::Start,
            default,
            call: "",
            example,
        }
    }

    /// The same, and it may also be set during the run, as a call does.
    const fn live(mut self, call: &'static str) -> Self {
        self.when = When::Live;
        self.call = call;
        self
    }

    /// The same, but it may only be set during the run, as a call does.
    const fn run(mut self, call: &'static str) -> Self {
        self.when = When::Run;
        self.call = call;
        self
    }
}

const fn integer(bound: BoundEntry) -> Kind {
    Kind::Integer { bound }
}

const fn time(bound: BoundEntry) -> Kind {
    Kind::Time { bound }
}

const fn size(bound: BoundEntry) -> Kind {
    Kind::Size { bound }
}

const fn text(bound: BoundEntry) -> Kind {
    Kind::Text { bound }
}

const fn word(words: &'static [&'static str]) -> Kind {
    Kind::Word { words }
}

use Kind::{Cpus, Declared, Flag, Written};
use Property as P;

/// Where a machine has its own value.
const MACHINE: &str = "the machine's";

/// All properties. The first whose path matches counts.
#[rustfmt::skip]
pub const PROPERTIES: &[Property] = &[
    P::new("name", text(bounds::NAME), "name", "", "two hogs", "Name of the scenario for people."),
    P::new("notes", text(bounds::NOTES), "notes", "empty", "Look at cpu 0.", "What the scenario shows."),
    P::new("ask", text(bounds::ASK), "question", "empty", "Who waits longest?", "The question of the scenario, in one line."),
    P::new("seed", integer(bounds::SEED), "seed", "1", "7", "Seed of every random stream."),
    P::new("end", Written, "end", "", "{\"atNs\":500000000}", "When the run ends, as a whole."),
    P::new("end.atNs", time(bounds::END), "end", "", "500ms", "The run never goes beyond this time."),
    P::new("end.whenAllExited", Flag, "end with the last exit", "false", "true", "Whether the run ends when every thread that is not background has exited."),
    P::new("machine", Written, "machine", "", "v890", "Id of a preset, or a machine written out."),
    P::new("machine.**", Written, "field of the machine", "", "memory.localLatencyNs=100", "A field of the machine by its path, such as `machine.memory.localLatencyNs`. A preset is written out for it."),
    P::new("lanes", Written, "schedulers", "", "ule", "All lanes: an id, or a list of ids and lanes written out."),
    P::new("lanes.*", Written, "scheduler of a lane", "removed", "bfs", "A lane: an id, or one written out with era and tunables. The number after the last one adds a lane."),
    P::new("lanes.*.id", text(bounds::NAME), "scheduler", "", "4bsd", "Another scheduler; era and tunables stay as written."),
    P::new("lanes.*.era", text(bounds::NAME), "release", "the first of the scheduler", "11.1", "The release of the scheduler, by its id."),
    #[cfg(feature = "policy")]
    P::new("lanes.*.program", text(bounds::PROGRAM), "program", "that of the release", "def pick(cpu): return cpu.waiting[0]", "The program of an own policy.").live("program"),
    P::new("lanes.*.tunables", Written, "tunables", "none", "{}", "All tunables that differ from the defaults."),
    P::new("lanes.*.*", Declared, "tunable", "the release's", "3", "A tunable of the scheduler, by its id.").live("sysctl"),
    P::new("groups", Written, "groups", "", "[{\"name\":\"first\",\"count\":1,\"behaviour\":{\"kind\":\"loop\"}}]", "All groups, as a list."),
    P::new("groups.*", Written, "group", "removed", "{\"count\":1,\"behaviour\":{\"kind\":\"loop\"}}", "A group, written out. A new name adds one."),
    P::new("groups.*.name", text(bounds::NAME), "name of a group", "", "job", "Another name; threads are called after it and numbered from 1."),
    P::new("groups.*.count", integer(bounds::COUNT), "threads", "", "3", "How many threads the group has. During the run the difference is forked, or the youngest end.").live("fork, kill"),
    P::new("groups.*.nice", integer(bounds::NICE), "nice", "0", "5", "Nice value.").live("setpriority"),
    P::new("groups.*.sliceNs", time(bounds::SLICE), "slice", "none of its own", "3ms", "Slice that each thread requests; 0 for none of its own.").live("sched_setattr"),
    P::new("groups.*.policy", word(&["normal", "batch", "idle", "iso", "fifo", "roundRobin"]), "policy", "normal", "batch", "Scheduling policy."),
    P::new("groups.*.rtPriority", integer(bounds::RT_PRIORITY), "real-time priority", "none", "10", "Priority for the policies fifo and roundRobin."),
    P::new("groups.*.workingSetBytes", size(bounds::WORKING_SET), "working set", "the behaviour's", "64KiB", "Bytes that each thread sweeps.").live("none"),
    P::new("groups.*.allowed", Cpus, "allowed CPUs", "all", "0", "CPUs that the threads may use.").live("sched_setaffinity"),
    P::new("groups.*.paused", Flag, "paused", "false", "true", "Whether the threads are stopped.").run("SIGSTOP, SIGCONT"),
    P::new("groups.*.startNs", time(bounds::START), "start", "0", "10ms", "When the first thread starts."),
    P::new("groups.*.startSpacingNs", time(bounds::SPACING), "time between starts", "1 ms", "2ms", "Time between the starts of successive threads."),
    P::new("groups.*.parent", Written, "parent", "none", "{}", "A parent that forks the threads."),
    P::new("groups.*.parent.forkCostNs", time(bounds::FORK_COST), "cost of a fork", MACHINE, "1ms", "CPU time of the parent for each child."),
    P::new("groups.*.parent.waitCostNs", time(bounds::WAIT_COST), "cost of a wait", "0", "10us", "CPU time of the parent for each child that it checks when one has ended."),
    P::new("groups.*.process", text(bounds::NAME), "application", "each thread its own", "one", "Application to which the threads belong: they share an address space."),
    P::new("groups.*.background", Flag, "background", "false", "true", "Whether the threads only take time from those that are measured."),
    P::new("groups.*.behaviour", Written, "behaviour", "", "loop", "What the threads do: an id, or one written out with parameters."),
    P::new("groups.*.behaviour.kind", text(bounds::NAME), "kind of behaviour", "", "loop", "Another behaviour; parameters stay as written."),
    P::new("groups.*.behaviour.params", Written, "parameters", "none", "{}", "All parameters that differ from the defaults."),
    P::new("groups.*.behaviour.*", Declared, "parameter", "the behaviour's", "9", "A parameter of the behaviour, by its id."),
    P::new("groups.*.cgroup", text(bounds::NAME), "control group", "the root", "web", "The control group in which the threads are."),
    P::new("cgroups", Written, "control groups", "none", "{\"web\":{\"quotaUs\":50000}}", "All control groups, by name."),
    P::new("cgroups.*", Written, "control group", "removed", "{\"quotaUs\":50000}", "A control group, written out. A new name adds one."),
    P::new("cgroups.*.parent", text(bounds::NAME), "group above", "the root", "pod", "The control group that it lies in."),
    P::new("cgroups.*.weight", integer(bounds::WEIGHT), "weight", "100", "200", "Its share while others want the CPUs (cpu.weight).").live("cpu.weight"),
    P::new("cgroups.*.weightNice", integer(bounds::WEIGHT_NICE), "weight as a nice value", "none", "-5", "Instead of a weight: that of a thread with this nice value (cpu.weight.nice)."),
    P::new("cgroups.*.requestMilliCpus", integer(bounds::REQUEST), "request of a container", "none", "500", "Instead of a weight: the CPU request of a container, in thousandths of a CPU."),
    P::new("cgroups.*.idle", Flag, "idle group", "false", "true", "Whether it runs only on what nobody else wants (cpu.idle)."),
    P::new("cgroups.*.quotaUs", integer(bounds::QUOTA), "quota", "no limit", "50000", "CPU time in each period, in µs (cpu.max).").live("cpu.max"),
    P::new("cgroups.*.periodUs", integer(bounds::PERIOD), "period", "100000", "20000", "Length of a period of the limit, in µs (cpu.max).").live("cpu.max"),
    P::new("cgroups.*.burstUs", integer(bounds::BURST), "burst", "0", "20000", "How much unused time may be saved, in µs (cpu.max.burst).").live("cpu.max.burst"),
    P::new("cgroups.*.phaseUs", integer(bounds::PHASE), "begin of periods", "the release's", "1000", "Where the periods of the limit begin, in µs from the start of the run."),
    P::new("threads.*", Written, "thread", "ended", "null", "`null` ends the thread.").run("kill"),
    P::new("threads.*.nice", integer(bounds::NICE), "nice", "", "5", "Nice value of one thread.").run("setpriority"),
    P::new("threads.*.sliceNs", time(bounds::SLICE), "slice", "none of its own", "3ms", "Slice that one thread requests.").run("sched_setattr"),
    P::new("threads.*.workingSetBytes", size(bounds::WORKING_SET), "working set", "", "64KiB", "Bytes that one thread sweeps.").run("none"),
    P::new("threads.*.allowed", Cpus, "allowed CPUs", "all", "0", "CPUs that one thread may use.").run("sched_setaffinity"),
    P::new("threads.*.paused", Flag, "paused", "", "true", "Whether one thread is stopped.").run("SIGSTOP, SIGCONT"),
    P::new("background", Written, "background", "none", "{\"daemons\":{}}", "Wake-ups of the machine besides the workload."),
    P::new("background.daemons", Written, "daemons", "none", "{\"count\":4}", "Daemons that sleep, are woken, run briefly and wake each other."),
    P::new("background.daemons.count", integer(bounds::DAEMONS), "daemons", "10", "4", "How many daemons there are."),
    P::new("background.daemons.wakesPerSecond", integer(bounds::WAKES), "wake-ups of daemons", "300", "100", "First wake-ups of all daemons together, each second."),
    P::new("background.daemons.interruptPercent", integer(bounds::PERCENT), "interrupts", "30", "50", "Share of these wake-ups that arrive as an interrupt on a random CPU."),
    P::new("background.daemons.tickAlignedPercent", integer(bounds::PERCENT), "timers at ticks", "50", "0", "Share of the timers that end at the next tick."),
    P::new("background.daemons.runMeanNs", time(bounds::BACKGROUND_RUN), "run of daemons", "100 µs", "1ms", "Mean run of a daemon."),
    P::new("background.daemons.chainPercent", integer(bounds::PERCENT), "chains", "50", "0", "Share of the runs that wake another daemon."),
    P::new("background.kernelThreads", Written, "kernel threads", "none", "{\"runNs\":20000}", "A kernel thread on each CPU."),
    P::new("background.kernelThreads.wakesPerSecond", integer(bounds::WAKES), "wake-ups of kernel threads", "2", "10", "Wake-ups of each kernel thread, each second."),
    P::new("background.kernelThreads.runNs", time(bounds::BACKGROUND_RUN), "run of kernel threads", "10 µs", "20us", "Run of a kernel thread."),
    P::new("timing", Written, "timing", MACHINE, "{\"kickNs\":2000}", "Signal delays and tick phases, as a whole."),
    P::new("timing.kickNs", time(bounds::DELAY), "signal to a busy CPU", MACHINE, "2us", "Delay from signalling a busy CPU to its rescheduling."),
    P::new("timing.idleExitNs", time(bounds::DELAY), "signal to an idle CPU", MACHINE, "5us", "Delay from signalling an idle CPU whose core is otherwise busy."),
    P::new("timing.idleExitDeepNs", time(bounds::DELAY), "signal to an idle core", MACHINE, "50us", "Delay from signalling a CPU of a completely idle core."),
    P::new("timing.tickPhase", word(&["kernel", "staggered", "aligned"]), "phase of ticks", "kernel", "aligned", "The position of each CPU's ticks."),
    P::new("timing.idleTicks", word(&["tickless", "ticking"]), "ticks of idle CPUs", "tickless", "ticking", "Whether idle CPUs take ticks."),
    P::new("timing.idleExitDelays", word(&["timers", "all"]), "delayed events", "timers", "all", "Which events an idle CPU serves only after its idle-exit delay."),
    P::new("edits", Written, "edits", "none", "[]", "All changes during the run, as a list."),
    P::new("edits.*", Written, "edit", "removed", "null", "A change during the run, by its number."),
    P::new("edits.*.atNs", time(bounds::OPENING), "time of an edit", "", "100ms", "When a change takes effect."),
    P::new("edits.*.**", Written, "field of an edit", "", "lane=0", "A field of a change."),
    P::new("opening", Written, "opening", "found by the page", "{}", "Where the page opens the run."),
    P::new("opening.**", Written, "field of the opening", "found by the page", "speed=1000000", "A field of the opening."),
    P::new("answer", Written, "answer", "chosen by the page", "null", "The number that answers the question."),
    P::new("answer.**", Written, "field of the answer", "chosen by the page", "null", "A field of the answer."),
    P::new("controls", Written, "controls", "none", "[]", "Controls that are always visible."),
    P::new("moments", Written, "moments", "none", "[]", "Kinds of moments that the page points out."),
    P::new("thumb", Written, "small picture", "chosen by the page", "null", "The content of the small picture."),
];
