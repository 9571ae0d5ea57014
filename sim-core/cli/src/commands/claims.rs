//! `timeslice claims [ID…]`

use crate::arguments::seconds;
use crate::exit::Exit;
use crate::output::{self, Failure, Printed, number};
use indicatif::ProgressBar;
use sim_core::error::ConfigError;
use sim_core::experiment::claims::{
    self, Claim, Effort, Evaluation, Executor, Judged, Results, Seen, Verdict,
};
use sim_core::property::Set;
use sim_host::parallel;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these claims (W2, S3-after, …); all if none is named.
    ids: Vec<String>,
    /// Seeds of each run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Simulated time measured in each run in whole seconds, e.g. 60, 90s, 2min.
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = |text: &str| seconds(text, 3_600))]
    seconds: u64,
    /// What if a property of all runs were another: `lanes.ule.stealThresh=2`, `machine=v890`. May be given several
    /// times.
    #[arg(long, value_name = "PATH=VALUE", value_parser = Set::parse)]
    set: Vec<Set>,
    /// The same for a tunable, in the words of older versions: `ule.stealThresh=2`.
    #[arg(long, hide = true, value_name = "SCHEDULER.TUNABLE=VALUE", value_parser = tuning)]
    with: Vec<Set>,
    /// What if, as the claims' pages offer it (quiet, balance-off, …).
    #[arg(long, value_name = "ID", conflicts_with = "control")]
    what_if: Option<String>,
    /// With what each claim rests on taken away: each must give the verdict that its control says. Without names, all
    /// claims that have a control.
    #[arg(long)]
    control: bool,
    /// Judge results that `--save` wrote, without running anything.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["set", "with", "what_if", "control", "save"])]
    results: Option<PathBuf>,
    /// Write what the runs gave, by the names of columns.
    #[arg(long, value_name = "FILE", conflicts_with = "control")]
    save: Option<PathBuf>,
    /// Only what the verdicts depend on: a hash for each claim of its runs and bounds, and the schedulers that run.
    #[arg(long, conflicts_with_all = ["control", "results", "save"])]
    inputs: bool,
    /// Only the published numbers, what the runs gave instead, and the mean errors.
    #[arg(long, conflicts_with_all = ["control", "inputs"])]
    numbers: bool,
    #[command(flatten)]
    printed: Printed,
    /// Say nothing of what is being run.
    #[arg(long)]
    quiet: bool,
}

fn changes(args: &Args) -> Vec<Set> {
    [args.with.as_slice(), &args.set].concat()
}

fn tuning(text: &str) -> Result<Set, String> {
    Set::parse(&format!("lanes.{text}"))
}

/// Carries out runs on all cores, and shows how many are done.
struct AllCores {
    bar: ProgressBar,
}

impl Executor for AllCores {
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Seen + Sync)) -> Vec<Seen> {
        self.bar.inc_length(n as u64);
        parallel::map(n, parallel::cores(), run, |_| self.bar.inc(1))
    }
}

fn failure(errors: Vec<ConfigError>) -> Failure {
    Failure {
        source: "claims".to_owned(),
        errors,
    }
}

fn one(error: ConfigError) -> Failure {
    failure(vec![error])
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let chosen: Vec<Claim> = if args.ids.is_empty() {
        claims::claims()
    } else {
        let found = args.ids.iter().map(|id| claims::find(id));
        found.collect::<Result<_, _>>().map_err(one)?
    };
    let effort = Effort {
        seeds: args.seeds,
        seconds: args.seconds,
    };
    if args.inputs {
        return inputs(&chosen, effort, args.printed.is_json());
    }
    if args.control {
        return controls(&chosen, effort, args);
    }
    let judged = match (&args.results, &args.what_if) {
        (Some(file), _) => judged(&chosen, &read(file)?)?,
        (None, Some(id)) => what_if(chosen, id, effort, args)?,
        (None, None) => carried_out(&chosen, effort, &changes(args), args)?,
    };
    if args.numbers {
        numbers(&judged, args.printed.is_json());
        return Ok(Exit::Good);
    }
    if args.printed.is_json() {
        output::json(&judged);
    } else {
        judged.iter().for_each(print);
        summary(&judged);
    }
    // Without names, claims that cannot be evaluated do not count. Claims that were named must hold.
    let bad = |e: &Evaluation| match e.verdict {
        Verdict::Holds => false,
        Verdict::Fails | Verdict::Undecided => true,
        Verdict::Unavailable => !args.ids.is_empty(),
    };
    Ok(code(judged.iter().any(bad)))
}

fn code(is_bad: bool) -> Exit {
    if is_bad { Exit::Bad } else { Exit::Good }
}

fn judged(chosen: &[Claim], results: &Results) -> Result<Vec<Evaluation>, Failure> {
    let all = chosen.iter().map(|c| claims::evaluation(c, results));
    let all: Vec<Option<Evaluation>> = all.collect::<Result<_, _>>().map_err(one)?;
    Ok(all.into_iter().flatten().collect())
}

/// Reads results that were written before.
fn read(file: &Path) -> Result<Results, Failure> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file).map_err(|e| Failure::new(&name, e.to_string()))?;
    let results: Results =
        serde_json::from_str(&text).map_err(|e| Failure::new(&name, e.to_string()))?;
    match results.ragged().first() {
        Some(key) => Err(Failure::new(
            &name,
            format!("{key}: there must be a value for each column in each row"),
        )),
        None => Ok(results),
    }
}

