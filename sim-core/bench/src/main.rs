//! `timeslice-bench NAME SECONDS`: runs a benchmark of the core once, and prints its result as JSON, with its scenario.
//! CI builds it for counting and comparing; people use `timeslice bench`.
//! CI builds to count and to compare; people have `timeslice bench`.

use sim_core::experiment::bench::{Bench, ROWS};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (name, seconds) = (args.next().unwrap_or_default(), args.next());
    let whole = seconds.as_deref().and_then(|text| text.parse().ok());
    let bench = whole.and_then(|seconds| Bench::new(&name, Some(seconds)));
    let Some(bench) = bench else {
        let known: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
        let known = known.join(", ");
        return say(
            &mut std::io::stderr(),
            &format!("usage: timeslice-bench NAME SECONDS, the name one of {known}"),
            ExitCode::from(2),
        );
    };
    say(
        &mut std::io::stdout(),
        &measured(&name, bench),
        ExitCode::SUCCESS,
    )
}

// The wall clock measures the simulator from outside; nothing simulated depends on it.
#[allow(clippy::disallowed_methods, clippy::disallowed_types)]
fn measured(name: &str, mut bench: Bench) -> String {
    let begin = std::time::Instant::now();
    let result = bench.run();
    serde_json::json!({
        "name": name,
        "kind": bench.kind(),
        "scenario": bench.scenario(),
        "simulatedSeconds": result.simulated_seconds,
        "count": result.count,
        "counted": result.counted,
        "digest": result.digest,
        "wallSeconds": begin.elapsed().as_secs_f64(),
    })
    .to_string()
}

fn say(to: &mut dyn Write, text: &str, code: ExitCode) -> ExitCode {
    match writeln!(to, "{text}") {
        Ok(()) => code,
        Err(_) => ExitCode::from(2),
    }
}
