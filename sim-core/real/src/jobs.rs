//! What each process of a run has to do. What this crate cannot do for real is refused, with its place in the scenario.

use serde::{Deserialize, Serialize};
use sim_run::config::plan::{GroupPlan, Plan};
use sim_run::error::ConfigError;
use sim_run::params::{ParamMap, Params};
use sim_run::rng::Rng;
use sim_run::sched::flags::Policy;
use sim_run::text::comm;
use sim_run::workload::{Behaviour, Phase, WorkCx, registry};
use std::collections::BTreeSet;

/// The behaviours that can be run.
pub const BEHAVIOURS: &[&str] = &["compute", "dhrystone", "interactive", "script", "yieldLoop"];

/// Most threads of a run: each is a process.
pub const MAX_THREADS: usize = 256;

/// How many phases of a script are looked at for words that cannot be followed; scripts are shorter.
const LOOKED_AT: usize = 2_000;

/// What one process has to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Job {
    /// The thread's name in the scenario.
    pub name: String,
    /// Its group's name.
    pub group: String,
    /// Its number in the group, from 1.
    pub number: u32,
    /// Its name on the machine.
    pub comm: String,
    /// Id of its behaviour.
    pub kind: String,
    /// All parameters of the behaviour.
    pub params: ParamMap,
    /// Nice value, -20 to 19.
    pub nice: i8,
    /// Policy.
    pub policy: Policy,
    /// Priority, for the policies fifo and roundRobin.
    pub rt_priority: u8,
    /// The slice that it asks for, in ns; 0 for none.
    pub slice_ns: u64,
    /// The CPUs of this machine that it may use.
    pub cpus: Vec<usize>,
    /// When it begins, in ns after the common start.
    pub start_ns: u64,
    /// Seed of the scenario.
    pub seed: u64,
    /// Channels to which it posts, or from which it takes.
    pub channels: BTreeSet<u32>,
}

impl Job {
    /// Its behaviour from the start.
    ///
    /// # Errors
    /// A sentence, if there is no such behaviour or a parameter is wrong.
    pub fn behaviour(&self) -> Result<Box<dyn Behaviour>, String> {
        let info = registry::find(&self.kind).ok_or_else(|| format!("no \"{}\"", self.kind))?;
        let params = Params::from_map(info.params, &self.params);
        let params = params.map_err(|_| "wrong parameters".to_owned())?;
        (info.make)(&params)
    }

    /// Its random numbers: those that the model draws for this thread.
    #[must_use]
    pub fn rng(&self) -> Rng {
        let stream = format!("task/{}", self.group);
        Rng::stream(self.seed, &stream, u64::from(self.number))
    }
}

/// The jobs of a plan on CPUs of this machine: CPU k of the scenario is the k-th of them.
///
/// # Errors
/// All that cannot be done for real.
pub fn jobs(plan: &Plan, cpus: &[usize]) -> Result<Vec<Job>, Vec<ConfigError>> {
    let mut errors = Vec::new();
    if !plan.scenario.edits.is_empty() {
        errors.push(ConfigError::new(
            "edits",
            "cannot be done for real: only what holds from start to end can",
        ));
    }
    let background = plan.scenario.background.as_ref();
    for (name, is_there) in [
        ("daemons", background.is_some_and(|b| b.daemons.is_some())),
        (
            "kernelThreads",
            background.is_some_and(|b| b.kernel_threads.is_some()),
        ),
    ] {
        if is_there {
            let message = "cannot be run for real: this machine has its own; leave them out";
            errors.push(ConfigError::new(format!("background.{name}"), message));
        }
    }
    let of_machine = plan.machine.cpu_count();
    if cpus.len() > of_machine {
        let message = format!(
            "has {of_machine} CPUs, fewer than the {} that are to be used",
            cpus.len()
        );
        errors.push(ConfigError::new("machine", message));
    }
    let mut jobs = Vec::new();
    for (i, group) in plan
        .groups
        .iter()
        .enumerate()
        .filter(|(_, g)| !g.background)
    {
        let path = format!("groups[{i}]");
        errors.extend(refusals(plan, i, group, &path));
        match places(plan, i, group, cpus) {
            Ok(places) => {
                jobs.extend((1..=group.count).map(|number| job(plan, group, number, &places)))
            }
            Err(message) => errors.push(ConfigError::new(format!("{path}.allowed"), message)),
        }
    }
    if jobs.len() > MAX_THREADS {
        let message = format!(
            "must have at most {MAX_THREADS} threads to be run for real, has {}",
            jobs.len()
        );
        errors.push(ConfigError::new("groups", message));
    }
    if errors.is_empty() {
        for job in &mut jobs {
            match channels(job) {
                Ok(channels) => job.channels = channels,
                Err(wrong) => {
                    errors.push(wrong);
                    break;
                }
            }
        }
    }
    if errors.is_empty() {
        Ok(jobs)
    } else {
        Err(errors)
    }
}

