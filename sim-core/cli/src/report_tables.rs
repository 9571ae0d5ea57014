//! Reports as text: first the lanes beside each other, measure by measure, then each lane by itself.

use crate::moment::MachineView;
use crate::output::{self, Look, ms};
use sim_core::info::MetricEntry;
use sim_core::metrics::registry::METRICS;
use sim_core::report::{CgroupReport, CpuReport, GroupReport, RunReport, ThreadReport};
use sim_host::format::with_unit;

/// What a report prints beside the measures that most people ask for and the groups.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Parts {
    /// Print every measure that is defined, not only those that most people ask for.
    #[arg(long)]
    all: bool,
    /// Print a row for each thread, too.
    #[arg(long)]
    threads: bool,
    /// Print a row for each CPU, too.
    #[arg(long)]
    cpus: bool,
}

/// The measures that most people ask for.
const MAIN: &[&str] = &[
    "lastExit",
    "throughput",
    "workLost",
    "fairness",
    "leastShare",
    "idleWhileWaiting",
    "missedDeadlines",
    "jobResponse",
    "runDelayMean",
    "runDelayP99",
    "wakeupLatencyP99",
    "longestWait",
    "switches",
    "migrations",
];

/// Marks of the best and the worst value of a row, and how they look.
const MARKS: [(Look, &str); 2] = [(Look::Best, " +"), (Look::Worst, " -")];

/// Prints the reports of one scenario's lanes, each with the moments that were asked for.
pub(crate) fn print(lanes: &[(&RunReport, &[MachineView])], parts: Parts) {
    let reports: Vec<&RunReport> = lanes.iter().map(|(report, _)| *report).collect();
    if let Some(first) = reports.first() {
        head(first);
    }
    comparison(&reports, parts.all);
    for (number, (report, moments)) in (1..).zip(lanes) {
        lane(number, report, moments, parts);
    }
}

/// The name of a lane: its number, as measures count, and its scheduler.
fn name(number: usize, report: &RunReport) -> String {
    format!("{number} {} {}", report.scheduler, report.era)
}

fn head(r: &RunReport) {
    let from = if r.from_ns > 0 {
        format!(" from {} ms on", ms(r.from_ns))
    } else {
        String::new()
    };
    let time = ms(r.elapsed_ns);
    output::line(&format!(
        "{} · {} · seed {} · {time} ms{from}\n",
        r.scenario, r.machine, r.seed
    ));
}

/// A row of the comparison: a measure with its value in each lane.
struct Row<'a> {
    entry: &'a MetricEntry,
    values: Vec<Option<f64>>,
}

impl Row<'_> {
    /// The best and the worst value, where they differ and the measure says which is better.
    fn ends(&self) -> Option<[f64; 2]> {
        let known = || self.values.iter().flatten().copied();
        let (least, most) = (
            known().min_by(f64::total_cmp)?,
            known().max_by(f64::total_cmp)?,
        );
        match self.entry.better {
            _ if least >= most => None,
            "higher" => Some([most, least]),
            "lower" => Some([least, most]),
            _ => None,
        }
    }

    /// The cells with their marks. A value that is printed like the best is not the worst.
    fn cells(&self) -> Vec<(Look, String)> {
        let told = |value: f64| with_unit(value, self.entry.unit);
        let ends = self.ends().map(|ends| ends.map(told));
        let ends = ends.filter(|[best, worst]| best != worst);
        let mark = |text: &str| {
            let at = ends.as_ref()?.iter().position(|end| end == text)?;
            MARKS.get(at).copied()
        };
        let cell = |value: &Option<f64>| {
            let text = value.map_or_else(|| "-".to_owned(), told);
            let none = (Look::Plain, if ends.is_some() { "  " } else { "" });
            let (look, mark) = mark(&text).unwrap_or(none);
            (look, text + mark)
        };
        self.values.iter().map(cell).collect()
    }
}

fn comparison(reports: &[&RunReport], all: bool) {
    let entries = METRICS.iter().map(|metric| &metric.entry);
    let asked = |entry: &&MetricEntry| all || MAIN.contains(&entry.id);
    let row = |entry| Row {
        entry,
        values: reports
            .iter()
            .map(|r| r.metrics.get(entry.id).copied())
            .collect(),
    };
    let is_known = |row: &Row<'_>| row.values.iter().any(Option::is_some);
    let rows: Vec<Row<'_>> = entries.filter(asked).map(row).filter(is_known).collect();
    let cells: Vec<Vec<(Look, String)>> = rows.iter().map(Row::cells).collect();
    let names: Vec<String> = (1..).zip(reports).map(|(n, r)| name(n, r)).collect();
    let is_marked = rows.iter().any(|row| row.ends().is_some());
    let width = |lane: usize, name: &String| {
        let widest = cells
            .iter()
            .filter_map(|row| row.get(lane))
            .map(|(_, c)| c.chars().count());
        widest.max().unwrap_or(0).max(name.chars().count())
    };
    let widths: Vec<usize> = names.iter().enumerate().map(|(i, n)| width(i, n)).collect();
    let print = |title: &str, cells: &[(Look, String)]| {
        let mut parts = vec![(Look::Plain, format!("{title:<18}"))];
        let cells = cells.iter().zip(&widths);
        parts.extend(cells.map(|((look, cell), &width)| (*look, format!("  {cell:>width$}"))));
        if let Some((_, last)) = parts.last_mut() {
            last.truncate(last.trim_end().len());
        }
        output::line_of(parts.iter().map(|(look, text)| (*look, text.as_str())));
    };
    let heads: Vec<(Look, String)> = names.into_iter().map(|n| (Look::Name, n)).collect();
    print("measure", &heads);
    for (row, cells) in rows.iter().zip(&cells) {
        print(row.entry.id, cells);
    }
    if is_marked {
        output::line("+ the best lane by this measure, - the worst");
    }
    output::line("");
}

