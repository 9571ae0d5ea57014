//! `timeslice real SCENARIO` and `timeslice compare FILE SCENARIO`

use crate::arguments::{Input, release};
use crate::exit::Exit;
use crate::output::{self, Failure, Printed};
use sim_core::config::plan::Plan;
use sim_host::format::duration;
use sim_real::about::cpu_list;
use sim_real::compare::{Both, Comparison, Estimate, Lengths, NEAR, Row, compare, difference};
use sim_real::jobs::jobs;
use sim_real::record::{Recording, VERSION};
use sim_real::{MAX_CPU, Program, part};
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// CPUs of this machine to use, such as 1, 0,2 or 0-3: CPU k of the scenario is the k-th of them. If left out, the last
    /// one that this program may use.
    #[arg(long, value_name = "LIST", value_parser = cpus)]
    cpus: Option<Cpus>,
    /// How often to run it: intervals come from the repeats.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// How long each repeat takes, from 0.1 to 600.
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    seconds: u64,
    /// Keep what was seen in this file, for `timeslice compare`.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// As root: have the kernel trace the first repeat, whose turns are exact then, and keep the trace in this file, for
    /// `timeslice replay`. Nothing else is traced, and all is put back.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    #[command(flatten)]
    printed: Printed,
}

#[derive(clap::Args)]
pub(crate) struct CompareArgs {
    /// What `timeslice real -o FILE` kept.
    recording: PathBuf,
    #[command(flatten)]
    input: Input,
    /// Another scheduler and era than the nearest to the machine's release, such as eevdf:6.6.
    #[arg(long, value_name = "ID:ERA", value_parser = release)]
    scheduler: Option<(String, String)>,
    #[command(flatten)]
    printed: Printed,
}

#[derive(clap::Args)]
pub(crate) struct PartArgs {
    role: String,
}

/// A list of CPUs.
#[derive(Clone)]
struct Cpus(Vec<usize>);

fn cpus(text: &str) -> Result<Cpus, String> {
    let list = cpu_list(text).ok_or_else(|| {
        format!("\"{text}\" is no list of CPUs from 0 to {MAX_CPU}, such as 1, 0,2 or 0-3")
    })?;
    Ok(Cpus(list))
}

/// Seconds as ns.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0.1 to 600
fn seconds(text: &str) -> Result<u64, String> {
    let seconds: Option<f64> = text.parse().ok().filter(|s| (0.1..=600.0).contains(s));
    let seconds = seconds.ok_or_else(|| format!("must be from 0.1 to 600, got \"{text}\""))?;
    Ok((seconds * 1e9).round() as u64)
}

pub(crate) fn run(args: &Args, program: &Program) -> Result<Exit, Failure> {
    let here = |message: String| Failure::new("this machine", message);
    let scenario = args.input.read()?;
    let plan = args.input.plan(&scenario)?;
    let cpus = match &args.cpus {
        Some(cpus) => cpus.0.clone(),
        None => vec![sim_real::last_cpu().map_err(here)?],
    };
    let source = &args.input.file;
    let refused = |errors| Failure {
        source: source.clone(),
        errors,
    };
    let jobs = jobs(&plan, &cpus).map_err(refused)?;
    let about = sim_real::about(&cpus).map_err(here)?;
    let mut repeats = Vec::new();
    for i in 1..=args.repeat {
        output::progress(&format!("repeat {i} of {}", args.repeat));
        let kept = args.trace.as_deref().filter(|_| i == 1);
        let (repeat, trace) =
            sim_real::run(program, &jobs, &cpus, args.seconds, kept.is_some()).map_err(here)?;
        if let (Some(path), Some(trace)) = (kept, trace) {
            output::file(path, &trace)?;
        }
        repeats.push(repeat);
    }
    let recording = Recording {
        real_version: VERSION,
        scenario: scenario.clone(),
        about,
        cpus,
        ns: args.seconds,
        repeats,
    };
    if let Some(path) = &args.output {
        output::file(path, &(output::json_line(&recording) + "\n"))?;
    }
    let compared = compare(&recording, &scenario, None).map_err(|e| Failure::new(source, e))?;
    show(&plan, &compared, args.printed.is_json());
    Ok(Exit::Good)
}

