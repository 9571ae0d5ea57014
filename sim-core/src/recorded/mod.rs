//! A trace of a real machine as a scenario of two lanes: what the machine did, and what a scheduler makes of the workload
//! behind it.
//!
//! The workload is ordinary threads of the behaviour `recorded`, whose steps stand in the scenario. What the machine did
//! is a lane of the scheduler `recorded`, whose program says who had which CPU when. So a recording needs no second way
//! through the product: timelines, numbers, seeking and files treat it as any other run.

pub mod steps;
pub mod trust;

use crate::config::edit::{Edit, Target, TimedEdit};
use crate::config::{
    BehaviourChoice, EndCondition, MachineRef, Scenario, SchedulerChoice, ThreadGroup, validate,
};
use crate::ids::{CpuId, TaskId};
use crate::machine::registry;
use crate::machine::spec::MachineSpec;
use crate::params::{ParamMap, ParamValue};
use crate::sched::flags::Policy;
use crate::sched::recording::{Recording, Visit};
use sim_import::burst::Then;
use sim_import::lane::{Doing, Lane};
use sim_import::workload::{Member, Workload, numbers};
use sim_import::{Facts, Names, OTHERS, Pid};
use std::collections::BTreeMap;
use std::fmt;
use steps::steps;

/// The scheduler beside the recording, and its era.
pub const BESIDE: (&str, &str) = ("eevdf", "6.18");
/// Groups of a scenario.
const MOST_GROUPS: usize = 64;

/// A scenario made of a recording.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The scenario.
    pub scenario: Scenario,
    /// What each thread of the trace is called in the scenario.
    pub names: BTreeMap<Pid, String>,
}

/// A recording that is too long for a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    /// Length of the scenario, in bytes.
    pub bytes: usize,
}

impl TooLong {
    /// How much of a time would fit, with some room: parts of a recording differ.
    #[must_use]
    pub fn fits(self, ns: u64) -> u64 {
        let (most, bytes) = (validate::MAX_TEXT as u128, self.bytes.max(1) as u128);
        let fits = u128::from(ns) * most * 4 / (bytes * 5);
        u64::try_from(fits).unwrap_or(ns).min(ns)
    }
}

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the recording takes {} MB as a scenario, which may have {}",
            self.bytes.div_ceil(1 << 20),
            validate::MAX_TEXT >> 20
        )
    }
}

/// The scenario of a trace, which has been read to its end with all stretches, its events apart
/// ([`Spread`](sim_import::spread::Spread)). With `replace`, nobody learns from it what programs were called.
///
/// # Errors
/// The recording is too long for a scenario.
pub fn of_trace(
    lane: &Lane,
    names: &Names,
    facts: &Facts,
    replace: bool,
) -> Result<Recorded, TooLong> {
    let workload = Workload::new(lane, names, facts, replace);
    let pids = numbers(lane);
    let (mut scenario, tasks, asleep) = build(&workload);
    let places: BTreeMap<Pid, TaskId> = pids
        .iter()
        .zip(&tasks)
        .filter_map(|(pid, task)| Some((*pid, (*task)?)))
        .collect();
    let recording = Recording {
        asleep,
        visits: visits(lane, &places, &others(&workload, &tasks)),
    };
    let lane = SchedulerChoice {
        id: "recorded".to_owned(),
        era: None,
        tunables: ParamMap::new(),
        program: Some(recording.write()),
    };
    scenario.schedulers.insert(0, lane);
    for edit in &mut scenario.edits {
        // The first lane needs no words about where threads ran.
        edit.lane = Some(1);
    }
    let called = called(&scenario);
    let names = places
        .iter()
        .filter_map(|(pid, task)| Some((*pid, called.get(task.index())?.clone())));
    let names = names.collect();
    is_short(&scenario)?;
    Ok(Recorded { scenario, names })
}

/// The scenario of a workload file, which has no recorded lane.
///
/// # Errors
/// It is too long for a scenario.
pub fn of_workload(workload: &Workload) -> Result<Scenario, TooLong> {
    let (scenario, ..) = build(workload);
    is_short(&scenario)?;
    Ok(scenario)
}