fn lane(number: usize, r: &RunReport, moments: &[MachineView], parts: Parts) {
    output::line_of([(Look::Name, name(number, r).as_str())]);
    if let Some(fault) = &r.fault {
        output::line(&format!("  stopped: {}", fault.message));
    }
    if !r.applications.is_empty() {
        output::line(&format!(
            "  {} applications have equal shares, whatever their nice values and threads (groupPerApplication): {}",
            r.applications.len(),
            r.applications.join(", ")
        ));
    }
    for hint in &r.slice_hints {
        output::line(&format!("  slice of {}: {}", hint.group, hint.text));
    }
    groups(&r.groups);
    cgroups(&r.cgroups);
    if parts.threads {
        threads(&r.threads);
    }
    if parts.cpus {
        cpus(&r.cpus);
    }
    moments.iter().for_each(MachineView::print);
    output::line(&format!("  digest {}\n", r.digest));
}

/// What limits did: nothing if no control group has one.
fn cgroups(cgroups: &[CgroupReport]) {
    let count = |c: &CgroupReport, id: &str| c.counts.get(id).copied().unwrap_or(0);
    let limited = cgroups.iter().filter(|c| count(c, "nrPeriods") > 0);
    for (n, c) in limited.enumerate() {
        if n == 0 {
            output::line(&format!(
                "  {:<14} {:>8} {:>12} {:>12} {:>12} {:>8} {:>12}",
                "control group",
                "periods",
                "throttled in",
                "for ms",
                "with above",
                "bursts",
                "burst ms"
            ));
        }
        output::line(&format!(
            "  {:<14} {:>8} {:>12} {:>12} {:>12} {:>8} {:>12}",
            c.name,
            count(c, "nrPeriods"),
            count(c, "nrThrottled"),
            ms(count(c, "throttledTime")),
            ms(count(c, "throttledTimeInherited")),
            count(c, "nrBursts"),
            ms(count(c, "burstTime"))
        ));
    }
}

/// Work at full speed in ns, which need not be a whole number.
fn work(ns: f64) -> String {
    format!("{:.3}", ns / 1e6)
}

fn groups(groups: &[GroupReport]) {
    output::line(&format!(
        "  {:<14} {:>8} {:>12} {:>8} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}",
        "group",
        "threads",
        "CPU ms",
        "share %",
        "work ms",
        "wait ms",
        "longest ms",
        "first ms",
        "switches",
        "moves",
        "placed"
    ));
    for g in groups {
        output::line(&format!(
            "  {:<14} {:>8} {:>12} {:>8.2} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8}",
            g.name,
            g.threads,
            ms(g.cpu_ns),
            g.share * 100.0,
            work(g.work_ns),
            ms(g.wait_ns),
            ms(g.longest_wait_ns),
            ms(g.longest_first_wait_ns),
            g.switches,
            g.migrations,
            g.placements
        ));
    }
}

fn threads(threads: &[ThreadReport]) {
    output::line(&format!(
        "  {:<14} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8} {:>8}",
        "thread",
        "CPU ms",
        "work ms",
        "wait ms",
        "sleep ms",
        "longest ms",
        "first ms",
        "switches",
        "forced",
        "moves",
        "placed"
    ));
    for t in threads.iter().filter(|t| !t.background) {
        output::line(&format!(
            "  {:<14} {:>12} {:>12} {:>12} {:>12} {:>12} {:>12} {:>10} {:>8} {:>8} {:>8}",
            t.name,
            ms(t.cpu_ns),
            work(t.work_ns),
            ms(t.wait_ns),
            ms(t.sleep_ns),
            ms(t.longest_wait_ns),
            ms(t.longest_first_wait_ns),
            t.switches,
            t.involuntary,
            t.migrations,
            t.placements
        ));
    }
}

fn cpus(cpus: &[CpuReport]) {
    output::line(&format!(
        "  {:<14} {:>12} {:>12} {:>12}",
        "CPU", "busy ms", "idle ms", "switching ms"
    ));
    for c in cpus {
        output::line(&format!(
            "  cpu {:<10} {:>12} {:>12} {:>12}",
            c.cpu,
            ms(c.busy_ns),
            ms(c.idle_ns),
            ms(c.overhead_ns)
        ));
    }
}
