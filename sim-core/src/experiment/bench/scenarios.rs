//! The scenarios of the benchmarks, by their names.

use crate::bounds;
use crate::config::Scenario;
use crate::experiment::registry;
use crate::params::ParamValue;
use crate::sched::registry::ALL;
use serde_json::{Value, json};

/// Prefix of the name of a bare run of any size: `size-64x256` or `size-64x256-cfs`.
pub(super) const SIZE: &str = "size-";

/// The scenario of a benchmark over `seconds` simulated seconds, as JSON; `None` if its name is unknown.
pub(super) fn json(name: &str, seconds: u64) -> Option<String> {
    if let Some(storm) = name.strip_prefix("yield-") {
        let (count, scheduler) = storm.split_once('-')?;
        let storm = yield_storm(count.parse().ok()?, scheduler, seconds)?;
        return Some(serde_json::to_string(&storm).expect("invariant: plain data"));
    }
    let sized = name.strip_prefix(SIZE);
    let (cpus, threads) = match sized.unwrap_or(name).split('-').next()? {
        "desktop" => (8, 4),
        "frame" => (32, 500),
        size => {
            let (cpus, threads) = size.split_once('x')?;
            (cpus.parse().ok()?, threads.parse().ok()?)
        }
    };
    if !(2..=1024).contains(&cpus) || cpus % 2 > 0 || !(1..=10_000).contains(&threads) {
        return None;
    }
    let has = |word: &str| name.split('-').any(|part| part == word);
    let background = if has("desktop") {
        json!({ "daemons": {}, "kernelThreads": {} })
    } else {
        Value::Null
    };
    let groups = if has("sets") {
        sweeps(threads)
    } else {
        hogs(threads)
    };
    let named = ALL.schedulers.iter().find(|s| has(s.id));
    let era = |usual| {
        let known = named.into_iter().flat_map(|s| s.eras);
        known.map(|e| e.id).find(|id| has(id)).unwrap_or(usual)
    };
    let lane = match named.map(|s| s.id) {
        Some("cfs") => json!({ "id": "cfs", "era": era("4.9"), "tunables": { "hz": 1000 } }),
        Some("eevdf") => json!({ "id": "eevdf", "era": era("6.12"), "tunables": { "hz": 1000 } }),
        None => json!({ "id": "bfs", "tunables": { "hz": 1000 } }),
        Some(id) => json!({ "id": id }),
    };
    let machine = if sized.is_none() && has("16x64") && (has("cfs") || has("eevdf")) {
        json!("v890")
    } else if has("sets") {
        machine("epyc9654", cpus, None)?
    } else {
        machine("i7860", cpus, Some(cpus / 2))?
    };
    let scenario = json!({
        "version": 1,
        "name": name,
        "machine": machine,
        "schedulers": [lane],
        "groups": groups,
        "background": background,
        "end": { "atNs": seconds * 1_000_000_000 },
    });
    Some(scenario.to_string())
}

/// Hogs that start 1 ms apart, in as many groups as their number needs.
fn hogs(threads: u32) -> Value {
    let most = u32::try_from(bounds::COUNT.max).unwrap_or(u32::MAX);
    let group = |first: u32| {
        json!({
            "name": if first == 0 { "hog".to_owned() } else { format!("hog{first}") },
            "count": (threads - first).min(most),
            "behaviour": { "kind": "dhrystone" },
            "startNs": u64::from(first) * 1_000_000, "startSpacingNs": 1_000_000,
        })
    };
    (0..threads).step_by(most as usize).map(group).collect()
}

/// A preset machine, with another number of cores if one is given.
fn machine(preset: &str, cpus: u16, cores: Option<u16>) -> Option<Value> {
    let mut machine = crate::machine::registry::spec(preset)?;
    machine.id = format!("bench{cpus}");
    if let Some(cores) = cores {
        machine.topology.packages[0].nodes[0].llcs[0].cores[0].count = cores;
    }
    Some(serde_json::to_value(machine).expect("invariant: plain data"))
}

/// Working sets from one that fits in the second level to one that no cache holds.
fn sweeps(threads: u32) -> Value {
    let group = |kib: &u64| {
        json!({
            "name": format!("sweep{kib}"), "count": threads / 5,
            "behaviour": { "kind": "loop" }, "workingSetBytes": kib << 10,
            "startSpacingNs": 100_000,
        })
    };
    [64_u64, 512, 1024, 4096, 65_536]
        .iter()
        .map(group)
        .collect()
}

/// Processes that only yield, on the machine of the published benchmark.
fn yield_storm(count: u32, scheduler: &str, seconds: u64) -> Option<Scenario> {
    let mut scenario = registry::scenario("s1-yield-storm")?;
    scenario.schedulers.retain(|lane| lane.id == scheduler);
    let group = &mut scenario.groups[0];
    group.count = count;
    group.start_spacing_ns = 100;
    let params = &mut group.behaviour.params;
    params.insert("yields".to_owned(), ParamValue::Int(0));
    scenario.end.at_ns = seconds * 10_000_000;
    Some(scenario)
}