pub(crate) fn run_compare(args: &CompareArgs) -> Result<Exit, Failure> {
    let name = args.recording.display().to_string();
    let wrong = |message: String| Failure::new(&name, message);
    let recording = read(&args.recording, &name)?;
    let scenario = args.input.read()?;
    let plan = args.input.plan(&scenario)?;
    let jobs = jobs(&plan, &recording.cpus).map_err(|errors| Failure {
        source: args.input.file.clone(),
        errors,
    })?;
    let wanted = || jobs.iter().map(|j| &j.name);
    for repeat in &recording.repeats {
        if !repeat.threads.iter().map(|t| &t.name).eq(wanted()) {
            let list = wanted().map(String::as_str).collect::<Vec<_>>().join(", ");
            return Err(wrong(format!(
                "has other threads than {}, which has {list}",
                args.input.file
            )));
        }
    }
    let choice = args
        .scheduler
        .as_ref()
        .map(|(id, era)| (id.as_str(), era.as_str()));
    let compared = compare(&recording, &scenario, choice).map_err(wrong)?;
    show(&plan, &compared, args.printed.is_json());
    Ok(Exit::Good)
}

fn read(path: &Path, name: &str) -> Result<Recording, Failure> {
    let wrong = |message: String| Failure::new(name, message);
    let text = std::fs::read_to_string(path).map_err(|e| wrong(format!("cannot be read: {e}")))?;
    Recording::read(&text).map_err(|errors| Failure {
        source: name.to_owned(),
        errors,
    })
}

/// Plays a part of a run; nobody types this.
pub(crate) fn run_part(args: &PartArgs, program: &Program) -> Result<Exit, Failure> {
    part(program, &args.role).map_err(|e| Failure::new(sim_real::PART, e))?;
    Ok(Exit::Good)
}

fn show(plan: &Plan, c: &Comparison, as_json: bool) {
    if as_json {
        output::json(c);
        return;
    }
    let about = &c.about;
    let known = |text: Option<String>| text.unwrap_or_else(|| "not readable".to_owned());
    let list: Vec<String> = c.cpus.iter().map(usize::to_string).collect();
    output::line(&format!(
        "{} · {} × {} on CPU {}",
        plan.scenario.name,
        c.repeats,
        time(c.ns),
        list.join(", ")
    ));
    output::line(&format!(
        "  here     Linux {} on {}{}, {} CPUs",
        about.release,
        about.processor.as_deref().unwrap_or("an unknown processor"),
        if about.is_virtual { " (virtual)" } else { "" },
        about.online
    ));
    output::line(&format!(
        "           HZ {} · base slice {} · preemption {} · autogroup {}",
        known(about.hz.map(|hz| hz.to_string())),
        known(about.base_slice_ns.map(time)),
        about.preemption,
        known(
            about
                .autogroup
                .map(|on| if on { "on" } else { "off" }.to_owned())
        ),
    ));
    output::line(&format!(
        "  model    {} {} on {}, with this HZ and base slice, all threads in one group",
        c.scheduler,
        c.era,
        plan.machine.spec().id
    ));
    let disturbed = if c.is_disturbed {
        "turns, waits and wake-ups are disturbed; shares are good"
    } else {
        "little enough for turns and waits"
    };
    output::line(&format!(
        "  others   had {:.1} % of the time of these CPUs ({:.1} % the host): {disturbed}",
        c.foreign * 100.0,
        c.stolen * 100.0
    ));
    if let Some(floor) = about.floor_ns {
        output::line(&format!(
            "  floor    a sleeper that nobody holds up wakes {} late; it is subtracted",
            time(floor)
        ));
    }
    shares(c);
    lengths("turns", &c.rows, |r| &r.turns);
    lengths("waits", &c.rows, |r| &r.waits);
    wake_ups(&c.rows);
    moves(c);
    let verdict = if c.farthest <= NEAR {
        "no share differs by more"
    } else {
        "which is more"
    };
    output::line(&format!(
        "  farthest share from the model: {:.4}; {verdict} than {NEAR}",
        c.farthest
    ));
}

