//! The format of a file of situations, and the plan of a situation for one lane.

use super::lanes::Lane;
use crate::conformance::{machine_without_costs, ns};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sim_run::config::edit::TimedEdit;
use sim_run::config::plan::Plan;
use sim_run::config::validate;
use sim_run::params::ParamKind;
use sim_run::sched::Registry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A file of situations.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(super) situation: Vec<Situation>,
}

/// A situation that is run under every scheduler.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Situation {
    /// Unique over all files.
    pub(super) name: String,
    /// Its purpose, in a sentence.
    pub(super) why: String,
    /// `packages x cores x contexts` without costs and delays (each package is a node with one cache), `cores x
    /// contexts of PRESET`, or the id of a preset.
    machine: String,
    /// 1 if left out.
    seed: Option<u64>,
    /// Groups of the scenario format, with `does` (a script) instead of `behaviour`, and `start` and `spacing` as
    /// times.
    #[serde(default)]
    threads: Vec<toml::Table>,
    /// Control groups, as in the scenario format.
    #[serde(default)]
    cgroups: toml::Table,
    /// Edits of the scenario format with the time in `at`, or `set` with a path and a value. The kind `everyTunable` becomes a series of edits: each sets
    /// a tunable that may change during a run to the ends of its range and back.
    #[serde(default)]
    edits: Vec<toml::Table>,
    /// As in the scenario format.
    timing: Option<toml::Table>,
    /// As in the scenario format.
    background: Option<toml::Table>,
    /// The end of the run.
    pub(super) end: String,
    /// Whether it ends earlier if all threads have ended.
    #[serde(default)]
    ends_when_all_have_ended: bool,
    /// Why some threads may wait longer than equal ones. If given, only the waits in `expect` are checked.
    pub(super) unequal: Option<String>,
    /// Expected results besides the general ones.
    #[serde(default)]
    pub(super) expect: Vec<Expect>,
}

