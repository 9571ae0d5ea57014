//! Compares what was observed in a run with what was expected.

use super::rules::{AcrossRule, Effect, Rules, Word};
use super::situation::{Across, Busy, Expect, Favoured, Gets, Situation, Stays, Waits, Window};
use crate::conformance::{ns, threads};
use sim_run::engine::{Sim, TaskState};
use sim_run::ids::TaskId;
use sim_watch::Seen;
use std::collections::{BTreeMap, BTreeSet};

/// A failed expectation.
#[derive(Debug)]
pub(super) struct Failure {
    /// Its kind in the file of exceptions.
    pub(super) kind: &'static str,
    pub(super) text: String,
}

/// All failed expectations.
pub(super) fn failures(
    situation: &Situation,
    rules: &Rules,
    sim: &Sim,
    seen: &Seen,
) -> Vec<Failure> {
    let delays = &sim.plan().delays;
    let delay = delays.kick_ns.max(delays.longest_exit_ns());
    let judge = Judge {
        rules,
        sim,
        seen,
        delay,
    };
    let mut all = judge.always(situation);
    for expect in &situation.expect {
        let (kind, found) = match expect {
            Expect::Equal(e) => ("equal", judge.equal(e)),
            Expect::EqualAcross(e) => ("equal_across", judge.equal_across(e)),
            Expect::Favoured(e) => ("favoured", judge.favoured(e)),
            Expect::Gets(e) => ("gets", judge.gets(e)),
            Expect::Busy(e) => ("busy", judge.busy(e)),
            Expect::Stays(e) => ("stays", judge.stays(e)),
            Expect::Waits(e) => ("waits", judge.waits(e)),
            Expect::Alive(e) => ("alive", judge.alive(e)),
        };
        all.extend(found.map(|text| Failure { kind, text }));
    }
    all
}

struct Judge<'a> {
    rules: &'a Rules,
    sim: &'a Sim,
    seen: &'a Seen,
    /// The longest delay of a signal.
    delay: u64,
}

#[allow(clippy::cast_precision_loss)] // far below 2^53
fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

fn distinct(groups: &[u16]) -> usize {
    groups.iter().collect::<BTreeSet<_>>().len()
}

