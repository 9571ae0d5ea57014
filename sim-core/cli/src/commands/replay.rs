//! `timeslice replay TRACE`

use super::import;
use crate::arguments::duration;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed, number};
use serde::Serialize;
use sim_core::params::ParamValue;
use sim_core::report;
use sim_host::words::Words;
use sim_retrace::{About, Asked, Count, Disagreement, Pattern, Question, Record, Recorder, ask};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Trace with `sched_switch`, `sched_waking`, `sched_wakeup` and `sched_stat_runtime`, in any format that `import`
    /// reads; `-` for standard input.
    trace: String,
    /// Scheduler and era whose rules are asked.
    #[arg(long, value_name = "ID:ERA", default_value = "eevdf:6.18")]
    scheduler: String,
    /// Names of the threads that share a group (one session, one container): `*` for any characters, `?` for one, a comma
    /// between several. By default those of the run in a trace of `timeslice real`, and in others all but `other` and the
    /// idle ones.
    #[arg(long, value_name = "PATTERN")]
    threads: Option<String>,
    /// A slice that threads ask for, which no trace tells; may be repeated.
    #[arg(long, value_name = "PATTERN=TIME", value_parser = slice)]
    slice: Vec<(String, u64)>,
    /// A tunable of the era, for another point release or another machine; may be repeated.
    #[arg(long, value_name = "ID=VALUE", value_parser = tunable)]
    tunable: Vec<(String, ParamValue)>,
    /// Show at most so many disagreements.
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    #[command(flatten)]
    printed: Printed,
    #[command(flatten)]
    how: import::How,
}

fn slice(text: &str) -> Result<(String, u64), String> {
    let (name, time) = text
        .split_once('=')
        .ok_or("a slice is PATTERN=TIME, as tsw-a=30ms")?;
    Ok((name.to_owned(), duration(time)?))
}

fn tunable(text: &str) -> Result<(String, ParamValue), String> {
    let (id, value) = text
        .split_once('=')
        .ok_or("a tunable is ID=VALUE, as hz=1000")?;
    let value = match value {
        "true" | "on" => ParamValue::Flag(true),
        "false" | "off" => ParamValue::Flag(false),
        text => match text.parse() {
            Ok(n) => ParamValue::Int(n),
            Err(_) => ParamValue::Choice(text.to_owned()),
        },
    };
    Ok((id.to_owned(), value))
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut question = Question::of(&args.scheduler).map_err(|e| Failure::new("--scheduler", e))?;
    question.tunables = args.tunable.iter().cloned().collect();
    let slices = args.slice.iter();
    question.slices = slices.map(|(p, ns)| (Pattern::new(p), *ns)).collect();
    let mut recorder = Recorder::default();
    import::read(&args.trace, &args.how, &mut recorder)?;
    let pattern = args.threads.as_deref().map(Pattern::new);
    let record = Record::new(recorder, pattern.as_ref());
    let asked = ask(&record, &question).map_err(|e| Failure::new(&args.trace, e))?;
    let words = Words::of(question.info.id);
    let told: Vec<Told<'_>> = asked
        .disagreements
        .iter()
        .map(|d| told(d, &question, &words))
        .collect();
    if args.printed.is_json() {
        output::json(&Report::new(args, &asked, told));
    } else {
        print(args, &asked, &told);
    }
    Ok(Exit::Good)
}

/// A disagreement as it is printed.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Told<'a> {
    #[serde(flatten)]
    of: &'a Disagreement,
    /// The reason of the rules, and its card.
    reason: Option<&'static str>,
    words: Option<String>,
}

fn told<'a>(d: &'a Disagreement, question: &Question, words: &Words) -> Told<'a> {
    let name = |task: sim_core::ids::TaskId| d.names.get(task.index()).cloned();
    let view = d.decision.as_ref().map(|decision| {
        report::named_decision(decision, question.info.reasons, &name, &|_| String::new())
    });
    Told {
        of: d,
        reason: view.as_ref().map(|v| v.reason),
        words: view.map(|v| words.sentence(&v)),
    }
}

