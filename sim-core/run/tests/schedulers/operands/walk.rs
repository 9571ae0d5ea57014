//! A run that goes on event by event, with what its queues and columns show in between.

use super::judge::Event;
use super::records::{About, Checked};
use super::rules::{Release, Rules};
use super::seen::{Line, Member, Seen, whole};
use crate::support::{plan, start, unchecked};
use serde_json::Value;
use sim_run::config::plan::Plan;
use sim_run::engine::{Options, Sim, UpToDate};
use sim_run::ids::{CpuId, TaskId};
use sim_run::sched::decision::Decision;
use sim_run::sched::flags::Policy;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

/// What a run looks like between two events.
pub(super) struct Walk {
    sim: Sim,
    pub(super) rules: Rules,
    before: Vec<Seen>,
    columns: Columns,
}

/// What the scheduler shows of each thread and of each CPU.
#[derive(Default)]
struct Columns {
    tasks: Vec<Vec<f64>>,
    cpus: Vec<Vec<f64>>,
}

impl Columns {
    fn of(sim: UpToDate<'_>) -> Self {
        let info = sim.plan().lanes[sim.lane()].info;
        let task = |i| {
            let (task, mut row) = (TaskId::new(i), vec![0.0; info.task_columns.len()]);
            if sim.task_view(task).started_at_ns.is_some() {
                sim.scheduler().observe_task(task, &mut row);
            }
            row
        };
        let cpu = |cpu| {
            let mut row = vec![0.0; info.cpu_columns.len()];
            sim.scheduler().observe_cpu(cpu, &mut row);
            row
        };
        Self {
            tasks: (0..sim.task_count()).map(task).collect(),
            cpus: sim.plan().machine.cpu_ids().map(cpu).collect(),
        }
    }
}

/// An event that was stepped over: what it told, and the queues of all CPUs after it.
pub(super) struct Step {
    pub(super) told: Vec<Decision>,
    after: Vec<Seen>,
    idle_policy: BTreeSet<u32>,
    ran: Vec<i64>,
    stored: BTreeMap<u32, i64>,
}

impl Walk {
    fn new(plan: &Arc<Plan>) -> Self {
        let keep = Options {
            decision_limit: 1 << 10,
            ..unchecked()
        };
        let mut sim = start(plan, keep);
        let rules = Rules::of(&sim);
        let before = Self::look(sim.refresh(), &rules);
        Self {
            sim,
            rules,
            before,
            columns: Columns::default(),
        }
    }

    fn look(sim: UpToDate<'_>, rules: &Rules) -> Vec<Seen> {
        let cpus = 0..sim.plan().machine.cpu_count();
        cpus.map(|c| Seen::of(sim, CpuId::new(c), rules.fine()))
            .collect()
    }

    fn step(&mut self) -> Option<Step> {
        let first = self.sim.decisions().next_id();
        if !self.sim.step_event() {
            return None;
        }
        let sim = self.sim.refresh();
        self.columns = Columns::of(sim);
        let after = Self::look(sim, &self.rules);
        let told: Vec<Decision> = sim.decisions().since(first).cloned().collect();
        let new = sim.decisions().next_id() - first;
        assert_eq!(told.len() as u64, new, "all decisions of an event are kept");
        let policy = |task: u32| sim.task_view(TaskId(task)).info.policy;
        let tasks = told.iter().filter_map(|d| Some(d.task?.0));
        let runs = after.iter().filter_map(|s| s.runs);
        let idle_policy = tasks.chain(runs).filter(|t| policy(*t) == Policy::Idle);
        let idle_policy = idle_policy.collect();
        let ran = if told.is_empty() || self.rules.release == Release::Eevdf {
            vec![0; after.len()]
        } else {
            let of = |s: &Seen| s.runs.map_or(0, |t| self.column(t, "ranNs"));
            after.iter().map(of).collect()
        };
        let eevdf = self.rules.release == Release::Eevdf;
        let requeued = told
            .iter()
            .filter(|d| eevdf && self.rules.kind(d) == "requeue");
        let stored = requeued.filter_map(|d| {
            let task = d.task?.0;
            Some((task, self.column(task, "storedLagNs")))
        });
        let stored = stored.collect();
        Some(Step {
            told,
            after,
            idle_policy,
            ran,
            stored,
        })
    }

