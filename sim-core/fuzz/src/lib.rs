//! The targets of the fuzzer. Its bytes are a scenario, a snapshot, the fields of a link, actions of a person on a run, a
//! trace of a real machine, or a program of an own policy. No bytes may cause a panic, and every refusal has a message.
//!
//! `sim-core/tests/it` replays the corpus through these functions, without a fuzzer.

mod input;
#[cfg(feature = "policy")]
mod policy;
mod seal;
mod trace;

#[cfg(feature = "policy")]
pub use policy::policy;
pub use trace::import;

use input::Input;
use seal::seal;
use serde_json::{Value, json};
use sim_core::config::plan::Plan;
use sim_core::config::{Scenario, SchedulerChoice, validate};
use sim_core::engine::replay::Replay;
use sim_core::engine::{Options, Sim};
use sim_core::error::{ConfigError, MAX_PROBLEMS};
use sim_core::experiment::registry;
use sim_core::params::ParamMap;
use sim_core::property;
use sim_core::text::is_unseen;
use sim_core::time::SimTime;
use std::cell::RefCell;
use std::sync::Arc;

/// Number of events in each run: enough for every state of a thread, few enough for hundreds of runs a second.
const EVENTS: u64 = 150;
/// Larger runs are left to other tests, because every event is checked against every thread and CPU.
const MOST_THREADS: u64 = 100;
const MOST_CPUS: usize = 32;

const MS: u64 = 1_000_000;

/// A text of unknown origin: it is refused with a message, or it is a scenario that is read as it is written, and runs.
pub fn scenario(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    match validate::parse(text) {
        Err(errors) => in_words(&errors),
        Ok(scenario) => {
            let written = serde_json::to_string(&scenario).expect("plain data");
            let again = validate::parse(&written).expect("what was written is read");
            assert!(again == scenario, "read otherwise than written: {written}");
            runs(&scenario);
        }
    }
}

/// Checks that there are few messages, and that each fits in a line.
fn in_words(errors: &[ConfigError]) {
    assert!((1..=MAX_PROBLEMS + 1).contains(&errors.len()), "{errors:?}");
    for error in errors {
        let message = &error.message;
        assert!(!message.is_empty(), "{errors:?}");
        assert!(message.len() < 20_000, "{} bytes", message.len());
        assert!(!message.contains(is_unseen), "{error:?}");
    }
}

/// Checks that an accepted scenario runs.
fn runs(scenario: &Scenario) {
    let plan = match validate::plan(scenario) {
        Ok(plan) => Arc::new(plan),
        Err(errors) => return in_words(&errors),
    };
    let threads: u64 = plan.groups.iter().map(|g| u64::from(g.count)).sum();
    if threads > MOST_THREADS || plan.machine.cpu_count() > MOST_CPUS {
        return;
    }
    for lane in 0..plan.lanes.len() {
        let mut sim = Sim::new(&plan, lane, checked());
        sim.advance(sim.end(), EVENTS);
        sim.refresh();
    }
}

fn checked() -> Options {
    Options {
        check_every: 1,
        ..Options::default()
    }
}

/// Small runs under every scheduler, with every kind of feature.
fn plans() -> Vec<Arc<Plan>> {
    let group = |name: &str, kind: &str, params: Value| json!({ "name": name, "count": 2, "behaviour": { "kind": kind, "params": params } });
    sim_core::sched::registry::ALL
        .schedulers
        .iter()
        .map(|scheduler| {
            let scenario = json!({
                "version": 1,
                "name": "something of everything",
                "machine": "i7860",
                "schedulers": [{ "id": scheduler.id }],
                "groups": [
                    group("a", "script", json!({ "program": "run 5ms; sleep 2ms; fork; yield; repeat", "child": "run 1us" })),
                    group("b", "interactive", json!({})),
                    group("c", "compute", json!({})),
                ],
                "background": { "daemons": { "count": 2 }, "kernelThreads": {} },
                "end": { "atNs": 60 * MS },
            });
            let scenario = validate::parse(&scenario.to_string()).expect("of the right shape");
            Arc::new(validate::plan(&scenario).expect("valid"))
        })
        .collect()
}