fn job(plan: &Plan, group: &GroupPlan, number: u32, places: &[usize]) -> Job {
    let name = format!("{}-{number}", group.name);
    Job {
        comm: comm(&format!("ts-{name}")),
        name,
        group: group.name.clone(),
        number,
        kind: group.behaviour.id.to_owned(),
        params: group.params.to_map(),
        nice: group.nice.min(19),
        policy: group.policy,
        rt_priority: group.rt_priority,
        slice_ns: group.slice_ns,
        cpus: places.to_vec(),
        start_ns: group.start_ns + u64::from(number - 1) * group.start_spacing_ns,
        seed: plan.seed,
        channels: BTreeSet::new(),
    }
}

/// What of a group cannot be done, apart from its CPUs.
fn refusals(plan: &Plan, i: usize, group: &GroupPlan, path: &str) -> Vec<ConfigError> {
    let mut errors = Vec::new();
    let kind = group.behaviour.id;
    if !BEHAVIOURS.contains(&kind) {
        let message = format!(
            "\"{kind}\" cannot be run for real; must be one of {}",
            BEHAVIOURS.join(", ")
        );
        errors.push(ConfigError::new(format!("{path}.behaviour.kind"), message));
    }
    if group.policy == Policy::Iso {
        let message = "\"iso\" is a class of BFS, which Linux does not have; must be normal, batch, idle, fifo or roundRobin";
        errors.push(ConfigError::new(format!("{path}.policy"), message));
    }
    let written = plan.scenario.groups.get(i);
    if written.is_some_and(|g| g.working_set_bytes.is_some_and(|bytes| bytes > 0)) {
        let message = "cannot be run for real: processes here sweep no memory; leave it out";
        errors.push(ConfigError::new(format!("{path}.workingSetBytes"), message));
    }
    if group.forked || group.parent_of.is_some() {
        let message = "cannot be run for real yet: all threads start by themselves";
        errors.push(ConfigError::new(format!("{path}.parent"), message));
    }
    errors
}

/// The CPUs of this machine that a group may use.
fn places(plan: &Plan, i: usize, group: &GroupPlan, cpus: &[usize]) -> Result<Vec<usize>, String> {
    let is_limited = plan
        .scenario
        .groups
        .get(i)
        .is_some_and(|g| g.allowed.is_some());
    if !is_limited {
        return Ok(cpus.to_vec());
    }
    let of_machine = plan.machine.cpu_count();
    let named = group
        .allowed
        .among(of_machine)
        .map(sim_run::ids::CpuId::index);
    named
        .map(|k| {
            cpus.get(k).copied().ok_or_else(|| {
                format!(
                    "names CPU {k}, but --cpus gives {} (CPU k of the scenario is the k-th of them, from 0)",
                    cpus.len()
                )
            })
        })
        .collect()
}

/// The channels of a job's program, or a word of it that cannot be followed.
fn channels(job: &Job) -> Result<BTreeSet<u32>, ConfigError> {
    let wrong = |message: String| ConfigError::new(format!("groups.{}", job.group), message);
    let mut channels = BTreeSet::new();
    let mut behaviour = job.behaviour().map_err(wrong)?;
    let mut rng = job.rng();
    for _ in 0..LOOKED_AT {
        match behaviour.next(&mut work_cx(&mut rng, job)) {
            Phase::Exit | Phase::RunForever => break,
            Phase::Run(_) | Phase::Sleep { .. } | Phase::Yield => {}
            Phase::Post { channel, .. } | Phase::Take { channel, .. } => {
                channels.insert(channel.number);
            }
            other => {
                let word = word(&other);
                return Err(wrong(format!(
                    "\"{word}\" cannot be run for real yet; its program may run, sleep, yield, post, take, exit and repeat"
                )));
            }
        }
    }
    Ok(channels)
}

/// What a behaviour may read.
pub(crate) fn work_cx<'a>(rng: &'a mut Rng, job: &Job) -> WorkCx<'a> {
    WorkCx {
        rng,
        cpus: u16::try_from(job.cpus.len()).unwrap_or(u16::MAX),
        number: job.number,
        taken: 0,
        job_ns: 0,
        started_ns: 0,
        now_ns: 0,
    }
}