/// An expected result. A name means a thread, or all threads of a group.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Expect {
    /// Equal threads that share one CPU get equal CPU time.
    Equal(Window),
    /// Equal threads that share many CPUs get equal CPU time, as far as the balancer promises it.
    EqualAcross(Across),
    /// One thread gets more than another because it is favoured.
    Favoured(Favoured),
    /// Each gets at least this percentage of the window.
    Gets(Gets),
    /// This many CPUs are never without work.
    Busy(Busy),
    /// They run nowhere else during the window.
    Stays(Stays),
    /// They wait for at most this many equal threads.
    Waits(Waits),
    /// This many threads of each group are alive at the end of the run.
    Alive(BTreeMap<String, usize>),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Window {
    pub(super) of: Vec<String>,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Across {
    pub(super) of: Vec<String>,
    /// Number of CPUs.
    pub(super) cpus: usize,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Favoured {
    /// `nice`, `real_time` or `idle`: the rule that gives the scheduler's effect.
    pub(super) by: String,
    pub(super) more: String,
    pub(super) less: String,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gets {
    pub(super) of: Vec<String>,
    pub(super) percent: u64,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Busy {
    pub(super) cpus: usize,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stays {
    pub(super) of: Vec<String>,
    pub(super) cpus: Vec<u16>,
    pub(super) from: String,
    pub(super) until: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waits {
    pub(super) of: Vec<String>,
    pub(super) rivals: u64,
}

impl Expect {
    /// The times at which CPU time is read.
    pub(super) fn marks(&self) -> Vec<u64> {
        let (from, until) = match self {
            Self::Equal(w) => (&w.from, &w.until),
            Self::EqualAcross(w) => (&w.from, &w.until),
            Self::Favoured(w) => (&w.from, &w.until),
            Self::Gets(w) => (&w.from, &w.until),
            Self::Busy(w) => (&w.from, &w.until),
            Self::Stays(_) | Self::Waits(_) | Self::Alive(_) => return Vec::new(),
        };
        vec![ns(from), ns(until)]
    }
}

impl Situation {
    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether tunables leave their defaults, for which all bounds are given.
    pub(super) fn changes_tunables(&self) -> bool {
        self.edits.iter().any(is_every_tunable)
    }

    /// The situation as a scenario for a shipped scheduler, without edits of tunables.
    fn scenario(&self, scheduler: &Value) -> Value {
        let mut scenario = json!({
            "version": 1,
            "name": self.name,
            "seed": self.seed.unwrap_or(1),
            "machine": machine(&self.machine),
            "schedulers": [scheduler],
            "cgroups": plain(&self.cgroups),
            "groups": self.threads.iter().map(group).collect::<Vec<_>>(),
            "edits": self.edits.iter().filter_map(edit).collect::<Vec<_>>(),
            "end": { "atNs": ns(&self.end), "whenAllExited": self.ends_when_all_have_ended },
        });
        if let Some(timing) = &self.timing {
            scenario["timing"] = plain(timing);
        }
        if let Some(background) = &self.background {
            scenario["background"] = plain(background);
        }
        scenario
    }

    /// The plan of the situation under one lane, whether its scheduler is shipped or not.
    pub(crate) fn plan(&self, lane: &Lane) -> Arc<Plan> {
        let mut plan = checked(&self.scenario(&lane.choice()), lane.registry());
        for table in &self.edits {
            if is_every_tunable(table) {
                plan.scenario.edits.extend(every_tunable(lane, at(table)));
            }
        }
        Arc::new(plan)
    }
}

fn checked(scenario: &Value, registry: Registry) -> Plan {
    let name = &scenario["name"];
    let read = validate::parse(&scenario.to_string()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    validate::plan_with(&read, registry).unwrap_or_else(|e| panic!("{name}: {e:?}"))
}

fn plain(table: &toml::Table) -> Value {
    serde_json::to_value(table).expect("plain data")
}

fn machine(text: &str) -> Value {
    let Some((shape, preset)) = text.split_once(" of ") else {
        return machine_without_costs(text);
    };
    let spec = sim_run::machine::registry::spec(preset);
    let mut machine = spec.unwrap_or_else(|| panic!("no machine is called {preset}"));
    "test".clone_into(&mut machine.id);
    let (cores, contexts) = shape.split_once('x').expect("cores x contexts");
    let core = &mut machine.topology.packages[0].nodes[0].llcs[0].cores[0];
    core.count = cores.parse().expect("a number");
    core.smt = contexts.parse().expect("a number");
    serde_json::to_value(&machine).expect("plain data")
}

fn group(table: &toml::Table) -> Value {
    let mut group = plain(table);
    let fields = group.as_object_mut().expect("a table");
    let mut script = Map::new();
    for (key, param) in [("does", "program"), ("child", "child")] {
        if let Some(text) = fields.remove(key) {
            script.insert(param.to_owned(), text);
        }
    }
    if !script.is_empty() {
        let behaviour = json!({ "kind": "script", "params": script });
        fields.insert("behaviour".to_owned(), behaviour);
    }
    for (key, field) in [("start", "startNs"), ("spacing", "startSpacingNs")] {
        if let Some(time) = fields.remove(key) {
            fields.insert(field.to_owned(), json!(ns(time.as_str().expect("a time"))));
        }
    }
    group
}

fn is_every_tunable(table: &toml::Table) -> bool {
    let kind = table.get("kind").and_then(toml::Value::as_str);
    kind == Some("everyTunable")
}

fn at(table: &toml::Table) -> u64 {
    ns(table["at"].as_str().expect("a time"))
}

/// An edit in the scenario format; `None` for one that becomes several.
fn edit(table: &toml::Table) -> Option<Value> {
    if is_every_tunable(table) {
        return None;
    }
    let mut edit = plain(table);
    edit.as_object_mut().expect("a table").remove("at");
    if let Some(set) = edit.get("set") {
        return Some(json!({ "atNs": at(table), "set": set }));
    }
    Some(json!({ "atNs": at(table), "edit": edit }))
}

/// One edit for each tried value of a tunable of the lane's scheduler, from a time on.
fn every_tunable(lane: &Lane, mut at_ns: u64) -> Vec<TimedEdit> {
    let mut all = Vec::new();
    for t in lane.era.tunables.iter().filter(|t| t.live) {
        let values = match t.kind {
            ParamKind::Int {
                min, max, default, ..
            } => vec![json!(min), json!(max), json!(default)],
            ParamKind::Flag { default } => vec![json!(!default), json!(default)],
            ParamKind::Choice { options, default } => {
                options.iter().chain([&default]).map(|o| json!(o)).collect()
            }
            ParamKind::Text { .. } => continue,
        };
        for value in values {
            let path = format!("lanes.*.{}", t.id);
            let timed = json!({ "atNs": at_ns, "set": { path: value } });
            all.push(serde_json::from_value(timed).expect("of the right shape"));
            // Neither at ticks nor at equal distances from them.
            at_ns += 37_000_011;
        }
    }
    all
}
