//! The runs whose decisions are checked: shipped scenarios, and drawn ones without end.

use crate::support::{MS, is_asked_for, shipped_scenario};
use serde_json::{Value, json};
use sim_run::rng::Rng;

/// The releases: scheduler and era.
const RELEASES: [(&str, &str); 8] = [
    ("cfs", "2.6.34"),
    ("cfs", "4.9"),
    ("cfs", "6.1"),
    ("eevdf", "6.6"),
    ("eevdf", "6.12"),
    ("eevdf", "6.18"),
    ("eevdf", "7.2"),
    ("eevdf", "7.3"),
];

/// A machine with so many cores.
fn machine(cores: u64) -> Value {
    let spec = sim_run::machine::registry::spec("i7860").expect("shipped");
    let mut machine = json!(spec);
    machine["id"] = json!("few");
    machine["topology"]["packages"][0]["nodes"][0]["llcs"][0]["cores"] =
        json!([{ "count": cores, "smt": 1 }]);
    machine
}

fn lane((id, era): (&str, &str), grouped: bool) -> Value {
    json!({ "id": id, "era": era, "tunables": { "groupPerApplication": grouped } })
}

/// What threads of an application do.
fn behaviour(rng: &mut Rng) -> Value {
    let mut ns = |most: u64| 20_000 + rng.below_u64(most);
    let (run, sleep, more) = (ns(4_000_000), ns(9_000_000), ns(600_000));
    match rng.below_u64(8) {
        0 | 1 => json!({ "kind": "loop" }),
        2 | 3 => json!({ "kind": "interactive", "params": {
            "computeUs": run / 1_000, "sleepUs": sleep / 1_000,
            "computeShape": "exponential", "sleepShape": "exponential"
        } }),
        4 => json!({ "kind": "pipeline", "params": {
            "stages": 3, "pipeHolds": 2, "workUs": more / 1_000, "messages": 0
        } }),
        5 => json!({ "kind": "yieldLoop", "params": { "yields": 0, "computeNs": more } }),
        6 => json!({ "kind": "barrier", "params": {
            "computeUs": run / 1_000, "imbalancePercent": 60, "rounds": 0
        } }),
        _ => json!({ "kind": "script", "params": {
            "program": format!("run {run}ns; yield; run {more}ns; sleep {sleep}ns; repeat")
        } }),
    }
}

