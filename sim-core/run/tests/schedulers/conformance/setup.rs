//! Turns a case into a scenario: the same JSON that users write, so that cases use no private interface.

use super::case::{Change, Run, Threads, ns};
use crate::support::checked;
use serde_json::{Map, Value, json};
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::engine::{Options, Sim};
use std::sync::Arc;

/// Number of records that a run keeps; a case with more records fails.
pub(super) const KEPT: usize = 2_000_000;

/// The plan of a run.
pub(super) fn plan(id: &str, run: &Run) -> Result<Arc<Plan>, String> {
    let text = scenario(id, run).to_string();
    let scenario = validate::parse(&text).map_err(|e| format!("the scenario is wrong: {e:?}"))?;
    let plan = validate::plan(&scenario).map_err(|e| format!("the scenario is wrong: {e:?}"))?;
    Ok(Arc::new(plan))
}

/// A run at time 0. A run without records does not check its invariants either: it has the digest of a run that does,
/// or is long.
pub(super) fn start(plan: &Arc<Plan>, fast_forward: bool, keep: usize) -> Sim {
    let options = Options {
        fast_forward,
        trace_limit: keep,
        decision_limit: keep,
        check_every: if keep > 0 { checked().check_every } else { 0 },
    };
    Sim::new(plan, 0, options)
}

/// The scenario of a run, as users write one.
pub(super) fn scenario(id: &str, run: &Run) -> Value {
    let mut tunables: Map<String, Value> = run
        .tunables
        .iter()
        .map(|(k, v)| (k.clone(), serde_json::to_value(v).expect("plain data")))
        .collect();
    if run.scheduler == "bfs" {
        tunables.insert("hz".to_owned(), json!(run.hz));
        if run.rr > 0 {
            tunables.insert("rrIntervalMs".to_owned(), json!(run.rr));
        }
    }
    // 4BSD's facts come from a driver that ended sleeps in this way; ULE's are written with the intended ends.
    let sleep_end = match (run.scheduler.as_str(), run.era.as_deref()) {
        ("4bsd", _) => Some("firstTick"),
        ("ule", era) if era != Some("11.1-linux") => Some("exact"),
        _ => None,
    };
    if let Some(end) = sleep_end {
        tunables.entry("sleepEnd").or_insert(json!(end));
    }
    // Facts of Linux were observed without NUMA balancing, except those that are about it.
    let follows = matches!(
        (run.scheduler.as_str(), run.era.as_deref()),
        ("cfs", Some("4.9" | "6.1")) | ("eevdf", _)
    );
    if follows {
        tunables.entry("numaBalancing").or_insert(json!(false));
    }
    let name: String = id.chars().take(80).collect();
    let mut lane = json!({ "id": run.scheduler, "tunables": tunables });
    if let Some(era) = &run.era {
        lane["era"] = json!(era);
    }
    let kernel_threads = run.kernel_threads.as_ref().map(|(wakes, length)| {
        json!({ "kernelThreads": { "wakesPerSecond": wakes, "runNs": ns(length) } })
    });
    json!({
        "version": 1,
        "name": name,
        "seed": run.seed,
        "machine": machine(&run.machine),
        "schedulers": [lane],
        "background": kernel_threads,
        "cgroups": run.cgroups,
        "groups": run.threads.iter().map(group).collect::<Vec<_>>(),
        "timing": {
            "kickNs": ns(&run.kick),
            "idleExitNs": ns(&run.idle_exit),
            "idleExitDeepNs": ns(&run.deep_idle_exit),
            "tickPhase": match (run.aligned_ticks, run.kernel_ticks) {
                (true, _) => "aligned",
                (false, true) => "kernel",
                (false, false) => "staggered",
            },
            "idleExitDelays": run.idle_exit_delays,
            "idleTicks": if run.idle_cpus_tick { "ticking" } else { "tickless" },
        },
        "edits": run.edits.iter().map(edit).collect::<Vec<_>>(),
        "end": { "atNs": ns(&run.end) },
    })
}