fn is_short(scenario: &Scenario) -> Result<(), TooLong> {
    let bytes = serde_json::to_string(scenario).map_or(usize::MAX, |text| text.len());
    if bytes <= validate::MAX_TEXT {
        return Ok(());
    }
    Err(TooLong { bytes })
}

/// Names of all threads of a scenario, by number.
fn called(scenario: &Scenario) -> Vec<String> {
    let groups = scenario.groups.iter();
    groups
        .flat_map(|g| (1..=g.count).map(move |n| format!("{}-{n}", g.name)))
        .collect()
}

/// A time of others: since when and until when in ns from the beginning, where, and who stands for them.
type Other = (u64, u64, u16, TaskId);

/// When others had CPUs.
fn others(workload: &Workload, tasks: &[Option<TaskId>]) -> Vec<Other> {
    let mut all = Vec::new();
    for (place, (member, task)) in workload.header.threads.iter().zip(tasks).enumerate() {
        let (true, Some(task), Some(cpu)) = (member.is_others, *task, member.bound) else {
            continue;
        };
        let mut at = member.begins_ns;
        for burst in workload.life(place) {
            all.push((at, at + burst.run, cpu, task));
            at += burst.run;
            if let Then::Sleep(ns) = burst.then {
                at += ns;
            }
        }
        if member.open_run_ns > 0 {
            all.push((at, at + member.open_run_ns, cpu, task));
        }
    }
    all
}

/// Who had which CPU when. Threads that are not among the places are among the others.
fn visits(lane: &Lane, places: &BTreeMap<Pid, TaskId>, others: &[Other]) -> Vec<Visit> {
    let (begin, _) = lane.span();
    let mut changes: BTreeMap<(u64, u16), Option<TaskId>> = BTreeMap::new();
    let mut before: BTreeMap<Pid, Doing> = BTreeMap::new();
    let mut instants = Vec::new();
    for stretch in lane.stretches() {
        let Some(task) = places.get(&stretch.pid).copied() else {
            continue;
        };
        let was = before.insert(stretch.pid, stretch.doing);
        if matches!(stretch.doing, Doing::Sleeps | Doing::Blocked)
            && was.is_some_and(|was| was != Doing::Runs)
        {
            // Its switch to a CPU is missing. It needs one for an instant, to go to sleep.
            let just_before = (stretch.from - begin).saturating_sub(1);
            changes
                .entry((just_before, stretch.cpu))
                .or_insert(Some(task));
            instants.push((just_before, stretch.cpu));
        }
        if stretch.doing != Doing::Runs {
            continue;
        }
        changes.insert((stretch.from - begin, stretch.cpu), Some(task));
        // Unless somebody else begins there.
        changes
            .entry((stretch.to - begin, stretch.cpu))
            .or_insert(None);
    }
    for (from, to, cpu, task) in others {
        changes.insert((*from, *cpu), Some(*task));
        changes.entry((*to, *cpu)).or_insert(None);
    }
    let spans = others
        .iter()
        .map(|(from, to, cpu, task)| ((*cpu, *from), (*to, *task)));
    let spans: BTreeMap<(u16, u64), (u64, TaskId)> = spans.collect();
    for (at, cpu) in instants {
        // After the instant others have the CPU again.
        let span = spans.range(..=(cpu, at)).next_back();
        if let Some(((_, _), (_, task))) = span.filter(|(k, (to, _))| k.0 == cpu && at + 1 < *to) {
            changes.entry((at + 1, cpu)).or_insert(Some(*task));
        }
    }
    let visits = changes.into_iter().map(|((at, cpu), task)| Visit {
        at,
        cpu: CpuId(cpu),
        task,
    });
    visits.collect()
}