thread_local! {
    static PLANS: Vec<Arc<Plan>> = plans();
    static RUNS: RefCell<Vec<(Sim, Vec<u8>)>> = RefCell::new(running());
}

fn running() -> Vec<(Sim, Vec<u8>)> {
    let plans = PLANS.with(Clone::clone);
    plans
        .iter()
        .map(|plan| {
            let mut sim = Sim::new(plan, 0, checked());
            sim.run_until(SimTime(13 * MS));
            let bytes = sim.snapshot();
            (sim, bytes)
        })
        .collect()
}

/// A changed snapshot with a valid seal. The first byte chooses the run; then come changes of four bytes each: a place
/// in the snapshot, an operation and its argument. The snapshot is accepted or refused, and never damages the run.
pub fn snapshot(data: &[u8]) {
    let mut input = Input(data);
    RUNS.with_borrow_mut(|all| {
        let which = usize::from(input.byte()) % all.len();
        let (sim, bytes) = &mut all[which];
        let mut changed = bytes[..bytes.len() - 8].to_vec();
        while !input.0.is_empty() && !changed.is_empty() {
            let at = input.number() % changed.len();
            match (input.byte() % 5, input.byte()) {
                (0, value) => changed[at] = value,
                (1, value) => changed[at] ^= value,
                (2, value) => changed.insert(at, value),
                (3, count) => {
                    changed.drain(at..(at + usize::from(count)).min(changed.len()));
                }
                (_, 0) => changed.truncate(at),
                (_, value) => changed[at] = changed[at].wrapping_add(value),
            }
        }
        let before = sim.digest();
        if sim.restore(&seal(&changed)).is_ok() {
            sim.restore(bytes).expect("of this very run");
        }
        assert_eq!(sim.digest(), before, "the run has changed");
    });
}

/// The fields of a link over a shipped scenario, as `key=value` joined by `&`: `x` is the scenario, `m` the machine, `s` the
/// schedulers, `k1` a count, `nice1`, `ws1`, `l1.hz` a tunable, `g1.run` a parameter, `seed`, `end`, `e` a list of edits.
pub fn link(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let shipped = |n: usize| -> Value {
        serde_json::from_str(registry::SCENARIOS[n].1).expect("shipped scenarios are JSON")
    };
    let mut base = shipped(0);
    let mut set = vec![("/schedulers".to_owned(), lanes("bfs"))];
    for field in text.split('&').take(12) {
        let Some((key, text)) = field.split_once('=') else {
            continue;
        };
        let value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
        match key {
            "x" => {
                let n = text.bytes().map(usize::from).sum::<usize>() % registry::SCENARIOS.len();
                base = shipped(n);
            }
            "m" => set.push(("/machine".to_owned(), value)),
            "s" => set.push(("/schedulers".to_owned(), lanes(text))),
            "e" => set.push(("/edits".to_owned(), value)),
            "end" => set.push(("/end/atNs".to_owned(), value)),
            "seed" => set.push(("/seed".to_owned(), value)),
            _ => set.push((pointer(key), value)),
        }
    }
    for (pointer, value) in set {
        match place(&mut base, &pointer) {
            Some(place) => *place = value,
            None => return,
        }
    }
    property::drop_guide(&mut base);
    match validate::parse(&base.to_string()) {
        Err(errors) => in_words(&errors),
        Ok(scenario) => runs(&scenario),
    }
}