impl Judge<'_> {
    /// Checks what holds in every situation.
    fn always(&self, situation: &Situation) -> Vec<Failure> {
        let mut all = Vec::new();
        let mut most = |kind, found: u64, bound: u64, what: &str| {
            if found > bound {
                let text = format!("{:.3} ms, at most {:.3}: {what}", ms(found), ms(bound));
                all.push(Failure { kind, text });
            }
        };
        let idle = self.rules.idle_while_waiting + self.delay;
        if !situation.changes_tunables() {
            most("idle", self.seen.idle.ns, idle, &self.seen.idle.what);
        }
        let leaves = self.rules.leaves + self.delay;
        let forbidden = &self.seen.forbidden;
        most("leaves", forbidden.ns, leaves, &forbidden.what);
        let others = u64::try_from(self.sim.task_count().saturating_sub(1)).expect("few");
        if situation.unequal.is_none() {
            let bound = others * self.rules.per_rival + idle;
            for wait in &self.seen.waits {
                most("waits", wait.ns, bound, &wait.what);
            }
        }
        all
    }

    fn all_of(&self, names: &[String]) -> Vec<TaskId> {
        names.iter().flat_map(|n| threads(self.sim, n)).collect()
    }

    /// CPU time of threads in a window.
    fn times(&self, tasks: &[TaskId], from: &str, until: &str) -> Vec<u64> {
        let at = |mark: &str, task: &TaskId| {
            let all = &self.seen.moments[&ns(mark)].run;
            // The thread is not yet forked.
            all.get(task.index()).copied().unwrap_or(0)
        };
        tasks.iter().map(|t| at(until, t) - at(from, t)).collect()
    }

    /// The time that a window may miss because it cuts a round short at both ends.
    fn slack(&self) -> u64 {
        2 * self.rules.per_rival
    }

    fn equal(&self, e: &Window) -> Option<String> {
        let times = self.times(&self.all_of(&e.of), &e.from, &e.until);
        self.uneven(&times, 100, 100)
    }

    /// An error if the largest time is more than a fraction above the smallest.
    fn uneven(&self, times: &[u64], over: u64, under: u64) -> Option<String> {
        let (least, most) = (times.iter().min()?, times.iter().max()?);
        let wide = |n: u64| u128::from(n);
        let found = wide(*most) * wide(self.rules.equal_percent) * wide(under);
        let bound = wide(least + self.slack()) * 100 * wide(over);
        (found > bound).then(|| format!("from {:.1} to {:.1} ms", ms(*least), ms(*most)))
    }

    fn equal_across(&self, e: &Across) -> Option<String> {
        let tasks = self.all_of(&e.of);
        let times = self.times(&tasks, &e.from, &e.until);
        let tolerated = match self.rules.across {
            AcrossRule::Word(Word::No) => return None,
            AcrossRule::Word(Word::Always) => return self.uneven(&times, 100, 100),
            AcrossRule::Percent(tolerated) => tolerated,
        };
        let machine = &self.sim.plan().machine;
        let (cpus, cores) = (machine.cpu_count(), machine.core_count());
        let (caches, nodes) = (distinct(&machine.tree().llc), machine.node_count());
        let levels = [
            (cpus > cores, tolerated.siblings),
            (cores > caches, tolerated.cores),
            (caches > nodes, tolerated.caches),
            (nodes > 1, tolerated.nodes),
        ];
        let (mut over, mut under) = (1, 1);
        for (_, percent) in levels.iter().filter(|l| l.0) {
            (over, under) = (over * percent, under * 100);
        }
        // One more thread than on other CPUs is included.
        let each = u64::try_from((tasks.len() / e.cpus).max(1)).expect("few");
        self.uneven(&times, over * each + under, under * each)
    }

    fn favoured(&self, e: &Favoured) -> Option<String> {
        let mean = |name: &str| {
            let tasks = threads(self.sim, name);
            let times = self.times(&tasks, &e.from, &e.until);
            times.iter().sum::<u64>() / u64::try_from(tasks.len()).expect("few")
        };
        let (more, less) = (mean(&e.more), mean(&e.less));
        let effect = match e.by.as_str() {
            "nice" => self.rules.nice,
            "real_time" => self.rules.real_time,
            "idle" => self.rules.idle,
            other => panic!("nobody is favoured by {other}"),
        };
        let wrong = match effect {
            Effect::Acts => self.uneven(&[more, less], 100, 100).is_none() || more < less,
            Effect::Ignored => self.uneven(&[more, less], 100, 100).is_some(),
            Effect::May => more < less && self.uneven(&[more, less], 100, 100).is_some(),
        };
        wrong.then(|| {
            format!(
                "{} gets {:.1} ms, {} {:.1}: not what \"{effect:?}\" says of {}",
                e.more,
                ms(more),
                e.less,
                ms(less),
                e.by
            )
        })
    }

    fn gets(&self, e: &Gets) -> Option<String> {
        let length = ns(&e.until) - ns(&e.from);
        let tasks = self.all_of(&e.of);
        let times = self.times(&tasks, &e.from, &e.until);
        let least = times.iter().min()?;
        (least * 100 < length * e.percent)
            .then(|| format!("{:.1} ms, at least {} %", ms(*least), e.percent))
    }

    fn busy(&self, e: &Busy) -> Option<String> {
        let at = |mark: &str| self.seen.moments[&ns(mark)].busy;
        let length = ns(&e.until) - ns(&e.from);
        let unused = self.rules.idle_while_waiting + self.delay;
        let found = at(&e.until) - at(&e.from);
        let least = u64::try_from(e.cpus).expect("few") * length.saturating_sub(unused);
        (found < least).then(|| format!("busy for {:.1} ms, at least {:.1}", ms(found), ms(least)))
    }

    fn stays(&self, e: &Stays) -> Option<String> {
        let tasks = self.all_of(&e.of);
        let from = ns(&e.from) + self.rules.leaves + self.delay;
        let until = ns(&e.until);
        let stray = self.seen.stints.iter().find(|s| {
            let inside = s.until > from && s.from < until;
            inside && tasks.contains(&s.task) && !e.cpus.contains(&s.cpu.0)
        });
        stray.map(|s| {
            let name = self.sim.task_name(s.task);
            format!("{name} is on CPU {} at {} ns", s.cpu.0, s.from)
        })
    }

    fn waits(&self, e: &Waits) -> Option<String> {
        let bound = e.rivals * self.rules.per_rival + self.delay;
        let all = self.all_of(&e.of).into_iter();
        let waits = all.map(|t| &self.seen.waits[t.index()]);
        let worst = waits.max_by_key(|w| w.ns)?;
        (worst.ns > bound).then(|| {
            let (found, bound) = (ms(worst.ns), ms(bound));
            format!("{found:.3} ms, at most {bound:.3}: {}", worst.what)
        })
    }

    fn alive(&self, e: &BTreeMap<String, usize>) -> Option<String> {
        let living = |name: &String| {
            let all = threads(self.sim, name).into_iter();
            all.filter(|t| self.sim.task_view(*t).state != TaskState::Exited)
                .count()
        };
        let wrong = e.iter().find(|(name, n)| living(name) != **n);
        wrong.map(|(name, n)| format!("{} of {name} live, not {n}", living(name)))
    }
}