fn carried_out(
    chosen: &[Claim],
    effort: Effort,
    changes: &[Set],
    args: &Args,
) -> Result<Vec<Evaluation>, Failure> {
    let bar = output::bar(0, "runs so far", args.quiet);
    let all_cores = AllCores { bar: bar.clone() };
    let mut tell = |text: &str| {
        if !args.quiet {
            bar.suspend(|| output::progress(text));
        }
    };
    let results = claims::carry_out(chosen, effort, &all_cores, changes, &mut tell);
    bar.finish_and_clear();
    let results = results.map_err(failure)?;
    if let Some(file) = &args.save {
        let text = serde_json::to_string(&results)
            .map_err(|e| Failure::new(file.display().to_string(), e.to_string()))?;
        output::file(file, &text)?;
    }
    judged(chosen, &results)
}

/// Evaluates with a trial of the claims' pages. Without names: the claims of the pages that offer it.
fn what_if(
    chosen: Vec<Claim>,
    id: &str,
    effort: Effort,
    args: &Args,
) -> Result<Vec<Evaluation>, Failure> {
    let mut all = Vec::new();
    let mut known = Vec::new();
    for page in claims::pages() {
        let of_page: Vec<Claim> = chosen
            .iter()
            .filter(|c| c.page == page.id)
            .cloned()
            .collect();
        if of_page.is_empty() {
            continue;
        }
        let offered = claims::what_ifs(page.id).map_err(one)?;
        known.extend(offered.iter().map(|w| format!("{} ({})", w.id, page.id)));
        let Some(what) = offered.into_iter().find(|w| w.id == id) else {
            continue;
        };
        let changes = [what.changes, changes(args)].concat();
        all.extend(carried_out(&of_page, effort, &changes, args)?);
    }
    if all.is_empty() {
        let message = format!("must be one of {}; got \"{id}\"", known.join(", "));
        return Err(Failure::new("--what-if", message));
    }
    Ok(all)
}

/// Evaluates each claim with its control.
fn controls(chosen: &[Claim], effort: Effort, args: &Args) -> Result<Exit, Failure> {
    let lacks = |c: &&Claim| c.control.is_none();
    if let Some(claim) = chosen.iter().find(lacks).filter(|_| !args.ids.is_empty()) {
        return Err(Failure::new(&claim.id, "this claim has no control"));
    }
    let mut all = Vec::new();
    let mut is_bad = false;
    for claim in chosen {
        let Some(control) = &claim.control else {
            continue;
        };
        let changes = [control.changes(), changes(args)].concat();
        let one = carried_out(std::slice::from_ref(claim), effort, &changes, args)?;
        is_bad |= one.iter().any(|e| e.verdict != control.expects);
        if !args.printed.is_json() {
            for e in &one {
                let is_as_expected = e.verdict == control.expects;
                let word = if is_as_expected {
                    "as expected"
                } else {
                    "NOT AS EXPECTED"
                };
                output::line(&format!(
                    "{:<10} {:<14} {word}: {}\n           {}",
                    claim.id,
                    self::word(e.verdict),
                    control.what,
                    e.found
                ));
            }
        }
        all.extend(one);
    }
    if args.printed.is_json() {
        output::json(&all);
    }
    Ok(code(is_bad))
}

fn inputs(chosen: &[Claim], effort: Effort, as_json: bool) -> Result<Exit, Failure> {
    let all = chosen.iter().map(|c| claims::inputs(c, effort));
    let all: Vec<claims::Inputs> = all.collect::<Result<_, _>>().map_err(one)?;
    if as_json {
        output::json(&all);
    } else {
        for i in &all {
            let schedulers: Vec<&str> = i.schedulers.iter().map(String::as_str).collect();
            let (n, schedulers) = (i.runs, schedulers.join(", "));
            output::line(&format!(
                "{:<10} {} {n:>5} runs of {schedulers}",
                i.id, i.hash
            ));
        }
    }
    Ok(Exit::Good)
}

fn numbers(judged: &[Evaluation], as_json: bool) {
    let numbers = claims::numbers(judged);
    if as_json {
        output::json(&numbers);
        return;
    }
    for n in &numbers.numbers {
        output::line(&format!(
            "{:<4} {:<10} {:<70} {:>10} {:>10} {:>8} %",
            n.source,
            n.claim,
            n.name,
            claims::short(n.published),
            claims::short(n.simulated),
            number(100.0 * n.relative_error, 2)
        ));
    }
    for (source, error) in &numbers.mean_errors {
        let percent = number(100.0 * error, 2);
        output::line(&format!(
            "{source}: mean absolute relative error {percent} %"
        ));
    }
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "FAILS",
        Verdict::Undecided => "undecided",
        Verdict::Unavailable => "unavailable",
    }
}

fn print(e: &Evaluation) {
    output::line(&format!(
        "{:<10} {:<14} {}",
        e.claim.id,
        word(e.verdict),
        e.claim.statement
    ));
    e.measures.iter().for_each(measure);
    output::line(&format!("           source: {}", e.claim.source));
    if !e.note.is_empty() {
        output::line(&format!("           {}", e.note));
    }
}

fn measure(m: &Judged) {
    let half = m
        .half
        .map_or(String::new(), |h| format!(" ± {}", number(h, 4)));
    output::line(&format!(
        "           {:<12} {:<50} {:>8}{half}  {}",
        word(m.verdict),
        m.name,
        number(m.value, 4),
        m.text
    ));
    for b in &m.band {
        let (word, value) = (word(b.verdict), number(b.value, 4));
        output::line(&format!(
            "             {word:<12} {:<48} {value:>8}",
            b.what
        ));
    }
}

fn summary(results: &[Evaluation]) {
    let count = |v: Verdict| results.iter().filter(|e| e.verdict == v).count();
    output::line(&format!(
        "{} hold, {} fail, {} are undecided, {} not available",
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::Undecided),
        count(Verdict::Unavailable)
    ));
}
