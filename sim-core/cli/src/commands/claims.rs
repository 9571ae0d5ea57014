//! `timeslice claims [ID…]`

use crate::arguments::seconds;
use crate::output::{self, Failure, number};
use crate::parallel;
use sim_core::experiment::change::Change;
use sim_core::experiment::claims::{self, Claim, Effort, Evaluation, Executor, Seen, Verdict};
use std::process::ExitCode;

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
    /// What if a scheduler had another value of a tunable: `ule.stealThresh=2`, `ule.balance=false`. May be given
    /// several times.
    #[arg(long, value_name = "SCHEDULER.TUNABLE=VALUE", value_parser = tuning)]
    with: Vec<Change>,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

fn tuning(text: &str) -> Result<Change, String> {
    let parts = text.split_once('=').and_then(|(what, value)| {
        let (scheduler, tunable) = what.split_once('.')?;
        Some((scheduler, tunable, value))
    });
    let (scheduler, tunable, value) = parts.ok_or("must look like ule.stealThresh=2")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| serde_json::Value::from(value));
    Ok(Change::tunable(scheduler, tunable, value))
}

/// Runs on all cores.
struct AllCores;

impl Executor for AllCores {
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Seen + Sync)) -> Vec<Seen> {
        parallel::map(n, parallel::cores(), run, |_| ())
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let chosen: Vec<Claim> = if args.ids.is_empty() {
        claims::claims()
    } else {
        let found = args.ids.iter().map(|id| claims::find(id));
        found.collect::<Result<_, _>>().map_err(|e| Failure {
            source: "claims".to_owned(),
            errors: vec![e],
        })?
    };
    let effort = Effort {
        seeds: args.seeds,
        seconds: args.seconds,
    };
    let results = claims::evaluate(
        &chosen,
        effort,
        &AllCores,
        &args.with,
        &mut output::progress,
    )
    .map_err(|errors| Failure {
        source: "claims".to_owned(),
        errors,
    })?;
    if args.json {
        output::json(&results);
    } else {
        results.iter().for_each(print);
        summary(&results);
    }
    // Without names, what cannot be evaluated yet does not count; what was named must hold.
    let bad = |e: &Evaluation| match e.verdict {
        Verdict::Holds => false,
        Verdict::Fails | Verdict::Undecided => true,
        Verdict::Unavailable => !args.ids.is_empty(),
    };
    Ok(if results.iter().any(bad) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

/// The verdict of a claim; it says so if some parts cannot be evaluated yet.
fn verdict(e: &Evaluation) -> &'static str {
    let partial = e.measures.iter().any(|m| m.verdict == Verdict::Unavailable);
    match e.verdict {
        Verdict::Holds if partial => "holds, in part",
        v => word(v),
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
        verdict(e),
        e.claim.statement
    ));
    for m in &e.measures {
        output::line(&format!(
            "           {:<12} {:<50} {:>8}  {}",
            word(m.verdict),
            m.name,
            number(m.value, 4),
            m.text
        ));
    }
    if !e.measures.is_empty() {
        output::line(&format!("           source: {}", e.claim.source));
    }
    if !e.note.is_empty() {
        output::line(&format!("           {}", e.note));
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