/// A phase as scripts call it.
pub(crate) fn word(phase: &Phase) -> &'static str {
    match phase {
        Phase::Run(_) | Phase::RunForever => "run",
        Phase::Sleep { .. } => "sleep",
        Phase::Yield => "yield",
        Phase::WakePeer => "wake",
        Phase::Post { .. } => "post",
        Phase::Take { .. } => "take",
        Phase::Meet | Phase::MeetAt { .. } => "barrier",
        Phase::Until { .. } => "every",
        Phase::Await(_) => "wait on",
        Phase::Wake { .. } => "signal",
        Phase::Lock { .. } => "lock",
        Phase::Unlock(_) => "unlock",
        Phase::Io { .. } => "io",
        Phase::WaitChildren => "wait",
        Phase::NextJob => "next job",
        Phase::Fork(_) | Phase::ForkMember => "fork",
        Phase::Exec => "exec",
        Phase::Exit => "exit",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::config::validate;

    fn plan(groups: &str) -> Plan {
        let text = format!(
            r#"{{ "version": 2, "name": "x", "machine": "r3900x", "schedulers": [{{ "id": "eevdf" }}], "seed": 7,
            "groups": [{groups}], "end": {{ "atNs": 1000000000 }} }}"#
        );
        validate::plan(&validate::parse(&text).expect("a scenario")).expect("a plan")
    }

    fn refused(groups: &str, cpus: &[usize]) -> Vec<String> {
        let errors = jobs(&plan(groups), cpus).expect_err("refused");
        errors.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_thread_is_a_job() {
        let plan = plan(
            r#"{ "name": "typist of letters", "count": 2, "nice": 20, "sliceNs": 3000000, "allowed": [1], "startNs": 5,
                 "behaviour": { "kind": "interactive", "params": { "computeUs": 300 } } },
               { "name": "hog", "count": 1, "policy": "fifo", "rtPriority": 7, "behaviour": { "kind": "compute" } }"#,
        );
        let jobs = jobs(&plan, &[3, 5]).expect("can be done");
        let names: Vec<_> = jobs
            .iter()
            .map(|j| (j.name.as_str(), j.comm.as_str()))
            .collect();
        assert_eq!(
            names,
            [
                ("typist of letters-1", "ts-typist_of_-1"),
                ("typist of letters-2", "ts-typist_of_-2"),
                ("hog-1", "ts-hog-1")
            ]
        );
        let second = &jobs[1];
        assert_eq!(
            (second.nice, second.slice_ns, second.start_ns),
            (19, 3_000_000, 1_000_005)
        );
        assert_eq!(
            (&second.cpus[..], &jobs[2].cpus[..]),
            (&[5][..], &[3, 5][..])
        );
        assert_eq!((jobs[2].policy, jobs[2].rt_priority), (Policy::Fifo, 7));
        // The program of a job is that of the scenario.
        let mut rng = jobs[0].rng();
        let phase = jobs[0]
            .behaviour()
            .expect("known")
            .next(&mut work_cx(&mut rng, &jobs[0]));
        assert!(matches!(phase, Phase::Run(300_000)), "{phase:?}");
    }

    #[test]
    fn channels_of_scripts_are_known_before_the_run() {
        let program = r#"{ "program": "post 3; run 1ms; take 7; repeat" }"#;
        let plan = plan(&format!(
            r#"{{ "name": "a", "count": 1, "behaviour": {{ "kind": "script", "params": {program} }} }}"#
        ));
        let jobs = jobs(&plan, &[0]).expect("can be done");
        assert_eq!(jobs[0].channels, BTreeSet::from([3, 7]));
    }

    #[test]
    fn what_cannot_be_done_is_refused_by_name() {
        let hog = r#"{ "name": "hog", "count": 1, "behaviour": { "kind": "compute" }"#;
        for (groups, wanted) in [
            (r#"{ "name": "a", "count": 1, "behaviour": { "kind": "pipeline" } }"#.to_owned(), "groups[0].behaviour.kind: \"pipeline\" cannot"),
            (format!("{hog}, \"workingSetBytes\": 4096 }}"), "groups[0].workingSetBytes: cannot"),
            (format!("{hog}, \"parent\": {{}} }}"), "groups[0].parent: cannot"),
            (format!("{hog}, \"policy\": \"iso\" }}"), "groups[0].policy: \"iso\" is a class of BFS"),
            (format!("{hog}, \"allowed\": [2] }}"), "groups[0].allowed: names CPU 2, but --cpus gives 2"),
            (
                r#"{ "name": "a", "count": 1, "behaviour": { "kind": "script", "params": { "program": "run 1ms; exec; repeat" } } }"#.to_owned(),
                "groups.a: \"exec\" cannot",
            ),
            (
                format!("{hog} }}], \"background\": {{ \"daemons\": {{}} }}, \"edits\": ["),
                "background.daemons: cannot",
            ),
            (r#"{ "name": "a", "count": 300, "behaviour": { "kind": "compute" } }"#.to_owned(), "groups: must have at most 256"),
        ] {
            let told = refused(&groups, &[0, 1]);
            assert!(told.len() == 1 && told[0].starts_with(wanted), "{told:?}");
        }
    }
}