    /// A column of a thread.
    fn column(&self, task: u32, id: &str) -> i64 {
        whole(self.shown(task, id))
    }

    fn shown(&self, task: u32, id: &str) -> f64 {
        let info = self.sim.plan().lanes[self.sim.lane()].info;
        let at = info.task_columns.iter().position(|c| c.id == id);
        self.columns.tasks[task as usize][at.expect("a column")]
    }

    /// A column of a CPU.
    fn column_of_cpu(&self, cpu: CpuId, id: &str) -> i64 {
        let info = self.sim.plan().lanes[self.sim.lane()].info;
        let at = info.cpu_columns.iter().position(|c| c.id == id);
        whole(self.columns.cpus[cpu.index()][at.expect("a column")])
    }

    pub(super) fn event<'a>(&'a self, step: &'a Step, told: &'a [Decision], cpu: u16) -> Event<'a> {
        let at = usize::from(cpu);
        Event {
            rules: &self.rules,
            before: &self.before[at],
            after: &step.after[at],
            cpu,
            told,
            idle_policy: &step.idle_policy,
            ran: step.ran[at],
            stored: &step.stored,
        }
    }

    /// The CPUs that an event told something about.
    fn cpus(told: &[Decision]) -> BTreeSet<u16> {
        told.iter().filter_map(|d| Some(d.cpu?.0)).collect()
    }

    /// The decisions with operands that could have been checked, and were not.
    fn left_out<'a>(
        &'a self,
        step: &'a Step,
        cpu: u16,
        checked: &'a [Checked],
    ) -> impl Iterator<Item = &'static str> + 'a {
        const KINDS: [&str; 5] = ["pickNext", "preempt", "noPreempt", "sliceEnd", "requeue"];
        let could = step.told.iter().filter(move |d| {
            d.cpu.is_some_and(|c| c.0 == cpu)
                && KINDS.contains(&self.rules.kind(d))
                && d.operands != [0; 4]
                && !checked.iter().any(|c| c.id == d.id)
        });
        could.map(|d| self.rules.word(d))
    }

    /// A thread that was put on the CPU weighs what its group leaves of its weight. Where there are several CPUs, how much
    /// of the group falls to this one depends on averages, which are not judged.
    fn weighs_what_its_group_leaves(
        &self,
        step: &Step,
        cpu: u16,
        line: &Line,
        m: &Member,
    ) -> Result<(), String> {
        let Some(task) = m.task else {
            return Err(format!("{m:?} is in the one queue"));
        };
        let shown = whole(self.shown(task, "effectiveWeight") * 1_024.0);
        if shown != m.weight {
            return Err(format!(
                "effectiveWeight has {shown}, the queue {}",
                m.weight
            ));
        }
        let before = self.before[usize::from(cpu)].runs;
        if self.before.len() > 1 || before == Some(task) || step.after[0].runs != Some(task) {
            return Ok(());
        }
        let own = |task: u32| self.column(task, "weight") * 1_024;
        let group = self.column(task, "taskGroup");
        let members = line.members.iter().filter_map(|m| m.task);
        let all = members.filter(|t| self.column(*t, "taskGroup") == group);
        let of_group = (group != 0).then(|| (all.map(own).sum(), 1 << 20));
        let wanted = Rules::effective(own(task), of_group);
        if wanted == m.weight {
            Ok(())
        } else {
            Err(format!("{m:?} should weigh {wanted}"))
        }
    }

    /// The columns of the thread that a CPU picked say what its queues say.
    pub(super) fn columns_agree(&self, step: &Step, cpu: u16) -> Result<(), String> {
        let seen = &step.after[usize::from(cpu)];
        let Some(task) = seen.runs else {
            return Ok(());
        };
        let Some(path) = seen.path(task) else {
            return Ok(());
        };
        let place = path[path.len() - 1];
        let (line, m) = (&seen.lines[place.0], seen.member(place));
        let eevdf = self.rules.release == Release::Eevdf;
        let mut shown = vec![("vruntimeNs", line.v(m))];
        if self.rules.one_queue {
            self.weighs_what_its_group_leaves(step, cpu, line, m)?;
        } else {
            shown.push(("weight", m.weight));
        }
        if eevdf {
            shown.extend([
                ("lagNs", -m.ahead),
                ("deadlineAheadNs", m.deadline),
                ("requestNs", m.deadline - m.ahead),
                ("sliceNs", m.slice),
                ("eligible", i64::from(m.ahead <= 0)),
                ("protected", i64::from(m.protected)),
            ]);
        } else {
            shown.push(("aheadNs", m.ahead));
        }
        for (id, wanted) in shown {
            let found = self.column(task, id);
            if found != wanted {
                return Err(format!("the column {id} has {found}, the queue {wanted}"));
            }
        }
        let base = if eevdf { "averageNs" } else { "minVruntimeNs" };
        let (found, wanted) = (self.column_of_cpu(CpuId(cpu), base), seen.lines[0].base);
        if found == wanted {
            Ok(())
        } else {
            Err(format!("the column {base} has {found}, the queue {wanted}"))
        }
    }
}