/// The place to which a JSON pointer leads; missing objects on the way are created.
fn place<'a>(value: &'a mut Value, pointer: &str) -> Option<&'a mut Value> {
    pointer.split('/').skip(1).try_fold(value, |at, key| {
        if at.is_null() {
            *at = Value::Object(serde_json::Map::new());
        }
        match at {
            Value::Object(map) => Some(map.entry(key).or_insert(Value::Null)),
            Value::Array(list) => list.get_mut(key.parse::<usize>().ok()?),
            _ => None,
        }
    })
}

/// Lanes as they are written in a link.
fn lanes(text: &str) -> Value {
    let lanes: Vec<_> = text.split(',').take(5).map(choice).collect();
    serde_json::to_value(lanes).expect("plain data")
}

/// `bfs:0.318` as a lane.
fn choice(text: &str) -> SchedulerChoice {
    let (id, era) = text.split_once(':').unwrap_or((text, ""));
    SchedulerChoice {
        id: id.to_owned(),
        era: (!era.is_empty()).then(|| era.to_owned()),
        tunables: ParamMap::new(),
        program: None,
    }
}

/// The place in the scenario to which a key leads: its letters give the kind, its number the entry.
fn pointer(key: &str) -> String {
    let (head, tail) = key.split_once('.').unwrap_or((key, ""));
    let word = head.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = head[word.len()..].parse::<usize>().unwrap_or(1);
    let at = number.saturating_sub(1);
    match word {
        "k" => format!("/groups/{at}/count"),
        "nice" => format!("/groups/{at}/nice"),
        "ws" => format!("/groups/{at}/workingSetBytes"),
        "l" => format!("/schedulers/{at}/tunables/{tail}"),
        "g" => format!("/groups/{at}/behaviour/params/{tail}"),
        _ => format!("/{key}"),
    }
}

/// Actions of a person on a run: the first byte chooses the scheduler, the next ones the actions. In the end the run
/// must equal the one that its log of edits describes.
pub fn edits(data: &[u8]) {
    let mut input = Input(data);
    let which = usize::from(input.byte());
    let plan = PLANS.with(|all| all[which % all.len()].clone());
    let options = Options {
        check_every: 1,
        ..Options::interactive()
    };
    let mut replay = Replay::new(&plan, 0, options);
    let end = replay.sim().end().0;
    for _ in 0..16 {
        if input.0.is_empty() {
            break;
        }
        let place = SimTime(end / 256 * u64::from(input.byte()));
        match input.byte() % 8 {
            0 | 1 => replay.advance(place, EVENTS),
            2 => {
                replay.seek(place, EVENTS);
            }
            3 => {
                let kinds = [
                    "event",
                    "tick",
                    "decision",
                    "switch",
                    "migration",
                    "wakeup",
                    "exit",
                ];
                let kind = kinds[usize::from(input.byte()) % kinds.len()];
                let kind = replay.step_kind(kind).expect("the page's words are known");
                let about = input.about();
                if input.byte().is_multiple_of(2) {
                    replay.run_to(kind, about, EVENTS);
                } else {
                    replay.run_back_to(kind, about);
                }
            }
            4 => {
                let bytes = replay.snapshot();
                replay.restore(&bytes).expect("of this very run");
            }
            5 => {
                let next = replay.sim().decisions().next_id();
                drop(replay.explain(next * u64::from(input.byte()) / 256));
            }
            _ => {
                let (edit, lane) = input.edit();
                if let Err(errors) = replay.edit(edit, lane) {
                    in_words(&errors);
                }
            }
        }
    }
    let (now, handled) = (replay.sim().now(), replay.sim().handled());
    let mut logged = plan.scenario.clone();
    logged.edits = replay.edits().to_vec();
    let logged = Arc::new(validate::plan(&logged).expect("edits that were made are valid"));
    let mut again = Replay::new(&logged, 0, checked());
    again.seek_event(handled, now, u64::MAX);
    let (found, wanted) = (again.sim_mut().digest(), replay.sim_mut().digest());
    assert_eq!(found, wanted, "another run than its log describes");
}