/// All of it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report<'a> {
    scheduler: String,
    threads: Vec<String>,
    picks: Count,
    goes_on: Count,
    preempts: Count,
    alone: u64,
    settling: Count,
    began: Vec<Began>,
    missing: u64,
    controls: Vec<Control>,
    disagreements: Vec<Told<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Began {
    thread: String,
    ahead_ns: Option<[i64; 2]>,
    used_ns: [u64; 2],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Control {
    control: sim_retrace::Control,
    picks_right: u64,
    goes_on_right: u64,
}

impl<'a> Report<'a> {
    fn new(args: &Args, asked: &Asked, disagreements: Vec<Told<'a>>) -> Self {
        let began = asked.began.iter().map(|b| Began {
            thread: b.thread.clone(),
            ahead_ns: b.ahead_ns,
            used_ns: b.used_ns,
        });
        let controls = asked.controls.iter().map(|(control, right)| Control {
            control: *control,
            picks_right: right[0],
            goes_on_right: right[1],
        });
        Self {
            scheduler: args.scheduler.clone(),
            threads: asked.threads.clone(),
            picks: asked.picks,
            goes_on: asked.goes_on,
            preempts: asked.preempts,
            alone: asked.alone,
            settling: asked.settling,
            began: began.collect(),
            missing: asked.mended,
            controls: controls.collect(),
            disagreements,
        }
    }
}

/// A share in percent, rounded down: what is not all is not 100 %.
fn percent(part: u64, of: u64) -> String {
    match (part * 10_000).checked_div(of) {
        Some(share) => format!("{}.{:02} %", share / 100, share % 100),
        None => "–".to_owned(),
    }
}

fn print(args: &Args, asked: &Asked, told: &[Told<'_>]) {
    let threads = asked.threads.join(", ");
    output::line(&format!(
        "The rules of {} beside {threads}\n",
        args.scheduler
    ));
    output::line(&format!(
        "{:<42} {:>8} {:>8} {:>6} {:>6} {:>9}",
        "choice", "all", "right", "near", "wrong", "right"
    ));
    for (what, count) in [
        ("a CPU takes one of several threads", asked.picks),
        ("a tick lets a thread go on", asked.goes_on),
        ("a woken thread preempts or waits", asked.preempts),
    ] {
        let Count { right, near, wrong } = count;
        let share = percent(right, count.all());
        output::line(&format!(
            "{what:<42} {:>8} {right:>8} {near:>6} {wrong:>6} {share:>9}",
            count.all()
        ));
    }
    notes(asked);
    if args.threads.is_none() && asked.picks.wrong * 20 > asked.picks.all() {
        output::line(
            "All of these threads were taken as one group: name those that share one with --threads",
        );
    }
    output::line(&format!(
        "\n{:<42} {:>15} {:>15}",
        "with a wrong rule", "picks right", "goes on right"
    ));
    for (control, [picks, goes_on]) in &asked.controls {
        output::line(&format!(
            "{:<42} {:>15} {:>15}",
            control.words(),
            percent(*picks, asked.picks.all()),
            percent(*goes_on, asked.goes_on.all())
        ));
    }
    for d in told.iter().take(args.limit) {
        disagreement(d);
    }
    let more = told.len().saturating_sub(args.limit);
    if more > 0 {
        output::line(&format!("\nand {more} more disagreements (--limit)"));
    }
}

/// What was not counted, and why.
fn notes(asked: &Asked) {
    let Asked { alone, mended, .. } = asked;
    output::line(&format!(
        "\nNot counted: {alone} picks of the only thread that waited"
    ));
    if asked.settling.all() > 0 {
        let names: Vec<&str> = asked.began.iter().map(|b| b.thread.as_str()).collect();
        output::line(&format!(
            "Not counted: the first {} picks ({} right), which settled how {} entered the trace",
            asked.settling.all(),
            asked.settling.right,
            names.join(", ")
        ));
        if asked.settling.wrong * 20 > asked.settling.all() {
            output::line(
                "They do not settle it, so choices may be called wrong that are not: record from before the threads begin",
            );
        }
    }
    if *mended > 0 {
        output::line(&format!(
            "Not counted: {mended} switches, wake-ups or moves that the trace lacks"
        ));
    }
}

fn disagreement(told: &Told<'_>) {
    let d = told.of;
    let about = match d.about {
        About::Pick => "",
        About::GoesOn => " at a tick",
        About::Preempts => " after a wake-up",
    };
    let near = if d.near { " (near)" } else { "" };
    let (s, us) = (d.at_ns / 1_000_000_000, d.at_ns / 1_000 % 1_000_000);
    output::line(&format!(
        "\n{s}.{us:06} s, cpu {}{near}: the kernel took {}{about}; the rules take {}",
        d.cpu, d.took, d.rules
    ));
    if let Some(words) = &told.words {
        output::line(&format!("  {words}"));
    }
    for row in &d.queue {
        let marks = [
            (row.runs, "ran"),
            (row.protected, "protected"),
            (row.delayed, "asleep"),
        ];
        let marks: Vec<&str> = marks.iter().filter(|m| m.0).map(|m| m.1).collect();
        output::line(&format!(
            "  {:<20} lag {:>10} µs   deadline {:>10} µs   slice {:>8} µs   {}",
            row.thread,
            number(row.lag_ns / 1_000.0, 3),
            number(row.deadline_ns / 1_000.0, 3),
            number(row.slice_ns / 1_000.0, 3),
            marks.join(", ")
        ));
    }
}