/// Decisions that were found right.
#[derive(Debug, Default)]
pub(super) struct Counts {
    about: BTreeMap<About, u64>,
    /// Threads that were picked: the card of each names the level that decided, or it would be wrong.
    pub(super) threads: u64,
    /// Decisions for which two reasons are possible.
    pub(super) unclear: u64,
    /// Decisions of these kinds that were not compared: what the queues showed then is not known, or they have no operands.
    left_out: BTreeMap<&'static str, u64>,
}

impl Counts {
    fn add(&mut self, checked: &[Checked]) {
        for c in checked {
            *self.about.entry(c.what).or_default() += 1;
            self.unclear += u64::from(!c.clear);
        }
        let is_pick = |c: &Checked| matches!(c.what, About::Pick | About::PickOfGroup);
        self.threads += u64::from(checked.iter().any(is_pick));
    }

    pub(super) fn join(&mut self, more: &Self) {
        for (what, n) in &more.about {
            *self.about.entry(*what).or_default() += n;
        }
        self.threads += more.threads;
        self.unclear += more.unclear;
        for (word, n) in &more.left_out {
            *self.left_out.entry(word).or_default() += n;
        }
    }

    pub(super) fn all(&self) -> u64 {
        self.about.values().sum()
    }

    pub(super) fn of(&self, what: About) -> u64 {
        self.about.get(&what).copied().unwrap_or(0)
    }
}

impl Display for Counts {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (all, about, threads) = (self.all(), &self.about, self.threads);
        write!(f, "{all} decisions are right, {about:?}; ")?;
        write!(
            f,
            "{threads} threads were picked, and all of these cards name the level that decided; "
        )?;
        let (unclear, left_out) = (self.unclear, &self.left_out);
        write!(
            f,
            "two reasons are possible for {unclear}; left out: {left_out:?}"
        )
    }
}

/// Goes through a run until so many of its decisions were seen. `look` gets each event for each CPU that it told something
/// about; it may refuse it.
pub(super) fn walk_through(
    scenario: &Value,
    most: u64,
    mut look: impl FnMut(&Walk, &Step, u16) -> Result<Vec<Checked>, String>,
) -> Result<Counts, String> {
    let mut walk = Walk::new(&plan(scenario));
    let mut counts = Counts::default();
    while counts.all() < most {
        let Some(step) = walk.step() else { break };
        for cpu in Walk::cpus(&step.told) {
            let checked = look(&walk, &step, cpu).map_err(|why| {
                let (name, lane) = (&scenario["name"], &scenario["schedulers"][0]);
                let (now, told, at) = (walk.sim.now(), &step.told, usize::from(cpu));
                let [before, after] = [&walk.before[at], &step.after[at]];
                format!("{name} under {lane} at {now:?} on {cpu}: {why}\n{told:?}\n{before:?}\n{after:?}")
            })?;
            counts.add(&checked);
            for word in walk.left_out(&step, cpu, &checked) {
                *counts.left_out.entry(word).or_default() += 1;
            }
        }
        walk.before = step.after;
    }
    Ok(counts)
}
