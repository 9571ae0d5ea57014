//! `timeslice claims [ID…]`

use crate::output::{self, Failure};
use crate::parallel;
use sim_core::experiment::claims::{self, Claim, Effort, Evaluation, Executor, Verdict};
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
    /// Print as the page `docs/claims.md`.
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// Runs on all cores.
struct AllCores;

impl Executor for AllCores {
    fn map(&self, n: usize, run: &(dyn Fn(usize) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
        parallel::map(n, parallel::cores(), run, |_| ())
    }
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
    let results = claims::evaluate(&chosen, effort, &AllCores, &mut output::progress);
    if args.json {
        output::json(&results);
    } else if args.markdown {
        markdown(&results, effort);
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

fn markdown(results: &[Evaluation], effort: Effort) {
    output::line("# Published claims\n");
    output::line(&format!(
        "Written by `npm run claims`; do not edit. Each number is the mean over {} seeds of {} simulated seconds.\n",
        effort.seeds, effort.seconds
    ));
    output::line("| Claim | Verdict | Statement | Holds if |\n|---|---|---|---|");
    for e in results {
        output::line(&format!(
            "| {} | {} | {} | {} |",
            e.claim.id,
            verdict(e),
            e.claim.statement,
            e.claim.acceptance
        ));
    }
    for e in results.iter().filter(|e| !e.measures.is_empty()) {
        output::line(&format!("\n## {}: {}\n", e.claim.id, e.claim.statement));
        output::line(&format!("{}.\n", e.claim.source));
        output::line("| Measure | Value | Holds from | to | |\n|---|---|---|---|---|");
        for m in &e.measures {
            let number = |x: Option<f64>| {
                x.filter(|x| x.is_finite())
                    .map_or_else(|| "–".to_owned(), |x| format!("{x:.3}"))
            };
            output::line(&format!(
                "| {} | {} | {} | {} | {} |",
                m.name,
                number(m.value),
                number(Some(m.low)),
                number(Some(m.high)),
                word(m.verdict)
            ));
        }
        if !e.note.is_empty() {
            output::line(&format!("\n{}.", e.note));
        }
    }
    output::line("\n## Not available yet\n");
    for e in results.iter().filter(|e| e.measures.is_empty()) {
        output::line(&format!("- {}: {}", e.claim.id, e.note));
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
