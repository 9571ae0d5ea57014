//! The experiments of `ledgers/linux-runs.toml` as a table of `docs/linux.md`. `it/linux_runs.rs` makes the runs.

use crate::linux_rows::rows;
use std::fmt::Write;

const HEAD: &str = "
## The same workloads, run

Each number is what a run of this build gives, and what running functions of the kernel (4.9, 6.1) or a model of its rules gave
before; a test compares them (`sim-core/tests/ledgers/linux-runs.toml`). All threads are on one CPU, turns are medians from the
first second on, and the machine has 8 CPUs and no costs, unless the row says something else. “A to B” is a range that was given;
the run is in it. What rows of several CPUs are compared with was worked out from the rules. In brackets is what the model gave
where the run differs. All threads start together. If the hogs start 1 ms apart, the sleeper of 1 ms waits 3.9 ms in the mean under
7.2 and 7.3, and two hogs on a machine of 2 CPUs have turns of 1.4 ms there.

";

/// The section, with a column for each of these releases.
pub(super) fn section(releases: &[&str]) -> String {
    let columns = releases.join(" | ");
    let mut out = format!("{HEAD}| Experiment | HZ | {columns} |\n");
    let _ = writeln!(out, "|{}", " --- |".repeat(releases.len() + 2));
    let mut notes = Vec::new();
    for row in &rows() {
        let unit = if row.unit.is_empty() {
            String::new()
        } else {
            format!(", {}", row.unit)
        };
        let _ = write!(out, "| {}{unit} | {} |", row.what, row.hz);
        for release in releases {
            let number = row.expected.get(*release).map(f64::to_string);
            let range = row.between.get(*release);
            let range = range.map(|[from, to]| format!("{from} to {to}"));
            let cell = match (number.or(range), row.differs.get(*release)) {
                (Some(model), Some(run)) => format!("{run} ({model})"),
                (Some(model), None) => model,
                (None, _) => "–".to_owned(),
            };
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
        if !row.why.is_empty() && !notes.contains(&row.why) {
            notes.push(row.why.clone());
        }
    }
    for why in notes {
        let _ = write!(out, "\nIn brackets: {why}.\n");
    }
    out
}