/// The scenario without the recorded lane; the number of each of the workload's threads in it, by place; and who begins
/// asleep.
fn build(workload: &Workload) -> (Scenario, Vec<Option<TaskId>>, Vec<TaskId>) {
    let header = &workload.header;
    let groups = grouped(&header.threads);
    let mut tasks = vec![None; header.threads.len()];
    let mut asleep = Vec::new();
    let mut next = 0;
    let mut written = Vec::new();
    let kept = groups.iter().take(MOST_GROUPS);
    let left = groups.iter().skip(MOST_GROUPS);
    let left: u64 = left.map(|(_, members)| members.len() as u64).sum();
    let of_all = steps(workload);
    for (class, members) in kept {
        let begins = |place: &usize| header.threads[*place].begins_ns;
        let start = members.iter().map(begins).min().unwrap_or(0);
        let mut texts = Vec::new();
        for place in members {
            let task = TaskId::new(next);
            next += 1;
            tasks[*place] = Some(task);
            let own = steps::after(begins(place) - start, &of_all[*place]);
            if own.first().is_some_and(steps::rests) {
                asleep.push(task);
            }
            texts.push(steps::write(&own));
        }
        let name = unique(&class.name(), &written);
        written.push(class.group(name, members.len(), start, texts.join(" ")));
    }
    let rest = header.rest.as_ref().map_or(0, |rest| rest.threads) + left;
    let mut scenario = Scenario {
        groups: written,
        ..scenario(workload, rest)
    };
    let called = called(&scenario);
    for (member, task) in header.threads.iter().zip(&tasks) {
        let (Some((at_ns, cpus)), Some(task)) = (&member.kept_to, task) else {
            continue;
        };
        if let (Some(name), true) = (called.get(task.index()), *at_ns > 0) {
            scenario.edits.push(TimedEdit {
                at_ns: *at_ns,
                edit: Edit::Pin {
                    target: Target {
                        thread: Some(name.clone()),
                        ..Target::default()
                    },
                    cpus: cpus.clone(),
                },
                lane: None,
            });
        }
    }
    scenario.edits.sort_by_key(|edit| edit.at_ns);
    (scenario, tasks, asleep)
}

/// What the threads of a group have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Class {
    program: String,
    nice: i32,
    real_time: Option<i32>,
    allowed: Option<Vec<u16>>,
    is_others: bool,
}

impl Class {
    fn of(member: &Member) -> Self {
        Self {
            program: member.group.clone(),
            nice: member.nice.unwrap_or(0),
            real_time: member.real_time,
            allowed: match &member.kept_to {
                Some((0, cpus)) => Some(cpus.clone()),
                _ => member.bound.map(|cpu| vec![cpu]),
            },
            is_others: member.is_others,
        }
    }

    /// Its name, as a line that scenarios may have.
    fn name(&self) -> String {
        let name = crate::text::visible(&self.program);
        let mut short: String = name.chars().take(40).collect();
        while short.len() > 60 {
            short.pop();
        }
        if short.trim().is_empty() {
            "thread".to_owned()
        } else {
            short.trim().to_owned()
        }
    }

    fn group(&self, name: String, count: usize, start_ns: u64, bursts: String) -> ThreadGroup {
        let mut params = ParamMap::new();
        params.insert("bursts".to_owned(), ParamValue::Choice(bursts));
        // Linux counts down from 99, and the scenario up.
        let priority = self
            .real_time
            .map(|p| u8::try_from(p.clamp(1, 99)).unwrap_or(1));
        ThreadGroup {
            name,
            count: u32::try_from(count).unwrap_or(u32::MAX),
            behaviour: BehaviourChoice {
                kind: "recorded".to_owned(),
                params,
            },
            nice: i8::try_from(self.nice).unwrap_or(0),
            policy: if priority.is_some() {
                Policy::Fifo
            } else {
                Policy::Normal
            },
            rt_priority: priority,
            slice_ns: None,
            working_set_bytes: None,
            allowed: self.allowed.clone(),
            start_ns,
            start_spacing_ns: 0,
            parent: None,
            cgroup: None,
            process: None,
            background: self.is_others,
        }
    }
}

