//! Fixed workloads whose speed is measured: CPUs × hogs, natively and in WebAssembly.

use super::registry;
use crate::config::{Scenario, validate};
use crate::engine::{Options, Sim};
use crate::params::ParamValue;
use crate::report;
use serde::Serialize;
use std::sync::Arc;

/// Names of the benchmarks: CPUs × threads, under BFS 0.318 at 1000 Hz; with `cfs` under CFS of Linux 4.9 at 1000 Hz;
/// with `full` ticks are not skipped, with `sets` the threads sweep working sets of many sizes on an EPYC 9654. `yield`
/// with a scheduler of 2007: so many processes that only yield, on eight CPUs; a simulated second stands for a hundredth
/// there.
pub const NAMES: &[&str] = &[
    "8x8",
    "16x64",
    "32x512",
    "16x64-full",
    "desktop",
    "192x2000-sets",
    "32x512-cfs",
    "yield-100-ule",
    "yield-5000-ule",
    "yield-5000-4bsd",
];

/// What a benchmark did; the caller measures the time.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BenchResult {
    /// Name.
    pub name: String,
    /// Simulated time.
    pub simulated_seconds: u64,
    /// Events handled.
    pub events: u64,
    /// Digest, to see that both sides did the same.
    pub digest: String,
}

/// Runs a benchmark for so many simulated seconds; `None` if there is none of this name.
///
/// # Panics
/// If a benchmark's scenario is invalid; a test runs them all.
#[must_use]
pub fn run(name: &str, simulated_seconds: u64) -> Option<BenchResult> {
    if let Some(storm) = name.strip_prefix("yield-") {
        let (count, scheduler) = storm.split_once('-')?;
        return yield_storm(name, count.parse().ok()?, scheduler, simulated_seconds);
    }
    let (cpus, hogs, background, full) = match name {
        "8x8" => (8, 8, false, false),
        "16x64" => (16, 64, false, false),
        "32x512" | "32x512-cfs" => (32, 512, false, false),
        "16x64-full" => (16, 64, false, true),
        "desktop" => (8, 4, true, false),
        "192x2000-sets" => (192, 2000, false, false),
        _ => return None,
    };
    let sets = name.ends_with("sets");
    let mut machine = crate::machine::registry::spec(if sets { "epyc9654" } else { "i7860" })?;
    machine.id = format!("bench{cpus}");
    if !sets {
        machine.topology.packages[0].nodes[0].llcs[0].cores[0].count = cpus / 2;
    }
    let background = if background {
        serde_json::json!({ "daemons": {}, "kernelThreads": {} })
    } else {
        serde_json::Value::Null
    };
    let groups: Vec<_> = if sets {
        // From what fits the second level to what no cache holds.
        [64_u64, 512, 1024, 4096, 65_536]
            .iter()
            .map(|kib| {
                serde_json::json!({
                    "name": format!("sweep{kib}"), "count": hogs / 5,
                    "behaviour": { "kind": "loop" }, "workingSetBytes": kib << 10,
                    "startSpacingNs": 100_000,
                })
            })
            .collect()
    } else {
        vec![serde_json::json!({
            "name": "hog", "count": hogs, "behaviour": { "kind": "dhrystone" },
            "startSpacingNs": 1_000_000,
        })]
    };
    let lane = if name.ends_with("cfs") {
        serde_json::json!({ "id": "cfs", "era": "4.9", "tunables": { "hz": 1000 } })
    } else {
        serde_json::json!({ "id": "bfs", "tunables": { "hz": 1000 } })
    };
    let scenario = serde_json::json!({
        "version": 1,
        "name": name,
        "machine": machine,
        "schedulers": [lane],
        "groups": groups,
        "background": background,
        "end": { "atNs": simulated_seconds.clamp(1, 14_400) * 1_000_000_000 },
    });
    let scenario = validate::parse(&scenario.to_string()).expect("invariant: valid");
    Some(measured(name, &scenario, full, simulated_seconds))
}

/// Processes that only yield, on the machine of the published benchmark.
fn yield_storm(name: &str, count: u32, scheduler: &str, seconds: u64) -> Option<BenchResult> {
    let mut scenario = registry::scenario("s1-yield-storm")?;
    scenario.schedulers.retain(|lane| lane.id == scheduler);
    let group = &mut scenario.groups[0];
    group.count = count;
    group.start_spacing_ns = 100;
    let params = &mut group.behaviour.params;
    params.insert("yields".to_owned(), ParamValue::Int(0));
    scenario.end.at_ns = seconds.clamp(1, 14_400) * 10_000_000;
    Some(measured(name, &scenario, false, seconds))
}

fn measured(name: &str, scenario: &Scenario, full: bool, simulated_seconds: u64) -> BenchResult {
    let plan = Arc::new(validate::plan(scenario).expect("invariant: valid"));
    let options = Options {
        fast_forward: !full,
        check: false,
        ..Options::default()
    };
    let mut sim = Sim::new(&plan, 0, options);
    sim.run_until(sim.end());
    BenchResult {
        name: name.to_owned(),
        simulated_seconds,
        events: sim.handled(),
        digest: report::digest_text(&mut sim),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_benchmark_runs() {
        for name in NAMES {
            assert!(run(name, 1).expect("listed").events > 0);
        }
    }
}
