//! What records must tell that are no picks: wake-ups, ends of slices, and who joins a queue or leaves it.

use super::judge::Event;
use super::records::{About, Wanted, exactly};
use super::rules::Release;
use super::seen::{Line, Member};
use sim_run::sched::decision::Decision;
use std::collections::BTreeSet;

/// Reasons of EEVDF that compare a woken thread with what runs.
pub(super) const COMPARED: [&str; 10] = [
    "earlier_deadline",
    "current_not_eligible",
    "short_slice",
    "shorter_slice_picked",
    "shorter_slice_first",
    "idle_policy_runs",
    "current_protected",
    "current_still_protected",
    "later_deadline",
    "not_eligible",
];

/// Those of CFS.
pub(super) const MEASURED: [&str; 3] = ["wakeup_preempt", "within_granularity", "idle_policy_runs"];

/// What a record is about, the entity whose level its reason names, if it names one, and what it must tell.
type Told<'a> = (About, Option<&'a Member>, Wanted);

impl Event<'_> {
    /// What a record must tell that is no pick; `None` if the queues after the event no longer show it, or it has no
    /// operands.
    pub(super) fn wanted(
        &self,
        d: &Decision,
        later: &[&Decision],
    ) -> Result<Option<Told<'_>>, String> {
        let Some(task) = d.task.map(|t| t.0) else {
            return Ok(None);
        };
        let only = |kinds: &[&str]| later.iter().all(|l| kinds.contains(&self.rules.kind(l)));
        // A tick balances afterwards, mostly without moving anybody.
        let balances = only(&["balance", "refuse", "selectCpu"]);
        let (word, kind) = (self.rules.word(d), self.rules.kind(d));
        let eevdf = self.rules.release == Release::Eevdf;
        match (kind, eevdf) {
            ("pickNext", _) if self.after.path(task).is_some() => {
                Err("a fair thread was picked as a real-time one".to_owned())
            }
            ("preempt" | "noPreempt", _) if only(&["sliceEnd", "selectCpu"]) => {
                if eevdf && COMPARED.contains(&word) {
                    self.compared(task).transpose()
                } else if !eevdf && MEASURED.contains(&word) {
                    Ok(self.measured(d, task))
                } else {
                    Ok(None)
                }
            }
            ("requeue", true)
                if matches!(word, "sleep_lag_stored" | "delayed_dequeue_completed") =>
            {
                Ok(self.left(d, task, later))
            }
            ("sliceEnd", _) if word.starts_with("yield") => Ok(self.yielded(d, task, later)),
            ("requeue", true) => Ok(self.requeued(d, task, later)),
            ("sliceEnd", true) if balances && !self.put_first() => {
                let name = word.strip_prefix("group_").unwrap_or(word);
                if !matches!(
                    name,
                    "request_used" | "unprotected_and_ahead" | "unprotected"
                ) {
                    return Ok(None);
                }
                self.asked(task, name != word).map(Some)
            }
            ("sliceEnd", false) if balances && !self.put_first() => {
                if matches!(
                    word,
                    "slice_expired" | "leftmost_far_behind" | "missed_wakeup_quirk"
                ) && (later.is_empty() || !self.spreads_shares())
                {
                    self.ended(d, task).map(Some)
                } else {
                    Ok(None)
                }
            }
            _ => Ok(None),
        }
    }

    /// EEVDF: a woken thread is compared with what runs (`check_preempt_wakeup_fair`).
    fn compared(&self, task: u32) -> Option<Result<Told<'_>, String>> {
        let of_runs = self.after.runs.filter(|r| *r != task)?;
        let [a, b] = self.after.meeting(task, of_runs)?;
        let line = &self.after.lines[a.0];
        let ([woken, runs], at) = ([a, b].map(|p| self.after.member(p)), a.1);
        let is_idle = |task: u32| self.idle_policy.contains(&task);
        let idle = if self.rules.idle_by_policy {
            [task, of_runs].map(is_idle)
        } else {
            [woken, runs].map(|m| m.task.is_some_and(is_idle))
        };
        let word = match self.rules.woken(line, at, b.1, idle) {
            Ok(word) => word,
            Err(why) => return Some(Err(why)),
        };
        let numbers = [-woken.ahead, woken.deadline, -runs.ahead, runs.deadline];
        let wanted = Wanted {
            words: vec![word],
            operands: exactly(numbers),
        };
        // These words are the same for groups.
        Some(Ok((About::WakeUp, None, wanted)))
    }

    /// CFS: how far the woken one is behind what runs (`wakeup_preempt_entity`).
    fn measured(&self, d: &Decision, task: u32) -> Option<Told<'_>> {
        let runs = self.after.runs.filter(|r| *r != task)?;
        let [a, b] = self.after.meeting(task, runs)?;
        let (woken, runs) = (self.after.member(a), self.after.member(b));
        let behind = runs.ahead - woken.ahead;
        let most = self.rules.granularity(woken);
        let adapts = self.rules.adapts();
        // What adapts it is not shown.
        let granularity = if adapts { d.operands[1] } else { most };
        let idle = self
            .after
            .runs
            .is_some_and(|r| self.idle_policy.contains(&r));
        let word = if idle {
            "idle_policy_runs"
        } else if behind > 0 && behind > granularity {
            "wakeup_preempt"
        } else {
            "within_granularity"
        };
        let mut operands = exactly([behind, most, self.after.lines[a.0].count(), 0]);
        if adapts {
            operands[1] = (d.operands[1] > most).then(BTreeSet::new);
        }
        let wanted = Wanted {
            words: vec![word],
            operands,
        };
        Some((About::WakeUp, None, wanted))
    }

    /// EEVDF: a thread that joins its queue, or stays in it though it sleeps.
    fn requeued(&self, d: &Decision, task: u32, later: &[&Decision]) -> Option<Told<'_>> {
        let word = self.rules.word(d);
        let path = self.after.path(task)?;
        let place = *path.last()?;
        // Before a switch that may have changed the weight of what runs now.
        let then = self.after.runs.map(|runs| self.as_picked(runs));
        let then = then.as_ref().unwrap_or(self.after);
        let (m, n) = (then.member(place), then.lines[place.0].count());
        let only = |kinds: &[&str]| later.iter().all(|l| kinds.contains(&self.rules.kind(l)));
        let (lag, left) = (-m.ahead, m.deadline - m.ahead);
        let woken = ["preempt", "noPreempt", "sliceEnd", "selectCpu"];
        let stays = !self.loses_group(self.after.lines[place.0].number);
        let joins = matches!(word, "placed_new" | "placed_with_lag");
        if self.rules.needs_pick && joins && d.operands[2] != n {
            // The check of the wake-up has let a group leave that slept, and V with it.
            return None;
        }
        let operands = match word {
            "sleep_delayed" if only(&["pickNext"]) && m.delayed && stays => {
                exactly([lag, left, n, 0])
            }
            "placed_new" if only(&woken) => exactly([lag, left, n, 0]),
            "placed_with_lag" if only(&woken) => exactly([lag, left, n, *self.stored.get(&task)?]),
            // Since 7.2 it may be ahead of V still, but not more than when it went to sleep.
            "woken_while_delayed_at_v" if only(&woken) && self.rules.never_worse => {
                exactly([lag, left, 0, 0])
            }
            "woken_while_delayed_at_v" if only(&woken) => exactly([0, left, 0, 0]),
            // Nobody was charged yet: V is that before the event, unless skipped ticks were made up for.
            "woken_while_delayed" if only(&woken) => {
                let line = &self.after.lines[place.0];
                let before = self.before.line(line.number)?.base - line.v(m);
                if (before..lag).contains(&d.operands[0]) && d.operands[0] != before {
                    return None;
                }
                let [_, left, none, more] = exactly([0, left, 0, 0]);
                [Some(BTreeSet::from([before, lag])), left, none, more]
            }
            _ => return None,
        };
        let wanted = Wanted {
            words: vec![word],
            operands,
        };
        Some((About::Requeue, None, wanted))
    }

    /// EEVDF: a thread leaves its queue and takes its lag along.
    fn left(&self, d: &Decision, task: u32, later: &[&Decision]) -> Option<Told<'_>> {
        let stays = later.iter().all(|l| self.rules.kind(l) == "pickNext");
        if !stays || self.put_first() || self.after.path(task).is_some() {
            return None;
        }
        let place = *self.before.path(task)?.last()?;
        let number = self.before.lines[place.0].number;
        if self.loses_group(number) {
            return None;
        }
        let n = self.after.line(number).map_or(0, Line::count);
        let wanted = Wanted {
            words: vec![self.rules.word(d)],
            operands: exactly([*self.stored.get(&task)?, n, 0, 0]),
        };
        Some((About::Requeue, None, wanted))
    }

    /// EEVDF: whether a group that was delayed has left a line in silence.
    fn loses_group(&self, number: u32) -> bool {
        let Some(before) = self.before.line(number) else {
            return false;
        };
        let left = |e: u32| self.after.line(number).is_none_or(|l| l.find(e).is_none());
        let mut groups = before.members.iter().filter(|m| m.opens.is_some());
        groups.any(|m| left(m.entity))
    }

    /// A thread yields. Under EEVDF it gives up a request; its lag before that is not shown any more.
    fn yielded(&self, d: &Decision, task: u32, later: &[&Decision]) -> Option<Told<'_>> {
        let stays = later.iter().all(|l| self.rules.kind(l) == "pickNext");
        if !stays || self.put_first() {
            return None;
        }
        let place = *self.after.path(task)?.last()?;
        let (m, word) = (self.after.member(place), self.rules.word(d));
        let line = &self.after.lines[place.0];
        if self.loses_group(line.number) {
            return None;
        }
        let given = if word == "yield_forfeits" {
            self.rules.fair(m.slice, m)
        } else {
            0
        };
        let n = line.count();
        let operands = if word == "yielded" {
            exactly([n, 0, 0, 0])
        } else {
            let [_, given, n, none] = exactly([0, given, n, 0]);
            [None, given, n, none]
        };
        let wanted = Wanted {
            words: vec![word],
            operands,
        };
        Some((About::SliceEnd, None, wanted))
    }

    /// EEVDF: what runs is charged, and that asks for a pick (`update_curr`).
    fn asked(&self, task: u32, group: bool) -> Result<Told<'_>, String> {
        let path = self.after.path(task).ok_or("who is charged is queued")?;
        if self.after.runs != Some(task) || (group && path.len() == 1) {
            return Err("what runs is charged".to_owned());
        }
        let place = if group { path[0] } else { path[path.len() - 1] };
        let (m, line) = (self.after.member(place), &self.after.lines[place.0]);
        if line.members.len() < 2 {
            return Err("it is alone in its queue, and asks for nothing".to_owned());
        }
        let (asks, ahead) = if self.rules.asks_unprotected {
            ("unprotected", !m.protected)
        } else {
            ("unprotected_and_ahead", m.ahead > 0 && !m.protected)
        };
        let words = match (self.rules.is_fresh(m), group) {
            (true, _) => vec!["request_used"],
            (false, _) if self.rules.is_nearly_fresh(m) => vec!["request_used", asks],
            // The weight may have changed since.
            (false, true) if ahead => vec!["request_used", asks],
            (false, true) => vec!["request_used"],
            (false, false) if ahead => vec![asks],
            (false, false) => return Err(format!("{m:?} asks for nothing")),
        };
        let left = m.deadline - m.ahead;
        let operands = exactly([-m.ahead, left, m.slice, line.count()]);
        Ok((About::SliceEnd, Some(m), Wanted { words, operands }))
    }

    /// CFS 2.6.34: whether balancing has changed the weights of groups (`update_shares`).
    fn spreads_shares(&self) -> bool {
        let [before, after] = [self.before, self.after].map(|seen| {
            let members = seen.lines.first().into_iter().flat_map(|l| &l.members);
            members
                .map(|m| (m.entity, m.weight))
                .collect::<BTreeSet<_>>()
        });
        self.rules.release == Release::OldCfs && before != after
    }

    /// CFS: a tick takes the CPU away (`check_preempt_tick`); the innermost level that asks is told.
    fn ended(&self, d: &Decision, task: u32) -> Result<Told<'_>, String> {
        let path = self.after.path(task).ok_or("who is charged is queued")?;
        for level in (0..path.len()).rev() {
            let line = &self.after.lines[path[level].0];
            let m = self.after.member(path[level]);
            if line.members.len() < 2 {
                continue;
            }
            let ideal = self.rules.slices(self.after, &path[..=level]);
            let others = line.members.iter().filter(|o| o.entity != m.entity);
            let delta = others.map(|o| m.ahead - o.ahead).max().unwrap_or(0);
            // How long a group has run is not shown.
            let is_thread = m.opens.is_none();
            let told = usize::from(self.rules.word(d) != "slice_expired") * 2;
            let ran = if is_thread {
                self.ran
            } else {
                d.operands[told]
            };
            // The slice that is told, if it is that of this level.
            let slice = ideal.get(&d.operands[1]).or_else(|| ideal.last());
            let asks = slice.and_then(|ideal| self.rules.tick(ran, *ideal, delta));
            let Some(word) = asks else { continue };
            let words = vec![word];
            let ran = is_thread.then(|| BTreeSet::from([ran]));
            let n = BTreeSet::from([line.count()]);
            let expired = [
                ran.clone(),
                Some(ideal.clone()),
                Some(n.clone()),
                Some(BTreeSet::from([0])),
            ];
            let behind = [Some(BTreeSet::from([delta])), Some(ideal), ran, Some(n)];
            let operands = if word == "slice_expired" {
                expired
            } else {
                behind
            };
            return Ok((About::SliceEnd, None, Wanted { words, operands }));
        }
        Err("no level asks".to_owned())
    }
}