/// The places of threads by what they have in common, in the order of their first threads.
fn grouped(threads: &[Member]) -> Vec<(Class, Vec<usize>)> {
    let mut groups: Vec<(Class, Vec<usize>)> = Vec::new();
    for (place, member) in threads.iter().enumerate() {
        let class = Class::of(member);
        match groups.iter_mut().find(|(known, _)| *known == class) {
            Some((_, members)) => members.push(place),
            None => groups.push((class, vec![place])),
        }
    }
    groups
}

/// A name that no group has yet, and that none of the product's own has.
fn unique(name: &str, taken: &[ThreadGroup]) -> String {
    let own = ["daemons", "kernel threads"];
    let is_free = |name: &str| !own.contains(&name) && taken.iter().all(|g| g.name != name);
    if is_free(name) {
        return name.to_owned();
    }
    let numbered = (2..).map(|n| format!("{name} ({n})"));
    numbered
        .into_iter()
        .find(|name| is_free(name))
        .unwrap_or_default()
}

/// All of the scenario but its groups.
fn scenario(workload: &Workload, left_out: u64) -> Scenario {
    let header = &workload.header;
    let (id, era) = BESIDE;
    let mut tunables = ParamMap::new();
    // A trace does not tell sessions. Threads are taken for those of one.
    let one_session = ParamValue::Flag(false);
    tunables.insert("groupPerApplication".to_owned(), one_session);
    let mut notes = format!(
        "{} Threads run and sleep for the times that the trace tells, or wait for the threads that woke them then.",
        "The first lane is what the machine did, from its trace. The second runs the same work under EEVDF 6.18, on a machine that costs nothing: what costs there took is within the recorded times."
    );
    if left_out > 0 {
        let share = header.rest.as_ref().map_or(0, |rest| rest.share);
        notes += &format!(
            " {left_out} threads are left out ({}.{:02} % of CPU time): they ran little, or the trace has only parts of them.",
            share / 100,
            share % 100
        );
    }
    if header.threads.iter().any(|member| member.is_others) {
        notes += &format!(
            " \"{OTHERS} …\" is no thread: others had this CPU then, or the trace does not tell who. The second lane takes this time away at the same moments."
        );
    }
    for hint in &header.hints {
        notes.push(' ');
        notes += hint;
    }
    Scenario {
        version: crate::config::SCENARIO_VERSION,
        name: "A recorded trace".to_owned(),
        notes,
        ask: "What would EEVDF 6.18 have done?".to_owned(),
        old_try: (),
        cgroups: std::collections::BTreeMap::new(),
        seed: 1,
        machine: MachineRef::Inline(Box::new(machine(header.cpus))),
        schedulers: vec![SchedulerChoice {
            id: id.to_owned(),
            era: Some(era.to_owned()),
            tunables,
            program: None,
        }],
        groups: Vec::new(),
        background: None,
        timing: crate::config::Timing::default(),
        edits: Vec::new(),
        end: EndCondition {
            at_ns: header.span_ns.max(1),
            when_all_exited: false,
        },
        opening: None,
        answer: None,
        controls: Vec::new(),
        moments: Vec::new(),
        thumb: None,
    }
}

/// The ideal machine with so many CPUs.
fn machine(cpus: u16) -> MachineSpec {
    let mut spec = registry::spec("ideal").expect("invariant: it is shipped");
    let cores = spec
        .topology
        .packages
        .iter_mut()
        .flat_map(|p| &mut p.nodes)
        .flat_map(|n| &mut n.llcs)
        .flat_map(|l| &mut l.cores);
    for core in cores {
        core.count = cpus.max(1);
    }
    spec.id = "traced".to_owned();
    spec.name = match cpus {
        1 => "Traced machine of one CPU".to_owned(),
        _ => format!("Traced machine of {cpus} CPUs"),
    };
    spec.microarchitecture = "not told by the trace".to_owned();
    spec.purpose = "As many CPUs as the trace tells of. They cost nothing: what costs took is within the recorded times.".to_owned();
    for fact in &mut spec.provenance {
        fact.source =
            "A trace tells how many CPUs there were, and when threads had them.".to_owned();
    }
    spec
}