/// A machine without costs, or a preset.
pub(crate) fn machine(text: &str) -> Value {
    let parts: Option<Vec<u16>> = text.split('x').map(|p| p.parse().ok()).collect();
    let [packages, caches, cores, smt] = match parts.as_deref() {
        Some([packages, cores, smt]) => [packages, &1, cores, smt],
        Some([packages, caches, cores, smt]) => [packages, caches, cores, smt],
        _ => return json!(text),
    };
    let llc = json!({ "count": caches, "cores": [{ "count": cores, "smt": smt }] });
    json!({
        "id": "conformance",
        "name": text,
        "year": 2010,
        "microarchitecture": "none",
        "purpose": "A machine without costs.",
        "topology": {
            "numbering": "coresFirst",
            "packages": [{ "count": packages, "nodes": [{ "count": 1, "llcs": [llc] }] }],
        },
        "clockMhz": 1000,
        "work": { "loopMilliCycles": 1000, "chaseMilliCycles": 4000, "overlapMilli": 800, "lruStepMilli": 300 },
        "caches": [
            { "level": 1, "bytes": 32768, "per": "core", "ways": 8, "latencyCycles": 4, "linePs": 0 },
            { "level": 2, "bytes": 8_388_608, "per": "llc", "ways": 16, "latencyCycles": 38, "linePs": 0 },
        ],
        "memory": { "localLatencyNs": 60, "peakMbPerS": 20000, "linePs": 0, "bandwidthMbPerS": 20000, "domain": "node", "nodeMib": 4096 },
        "costs": {
            "yieldNs": 0, "switchNs": 0, "tickNs": 0,
            "kickNs": 0, "idleExitNs": 0, "idleExitDeepNs": 0, "lineTransferNs": 0,
        },
        "provenance": [{ "fields": [""], "mark": "assumed", "source": "made for the case" }],
    })
}

fn group(threads: &Threads) -> Value {
    let behaviour = if let Some(behaviour) = &threads.behaviour {
        serde_json::to_value(behaviour).expect("plain data")
    } else if matches!(threads.program.as_str(), "dhrystone" | "loop") {
        json!({ "kind": threads.program })
    } else {
        let mut params = json!({ "program": threads.program });
        if let Some(child) = &threads.child {
            params["child"] = json!(child);
        }
        json!({ "kind": "script", "params": params })
    };
    let mut group = json!({
        "name": threads.name,
        "count": threads.count,
        "behaviour": behaviour,
        "nice": threads.nice,
        "startNs": ns(&threads.start),
        "startSpacingNs": ns(&threads.spacing),
    });
    if let Some(policy) = &threads.policy {
        group["policy"] = json!(policy);
        if policy == "fifo" || policy == "roundRobin" {
            group["rtPriority"] = json!(1);
        }
    }
    if let Some(slice) = &threads.slice {
        group["sliceNs"] = json!(ns(slice));
    }
    if let Some(cpus) = &threads.allowed {
        group["allowed"] = json!(cpus);
    }
    if let Some(kib) = threads.working_set_kib {
        group["workingSetBytes"] = json!(kib << 10);
    }
    if let Some(process) = &threads.process {
        group["process"] = json!(process);
    }
    if let Some(cgroup) = &threads.cgroup {
        group["cgroup"] = json!(cgroup);
    }
    group
}

fn edit(change: &Change) -> Value {
    if let Some((path, value)) = &change.set {
        return json!({ "atNs": ns(&change.t), "set": { path: value } });
    }
    let target = json!({ "group": change.group });
    let mut kinds = Vec::new();
    if let Some(cpus) = &change.pin {
        kinds.push(json!({ "kind": "pin", "target": target, "cpus": cpus }));
    }
    if let Some(nice) = change.nice {
        kinds.push(json!({ "kind": "setNice", "target": target, "nice": nice }));
    }
    if let Some(slice) = &change.slice {
        kinds.push(json!({ "kind": "setSlice", "target": target, "sliceNs": ns(slice) }));
    }
    for (asked, kind) in [
        (change.unpin, "unpin"),
        (change.pause, "pause"),
        (change.resume, "resume"),
    ] {
        if asked {
            kinds.push(json!({ "kind": kind, "target": target }));
        }
    }
    assert_eq!(
        kinds.len(),
        1,
        "a change is one of pin, unpin, nice, slice, pause, resume"
    );
    let edit = kinds.remove(0);
    json!({ "atNs": ns(&change.t), "edit": edit })
}
