//! `timeslice import TRACE|PROGRAM`

use crate::arguments::{duration, plan, release, time};
use crate::exit::Exit;
use crate::output::{self, Failure, Printed, ms};
use sim_core::config::{Scenario, validate};
use sim_core::params::ParamValue;
use sim_import::lane::Lane;
use sim_import::rtapp::{self, Choices, Note, Told};
use sim_import::spread::Spread;
use sim_import::summary::{Summary, ThreadSummary};
use sim_import::workload::Workload;
use sim_import::{Event, Facts, ImportError, Names, OfPart, Options, Part, Reading, Sink, Trace};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Bytes that are read in one go.
const PIECE: usize = 1 << 20;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Trace: ftrace text (the file `trace`, `trace-cmd report`, a page of systrace, JSON of Chrome), text of
    /// `perf script`, KTR of FreeBSD (`ktrdump -ct`, DTrace); `-` for standard input. Or a program of rt-app, JSON.
    trace: String,
    #[command(flatten)]
    printed: Printed,
    /// Write the workload behind the trace, whose names are replaced.
    #[arg(short, long, value_name = "FILE.tsw")]
    output: Option<PathBuf>,
    /// Write a scenario: of a trace two lanes, what the machine did and EEVDF 6.18 on the workload behind it; of a program of
    /// rt-app one lane.
    #[arg(long, value_name = "FILE.json")]
    scenario: Option<PathBuf>,
    /// Preset of the machine for a program of rt-app.
    #[arg(long, value_name = "ID", default_value = "ideal")]
    machine: String,
    /// Scheduler and era for a program of rt-app.
    #[arg(long, value_name = "ID:ERA", default_value = "eevdf:6.18", value_parser = release)]
    scheduler: (String, String),
    /// Leave names of threads in the workload and the scenario as they are.
    #[arg(long)]
    keep_names: bool,
    #[command(flatten)]
    how: How,
    /// Print so many threads.
    #[arg(long, value_name = "N", default_value_t = 30)]
    threads: usize,
}

/// How a trace is read.
#[derive(clap::Args)]
pub(crate) struct How {
    /// Read only what comes at this time or later, from the beginning of the trace, such as 1.5s.
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<u64>,
    /// Read only what comes before this time, from the beginning of the trace.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    to: Option<u64>,
    /// Go on where the recorder lost events: what threads did there is unknown.
    #[arg(long)]
    allow_lost: bool,
}

impl How {
    fn part(&self) -> Result<Part, Failure> {
        let all = Part::ALL;
        let part = Part {
            from: self.from.unwrap_or(all.from),
            to: self.to.unwrap_or(all.to),
        };
        if part.from < part.to {
            return Ok(part);
        }
        Err(Failure::new("--to", "must be later than --from"))
    }
}

/// A lane; for a scenario its events are apart.
struct Collect(Option<Spread>, Lane);