fn shares(c: &Comparison) {
    output::line(&format!(
        "\n  {:<16} {:>18} {:>18} {:>9}",
        "share", "here", "model", "differs"
    ));
    for row in &c.rows {
        output::line(&format!(
            "  {:<16} {:>18} {:>18} {:>9}",
            row.name,
            interval(row.share.here, 4, 1.0),
            interval(row.share.model, 4, 1.0),
            difference(row).map_or_else(String::new, |d| format!("{d:+.4}"))
        ));
    }
}

fn lengths(what: &str, rows: &[Row], of: fn(&Row) -> &Both) {
    if rows.iter().all(|row| of(row).here.count == 0) {
        return;
    }
    let line = |a: &str, b: &str, c: &str, d: &str| {
        output::line(&format!("  {a:<16} {b:>32} {c:>32} {d:>32}"));
    };
    output::line("");
    line(what, "here", "not cut by others", "model");
    for row in rows {
        let both = of(row);
        let [here, uncut, model] = [&both.here, &both.uncut, &both.model].map(typical);
        line(&row.name, &here, &uncut, &model);
    }
}

fn wake_ups(rows: &[Row]) {
    let woken: Vec<&Row> = rows.iter().filter(|r| r.latencies.here.count > 0).collect();
    if woken.is_empty() {
        return;
    }
    output::line(&format!(
        "\n  {:<16} {:>24} {:>24}",
        "late, median µs", "here", "model"
    ));
    for row in woken {
        output::line(&format!(
            "  {:<16} {:>24} {:>24}",
            row.name,
            interval(row.latencies.here.median, 0, 1e-3),
            interval(row.latencies.model.median, 0, 1e-3)
        ));
    }
}

fn moves(c: &Comparison) {
    if c.cpus.len() > 1 {
        output::line(&format!(
            "\n  {:<16} {:>24} {:>24}",
            "moves a second", "here", "model"
        ));
        for row in &c.rows {
            output::line(&format!(
                "  {:<16} {:>24} {:>24}",
                row.name,
                interval(row.moves.here, 1, 1.0),
                interval(row.moves.model, 1, 1.0)
            ));
        }
    }
    output::line("");
}

/// The most frequent lengths, such as `12 ms 94 %, 16 ms 6 %`.
fn typical(lengths: &Lengths) -> String {
    let told = lengths.typical.iter();
    let told: Vec<String> = told
        .map(|(ms, part)| format!("{ms} ms {:.0} %", part * 100.0))
        .collect();
    match (told.is_empty(), lengths.count) {
        (_, 0) => "none".to_owned(),
        (true, n) => format!("{n} of all lengths"),
        (false, _) => told.join(", "),
    }
}

fn interval(e: Option<Estimate>, digits: usize, factor: f64) -> String {
    e.map_or_else(String::new, |e| {
        let mean = e.mean * factor;
        let within = e
            .half
            .map_or_else(String::new, |w| format!(" ± {:.digits$}", w * factor));
        format!("{mean:.digits$}{within}")
    })
}

#[allow(clippy::cast_precision_loss)] // for reading
fn time(ns: u64) -> String {
    duration(ns as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_a_range() {
        assert_eq!(
            (seconds("3"), seconds("0.25")),
            (Ok(3_000_000_000), Ok(250_000_000))
        );
        for wrong in ["0", "601", "x", "NaN"] {
            assert!(seconds(wrong).is_err(), "{wrong}");
        }
    }
}
