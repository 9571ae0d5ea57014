//! `timeslice claims [ID…]`

use crate::output::{self, Failure};
use sim_core::experiment::claims::{self, Claim, Effort, Evaluation, Verdict};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these claims (W2, S3-after, …); all if none is named.
    ids: Vec<String>,
    /// Seeds of each run.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
    /// Simulated seconds measured in each run.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
    /// Print as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let all = claims::claims();
    let chosen: Vec<Claim> = if args.ids.is_empty() {
        all.clone()
    } else {
        let mut chosen = Vec::new();
        for id in &args.ids {
            let found = all.iter().find(|c| c.id.eq_ignore_ascii_case(id));
            let Some(claim) = found else {
                let known: Vec<_> = all.iter().map(|c| c.id.as_str()).collect();
                return Err(Failure::new(
                    "claims",
                    format!("\"{id}\" must be one of {}", known.join(", ")),
                ));
            };
            chosen.push(claim.clone());
        }
        chosen
    };
    let effort = Effort {
        seeds: args.seeds,
        seconds: args.seconds,
    };
    let results = claims::evaluate(&chosen, effort, &mut output::progress);
    if args.json {
        output::json(&results);
    } else {
        results.iter().for_each(print);
        summary(&results);
    }
    // Without names, what cannot be evaluated yet does not count; what was named must hold.
    let bad = |e: &Evaluation| match e.verdict {
        Verdict::Holds => false,
        Verdict::Fails => true,
        Verdict::Unavailable => !args.ids.is_empty(),
    };
    Ok(if results.iter().any(bad) {
        ExitCode::from(1)
    } else {
        ExitCode::SUCCESS
    })
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "FAILS",
        Verdict::Unavailable => "unavailable",
    }
}

fn print(e: &Evaluation) {
    output::line(&format!(
        "{:<10} {:<12} {}",
        e.claim.id,
        word(e.verdict),
        e.claim.statement
    ));
    for m in &e.measures {
        match m.value {
            Some(value) => output::line(&format!(
                "           {:<12} {:<50} {value:>8.4}  in {:.4} to {:.4}",
                word(m.verdict),
                m.name,
                m.low,
                m.high
            )),
            None => output::line(&format!(
                "           {:<12} {:<50}",
                word(m.verdict),
                m.name
            )),
        }
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
        "{} hold, {} fail, {} not available yet",
        count(Verdict::Holds),
        count(Verdict::Fails),
        count(Verdict::Unavailable)
    ));
}