/// Features that change which rule decides, by release; the first is that of the release as it is.
fn features((id, era): (&str, &str)) -> &'static [&'static [(&'static str, bool)]] {
    match (id, era) {
        ("eevdf", "6.12") => &[
            &[],
            &[("nextBuddy", true)],
            &[("runToParity", false)],
            &[("delayDequeue", false)],
            &[("pickBuddy", false)],
        ],
        // The check of a wake-up looks at the buddy, too, which is not judged.
        ("eevdf", "6.18") => &[
            &[],
            &[("runToParity", false)],
            &[("delayDequeue", false)],
            &[("protectShortest", false)],
        ],
        ("eevdf", "7.2") => &[
            &[],
            &[("requestTimer", false)],
            &[("delayedLagNeverWorse", false)],
            &[("exactDivision", false)],
        ],
        ("eevdf", "7.3") => &[
            &[],
            &[("runToParity", false)],
            &[("shortIsBuddy", false)],
            &[("protectToParity", false)],
            &[("flatGroups", false)],
        ],
        ("eevdf", _) => &[&[], &[("nextBuddy", true)], &[("runToParity", false)]],
        (_, "2.6.34") => &[&[], &[("nextBuddy", true)], &[("asymGran", false)]],
        _ => &[&[], &[("nextBuddy", true)], &[("lastBuddy", false)]],
    }
}

/// Applications of one to four threads each, on one to three CPUs or as many as given.
fn applications(seed: u64, release: (&str, &str), grouped: bool, cores: Option<u64>) -> Value {
    let mut rng = Rng::stream(seed, "applications", 0);
    let drawn = 1 + rng.below_u64(3);
    let cores = cores.unwrap_or(drawn);
    let count = 2 + rng.below_u64(5);
    let groups: Vec<Value> = (0..count)
        .map(|i| {
            let nice = i64::try_from(rng.below_u64(26)).expect("small") - 10;
            let policy = match rng.below_u64(10) {
                0 => "batch",
                1 => "idle",
                _ => "normal",
            };
            let mut group = json!({
                "name": format!("g{i}"), "count": 1 + rng.below_u64(4), "behaviour": behaviour(&mut rng),
                "nice": nice, "policy": policy, "startNs": rng.below_u64(30) * MS / 2,
                "startSpacingNs": rng.below_u64(3) * 700_000,
            });
            if rng.below_u64(4) == 0 {
                group["allowed"] = json!([rng.below_u64(cores)]);
            }
            if rng.below_u64(5) == 0 {
                group["sliceNs"] = json!(100_000 + rng.below_u64(8) * 500_000);
            }
            group
        })
        .collect();
    let mut lane = lane(release, grouped);
    let all = features(release);
    let chosen = usize::try_from(seed).expect("small") % all.len();
    for (id, is) in all[chosen] {
        lane["tunables"][*id] = json!(is);
    }
    lane["tunables"]["hz"] =
        json!([100, 250, 1_000][usize::try_from(rng.below_u64(3)).expect("few")]);
    let background = (rng.below_u64(3) == 0).then(|| {
        json!({ "daemons": {
            "count": 3, "wakesPerSecond": 200, "interruptPercent": 50, "tickAlignedPercent": 30,
            "runMeanNs": 60_000, "chainPercent": 50,
        } })
    });
    json!({
        "version": 1, "name": format!("applications {seed}"), "seed": seed,
        "machine": machine(cores), "schedulers": [lane], "groups": groups,
        "background": background, "end": { "atNs": 20_000 * MS },
    })
}

/// A shipped scenario in another lane, with fewer threads.
fn shipped_under(id: &str, release: (&str, &str), grouped: bool) -> Value {
    let mut scenario = serde_json::to_value(shipped_scenario(id)).expect("plain data");
    let parts = scenario.as_object_mut().expect("an object");
    for part in ["opening", "answer", "controls", "edits"] {
        parts.remove(part);
    }
    scenario["schedulers"] = json!([lane(release, grouped)]);
    for group in scenario["groups"].as_array_mut().expect("groups") {
        let few = group["count"].as_u64().expect("a number").min(24);
        group["count"] = json!(few);
        let nice = group["nice"].as_i64().unwrap_or(0).min(19);
        group["nice"] = json!(nice);
    }
    scenario
}

/// Three applications of one thread that only computes, on one CPU.
fn three_hogs(release: (&str, &str), grouped: bool) -> Value {
    let hog = |nice: i64| {
        json!({
            "name": format!("n{}", nice + 5), "count": 1, "behaviour": { "kind": "loop" },
            "nice": nice, "allowed": [0],
        })
    };
    json!({
        "version": 1, "name": "three hogs", "machine": machine(1),
        "schedulers": [lane(release, grouped)], "groups": [hog(-5), hog(0), hog(5)],
        "end": { "atNs": 5_000 * MS },
    })
}

/// The releases under test.
pub(super) fn releases() -> Vec<(&'static str, &'static str)> {
    let all = RELEASES.iter().copied();
    all.filter(|(id, _)| is_asked_for(id)).collect()
}

/// Runs of a release, with groups or without, one after the other without end.
pub(super) fn runs(
    release: (&'static str, &'static str),
    grouped: bool,
) -> impl Iterator<Item = Value> {
    let shipped = ["s3-nice", "s2a-interactive-batch", "s2b-request-server"];
    let shipped = shipped.map(|id| shipped_under(id, release, grouped));
    let hogs = [three_hogs(release, grouped)];
    let drawn = (0..).map(move |seed| applications(seed, release, grouped, None));
    shipped.into_iter().chain(hogs).chain(drawn)
}

/// Drawn runs of a release on one CPU, every other one with groups.
pub(super) fn on_one_cpu(
    release: (&'static str, &'static str),
    runs: u64,
) -> impl Iterator<Item = Value> {
    // Other ones than those of [`runs`].
    let seeds = 1_000_000..1_000_000 + runs;
    seeds.map(move |seed| applications(seed, release, seed / 2 % 2 == 0, Some(1)))
}
