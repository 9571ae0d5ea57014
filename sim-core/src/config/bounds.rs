//! The allowed range of every number in a scenario: one table for validation, schema users and the page.

use crate::info::BoundEntry;

macro_rules! bounds {
    ($($(#[$doc:meta])* $name:ident = $field:literal, $min:expr, $max:expr, $unit:literal;)*) => {
        $($(#[$doc])* pub const $name: BoundEntry = BoundEntry {
            field: $field, min: $min, max: $max, unit: $unit,
        };)*
        /// All of them.
        pub const ALL: &[BoundEntry] = &[$($name),*];
    };
}

bounds! {
    /// Seeds are exact in JavaScript.
    SEED = "seed", 0, 9_007_199_254_740_991, "";
    /// Lanes.
    SCHEDULERS = "schedulers", 1, 4, "";
    /// Length of names.
    NAME = "name", 1, 80, "bytes";
    /// Length of names of threads: a group, a hyphen and a number.
    THREAD = "edits.target.thread", 1, 90, "bytes";
    /// Length of notes.
    NOTES = "notes", 0, 4_000, "bytes";
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
    /// Working sets.
    WORKING_SET = "groups.workingSetBytes", 1, 68_719_476_736, "bytes";
    /// CPUs that an affinity names.
    CPUS = "groups.allowed", 1, 1_024, "CPUs";
    /// Starts.
    START = "groups.startNs", 0, 14_400_000_000_000, "ns";
    /// Distances of starts.
    SPACING = "groups.startSpacingNs", 0, 60_000_000_000, "ns";
    /// Daemons.
    DAEMONS = "background.daemons.count", 0, 200, "";
    /// Wake-ups of daemons or of a kernel thread.
    WAKES = "background.wakesPerSecond", 0, 100_000, "1/s";
    /// Percentages.
    PERCENT = "background.percent", 0, 100, "%";
    /// Run lengths of the background.
    BACKGROUND_RUN = "background.runNs", 1, 1_000_000_000, "ns";
    /// Signal delays.
    DELAY = "timing.delayNs", 0, 10_000_000, "ns";
    /// Number of edits.
    EDITS = "edits", 0, 10_000, "";
    /// Ends: four hours, so that sums of work in units of 2^-20 ns stay below 2^64.
    END = "end.atNs", 1, 14_400_000_000_000, "ns";
}

impl BoundEntry {
    /// Whether a value is in range; the message otherwise.
    ///
    /// # Errors
    /// A message that names the range.
    pub fn check(&self, value: i128) -> Result<(), String> {
        if (i128::from(self.min)..=i128::from(self.max)).contains(&value) {
            return Ok(());
        }
        let unit = if self.unit.is_empty() { "" } else { " " };
        Err(format!(
            "must be from {} to {}{unit}{}, got {value}",
            self.min, self.max, self.unit
        ))
    }
}