impl Sink for Collect {
    fn event(&mut self, event: &Event, names: &Names) {
        match &mut self.0 {
            Some(spread) => self.1.event(&spread.apart(event), names),
            None => self.1.event(event, names),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let refused = |e: ImportError| Failure::new(&args.trace, e.to_string());
    if let Some(text) = program(&args.trace)? {
        return program_scenario(&text, args);
    }
    let mut sink = match args.scenario.as_ref().or(args.output.as_ref()) {
        None => Collect(None, Lane::default()),
        Some(_) => Collect(Some(Spread::default()), Lane::with_stretches()),
    };
    let (trace, facts) = read(&args.trace, &args.how, &mut sink)?;
    let mut lane = sink.1;
    lane.close();
    if let Some(path) = &args.scenario {
        let made = sim_core::recorded::of_trace(&lane, trace.names(), &facts, !args.keep_names);
        let made = made.map_err(|e| {
            Failure::new(
                &args.trace,
                format!("{e}; choose a part with --from and --to"),
            )
        })?;
        let text = serde_json::to_vec_pretty(&made.scenario);
        let text = text.map_err(|e| Failure::new(&args.trace, e.to_string()))?;
        output::file(path, text)?;
    }
    let summary = Summary::new(&lane, trace.names(), &facts);
    if let Some(path) = &args.output {
        let workload = Workload::new(&lane, trace.names(), &facts, !args.keep_names);
        output::file(path, workload.write().map_err(refused)?)?;
    }
    if args.printed.is_json() {
        output::json(&summary);
    } else {
        print(&summary, trace.names(), args);
    }
    Ok(Exit::Good)
}

/// The text of a file, if it is a program of rt-app.
fn program(source: &str) -> Result<Option<String>, Failure> {
    let unreadable = |e: io::Error| Failure::new(source, format!("cannot be read: {e}"));
    if source == "-" {
        return Ok(None);
    }
    let mut file = File::open(source).map_err(unreadable)?;
    let mut head = Vec::new();
    let begin = (&mut file).take(PIECE as u64);
    { begin }.read_to_end(&mut head).map_err(unreadable)?;
    if !rtapp::is_program(&head) {
        return Ok(None);
    }
    file.read_to_end(&mut head).map_err(unreadable)?;
    String::from_utf8(head)
        .map(Some)
        .map_err(|_| Failure::new(source, "is not text in UTF-8"))
}

/// Makes a scenario of a program of rt-app.
fn program_scenario(text: &str, args: &Args) -> Result<Exit, Failure> {
    let stem = Path::new(&args.trace).file_stem().and_then(OsStr::to_str);
    let (id, era) = &args.scheduler;
    let choices = Choices {
        name: stem.unwrap_or("rt-app"),
        machine: &args.machine,
        schedulers: &serde_json::json!([{ "id": id, "era": era }]),
    };
    let told = rtapp::read(text, &choices).map_err(|e| Failure::new(&args.trace, e.to_string()))?;
    // The whole scenario is checked here, so that what is written can be run.
    let json = told.scenario.to_string();
    let scenario = validate::parse(&json).map_err(|errors| Failure {
        source: args.trace.clone(),
        errors,
    })?;
    plan(&args.trace, &scenario)?;
    if let Some(path) = &args.scenario {
        output::file(path, format!("{:#}\n", serde_json::json!(scenario)))?;
    }
    if args.printed.is_json() {
        output::json(&told);
    } else {
        print_program(&scenario, &told);
    }
    Ok(Exit::Good)
}

fn print_program(scenario: &Scenario, told: &Told) {
    for group in &scenario.groups {
        output::line(&format!("{} × {}", group.name, group.count));
        for (id, indent) in [("program", "    "), ("child", "    forks: ")] {
            if let Some(ParamValue::Choice(text)) = group.behaviour.params.get(id) {
                output::line(&format!("{indent}{text}"));
            }
        }
    }
    if told.left_out.is_empty() {
        output::line("All of the program is said.");
    } else {
        output::line("Not said as in the program:");
        told.left_out.iter().for_each(print_note);
    }
    if !told.remarks.is_empty() {
        output::line("Worth a look:");
        told.remarks.iter().for_each(print_note);
    }
}

fn print_note(note: &Note) {
    output::line(&format!("  line {}: {}", note.line, note.text));
}

/// Reads a trace from a file, or from standard input for `-`.
pub(crate) fn read(
    source: &str,
    how: &How,
    sink: &mut dyn Sink,
) -> Result<(Trace, Facts), Failure> {
    let mut sink = OfPart::new(how.part()?, sink);
    let refused = |e: ImportError| Failure::new(source, e.to_string());
    let unreadable = |e: io::Error| Failure::new(source, format!("cannot be read: {e}"));
    let mut file: Box<dyn Read> = if source == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(source).map_err(unreadable)?)
    };
    let allow_lost = how.allow_lost;
    let mut trace = Trace::new(Options { allow_lost });
    let mut piece = vec![0; PIECE];
    loop {
        let length = match file.read(&mut piece) {
            Ok(0) => break,
            Ok(length) => length,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(unreadable(e)),
        };
        trace.push(&piece[..length], &mut sink).map_err(refused)?;
        if sink.is_over() {
            break;
        }
    }
    let facts = trace.finish(&mut sink).map_err(refused)?;
    sink.check().map_err(refused)?;
    Ok((trace, facts))
}

fn print(summary: &Summary, names: &Names, args: &Args) {
    let facts = &summary.facts;
    let format = summary.format.map_or("", sim_import::detect::Format::name);
    output::line(&format!(
        "{format}: {} ms, {} CPU{}, {} threads, {} events, {} switches",
        ms(summary.span_ns),
        summary.cpus,
        if summary.cpus == 1 { "" } else { "s" },
        names.count() - 1,
        facts.events,
        facts.switches,
    ));
    for (count, what) in [
        (facts.bad, "lines about scheduling could not be read"),
        (facts.gaps, "times the recorder lost events"),
        (
            summary.missing_switches,
            "times a switch to a thread is missing",
        ),
    ] {
        if count > 0 {
            output::line(&format!("{count} {what}"));
        }
    }
    output::line(&format!(
        "\n{:<20} {:>8} {:>12} {:>12} {:>12} {:>12} {:>8} {:>9} {:>6}",
        "thread",
        "number",
        "CPU ms",
        "waits ms",
        "blocked ms",
        "unknown ms",
        "switches",
        "preempted",
        "moves"
    ));
    for thread in summary.threads.iter().take(args.threads) {
        row(thread);
    }
    let more = summary.threads.len().saturating_sub(args.threads);
    if more > 0 {
        output::line(&format!("and {more} threads with less CPU time"));
    }
}

fn row(thread: &ThreadSummary) {
    output::line(&format!(
        "{:<20} {:>8} {:>12} {:>12} {:>12} {:>12} {:>8} {:>9} {:>6}",
        thread.name,
        thread.pid,
        ms(thread.cpu_ns),
        ms(thread.waited_ns),
        ms(thread.blocked_ns),
        ms(thread.unknown_ns),
        thread.switches,
        thread.preempted,
        thread.moves,
    ));
}
