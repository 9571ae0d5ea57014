//! The kernels' rules of a pick, written once more: who had to be chosen in a queue, and why.

use super::rules::{Release, Rules};
use super::seen::{LAST, Line, Member, NEXT, Place, SKIP, Seen};
use sim_run::sched::decision::Decision;
use std::collections::{BTreeMap, BTreeSet};

/// An event that told decisions, with the queues of one CPU before and after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event<'a> {
    pub(super) rules: &'a Rules,
    pub(super) before: &'a Seen,
    pub(super) after: &'a Seen,
    /// The CPU.
    pub(super) cpu: u16,
    /// Everything that the event told, about any CPU.
    pub(super) told: &'a [Decision],
    /// The threads with the policy `SCHED_IDLE`.
    pub(super) idle_policy: &'a BTreeSet<u32>,
    /// CFS: for how long what runs has run in its slice (column `ranNs`).
    pub(super) ran: i64,
    /// EEVDF: the lag that each thread of a record took along (column `storedLagNs`).
    pub(super) stored: &'a BTreeMap<u32, i64>,
}

/// What a rule says about a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// The choice is right, for this reason.
    Because(&'static str),
    /// Two reasons are possible: what parts them is not shown.
    Either([&'static str; 2]),
    /// Another one had to be chosen.
    Wrong(String),
}

impl Event<'_> {
    pub(super) fn here(&self) -> impl Iterator<Item = &Decision> {
        self.told
            .iter()
            .filter(|d| d.cpu.is_some_and(|c| c.0 == self.cpu))
    }

    /// Whether the outgoing entities were put back before the pick: the stopper ran, or the CPU had become idle and
    /// pulled others.
    pub(super) fn put_first(&self) -> bool {
        let entries = self
            .told
            .iter()
            .map(|d| &self.rules.reasons[usize::from(d.reason)]);
        let mut moved = entries.filter(|r| {
            r.kernel.contains("cpu_stop")
                || r.id.starts_with("task_taken")
                || matches!(r.id, "task_pushed" | "tasks_pulled" | "newidle_balance")
        });
        moved.next().is_some()
    }

    /// The entity of a line that was current when the CPU picked, if it is still queued.
    fn current(&self, line: &Line) -> Option<usize> {
        if self.put_first() || self.rules.release == Release::OldCfs {
            return None;
        }
        let before = self.before.line(line.number)?;
        let ran = before.members.iter().find(|m| m.running)?;
        line.find(ran.entity)
    }

    /// Whether the thread that ran has left the CPU's queues.
    fn has_left(&self) -> Option<u32> {
        let ran = self.before.runs?;
        (self.after.path(ran).is_none() && self.before.path(ran).is_some()).then_some(ran)
    }

    /// The group that a thread was in, if others of it are still queued.
    fn group_goes_on(&self, task: u32) -> Option<u32> {
        let path = self.before.path(task)?;
        let &[group, (line, _)] = path.as_slice() else {
            return None;
        };
        let others = self.after.line(self.before.lines[line].number)?;
        (!others.members.is_empty()).then(|| self.before.member(group).entity)
    }

    /// Judges a choice in a line of the queues after the event.
    pub(super) fn judge(&self, (line, chosen): Place) -> Says {
        let line = &self.after.lines[line];
        match self.rules.release {
            Release::Eevdf => self.judge_eevdf(line, chosen),
            Release::OldCfs | Release::NewCfs => self.judge_cfs(line, chosen),
        }
    }

    /// `pick_next_entity`, `pick_eevdf` @ 6.6, 6.12.
    fn judge_eevdf(&self, line: &Line, chosen: usize) -> Says {
        let m = &line.members[chosen];
        if m.delayed {
            return Says::Wrong(format!("{m:?} sleeps"));
        }
        let by_deadline = self.judge_deadlines(line, chosen);
        if !self.rules.pick_buddy {
            return by_deadline;
        }
        let other = line
            .members
            .iter()
            .find(|o| o.marks[NEXT] && o.entity != m.entity && o.ahead <= 0);
        if let Some(other) = other {
            return Says::Wrong(format!("{other:?} is the buddy"));
        }
        if m.ahead > 0 {
            return by_deadline;
        }
        let before = self.before.line(line.number);
        let was = before.and_then(|l| l.find(m.entity).map(|i| &l.members[i]));
        // A group of which a thread goes to sleep goes on: those that leave now, in order.
        let left = self.here().filter_map(|d| {
            let done = self.rules.word(d) == "delayed_dequeue_completed";
            d.task.filter(|_| done).map(|t| t.0)
        });
        let marked: Vec<u32> = self
            .has_left()
            .into_iter()
            .chain(left)
            .filter(|_| self.rules.sleep_sets_buddy)
            .filter_map(|t| self.group_goes_on(t))
            .collect();
        // A request that has just begun took the mark away, if it was this event that charged for the last. The lowest
        // bits of weights are not shown.
        let unit = i128::from(self.rules.unit());
        let request = i128::from(m.slice) * unit / i128::from(m.weight + 2);
        let fresh = i128::from(m.deadline - m.ahead) >= request;
        let marked_before = was.is_some_and(|w| w.marks[NEXT]);
        // Whoever ran unprotected lost the mark, unless it was charged at this instant before.
        let had_mark = marked_before || marked.contains(&m.entity);
        let ran = was.is_some_and(|w| w.running);
        if self.rules.asks_unprotected && had_mark && ran && !m.protected {
            return match by_deadline {
                Says::Because(word) => Says::Either(["next_buddy", word]),
                // A mark that is still there was not lost.
                Says::Wrong(_) if m.marks[NEXT] => Says::Because("next_buddy"),
                other => other,
            };
        }
        let stays = marked_before && marked.is_empty() && was.is_some_and(|w| !w.running);
        if m.marks[NEXT] || stays || (marked.last() == Some(&m.entity) && !fresh) {
            return Says::Because("next_buddy");
        }
        if had_mark || self.woke(m) {
            return match by_deadline {
                Says::Because(word) => Says::Either(["next_buddy", word]),
                Says::Either(_) | Says::Wrong(_) => Says::Because("next_buddy"),
            };
        }
        by_deadline
    }

    /// One that came into the tree before the chosen one, of those with the same key: it is served first. Both must have
    /// waited since before the event with this key.
    fn came_earlier<'l>(
        &self,
        line: &'l Line,
        chosen: usize,
        same: &[usize],
    ) -> Option<&'l Member> {
        let before = self.before.line(line.number)?;
        let waited = |i: usize| {
            let (now, at) = (&line.members[i], before.find(line.members[i].entity)?);
            let was = &before.members[at];
            let has_deadline = self.rules.release == Release::Eevdf;
            let stood = !was.running
                && !was.delayed
                && before.v(was) == line.v(now)
                && (!has_deadline || before.deadline(was) == line.deadline(now));
            stood.then_some(at)
        };
        let own = waited(chosen)?;
        let mut others = same.iter().copied().filter(|i| *i != chosen);
        let first = others.find(|i| waited(*i).is_some_and(|at| at < own))?;
        Some(&line.members[first])
    }

    /// With `NEXT_BUDDY`: whether the event woke a thread, or one of a group.
    fn woke(&self, m: &Member) -> bool {
        let woken = self
            .here()
            .filter(|d| matches!(self.rules.kind(d), "preempt" | "noPreempt"));
        let mut paths = woken.filter_map(|d| self.after.path(d.task?.0));
        let is_in = |path: Vec<Place>| {
            path.iter()
                .any(|p| self.after.member(*p).entity == m.entity)
        };
        self.rules.next_buddy && paths.any(is_in)
    }

    fn judge_deadlines(&self, line: &Line, chosen: usize) -> Says {
        if line.members.len() == 1 {
            return Says::Because("only_one");
        }
        let curr = self.current(line);
        let eligible = curr.filter(|&c| line.members[c].ahead <= 0);
        let parity = eligible.filter(|_| self.rules.run_to_parity || self.rules.by_vruntime);
        if let Some(c) = parity.filter(|c| self.is_protected(line, *c)) {
            return if c == chosen {
                Says::Because(if self.rules.by_vruntime {
                    "still_protected"
                } else {
                    "protected"
                })
            } else {
                Says::Wrong(format!("{:?} is protected", line.members[c]))
            };
        }
        let waiting = (0..line.members.len()).filter(|i| Some(*i) != curr);
        let least = waiting
            .filter(|i| line.members[*i].ahead <= 0)
            .map(|i| line.members[i].deadline)
            .min();
        let goes_on = curr == Some(chosen);
        let own = eligible.map(|c| line.members[c].deadline);
        match (least, own) {
            (None, _) if goes_on => Says::Because("no_other_eligible"),
            (None, _) => Says::Wrong("nobody else is eligible".to_owned()),
            (Some(least), Some(own)) if own < least => {
                if goes_on {
                    Says::Because("goes_on")
                } else {
                    Says::Wrong(format!("what ran has the deadline {own}"))
                }
            }
            (Some(least), _) => {
                let fits = |i: usize| {
                    let m = &line.members[i];
                    Some(i) != curr && m.ahead <= 0 && m.deadline == least
                };
                let same: Vec<usize> = (0..line.members.len()).filter(|i| fits(*i)).collect();
                if let Some(other) = self.came_earlier(line, chosen, &same) {
                    Says::Wrong(format!("{other:?} came earlier"))
                } else if fits(chosen) {
                    Says::Because("earliest_deadline")
                } else {
                    Says::Wrong(format!("a deadline of {least} is eligible"))
                }
            }
        }
    }

    /// Whether what ran was protected at the pick. If it was put back, this follows from the queues before the event,
    /// unless a wake-up on this CPU may have ended it since.
    fn is_protected(&self, line: &Line, c: usize) -> bool {
        let now = &line.members[c];
        if now.running {
            return now.protected;
        }
        if self.rules.by_vruntime {
            // How far its protection reached is not shown.
            return false;
        }
        let woken = self
            .here()
            .any(|d| matches!(self.rules.kind(d), "preempt" | "noPreempt"));
        let before = self.before.line(line.number);
        before.is_some_and(|l| {
            let was = l.find(now.entity).map(|i| &l.members[i]);
            was.is_some_and(|w| w.protected && l.deadline(w) == line.deadline(now)) && !woken
        })
    }

    /// The marks of buddies when the CPU picked, by line and mark; `None` if that is not shown.
    fn marks(&self) -> Option<BTreeMap<(u32, usize), u32>> {
        let mut marks = BTreeMap::new();
        for line in &self.before.lines {
            for m in &line.members {
                for mark in (0..3).filter(|i| m.marks[*i]) {
                    marks.insert((line.number, mark), m.entity);
                }
            }
        }
        // The lines and entities of a thread, the inner one first.
        let upward = |seen: &Seen, task: u32| -> Vec<(u32, u32)> {
            let path = seen.path(task).unwrap_or_default();
            let each = path.iter().rev();
            each.map(|&p| (seen.lines[p.0].number, seen.member(p).entity))
                .collect()
        };
        let clear = |marks: &mut BTreeMap<(u32, usize), u32>, task: u32| {
            for mark in [NEXT, LAST, SKIP] {
                for (line, entity) in upward(self.before, task) {
                    if marks.get(&(line, mark)) != Some(&entity) {
                        break;
                    }
                    marks.remove(&(line, mark));
                }
            }
        };
        let new = self.rules.release == Release::NewCfs;
        let left = self.has_left();
        for d in self.here() {
            let Some(task) = d.task.map(|t| t.0) else {
                continue;
            };
            match (self.rules.word(d), self.rules.kind(d)) {
                ("yielded", _) => {
                    clear(&mut marks, task);
                    if new {
                        for (line, entity) in upward(self.before, task) {
                            marks.insert((line, SKIP), entity);
                        }
                    }
                }
                (_, "preempt" | "noPreempt") if self.rules.next_buddy || left.is_none() => {
                    return None;
                }
                ("wakeup_preempt", _) if new => {
                    let woken = upward(self.after, task);
                    let own = upward(self.before, left?);
                    let met = woken.iter().position(|w| own.iter().any(|o| o.0 == w.0));
                    for (line, entity) in &woken[met?..] {
                        marks.insert((*line, NEXT), *entity);
                    }
                }
                _ => {}
            }
        }
        if let Some(task) = left {
            clear(&mut marks, task);
            if let Some(group) = self.group_goes_on(task).filter(|_| new) {
                marks.insert((self.after.lines[0].number, NEXT), group);
            }
        }
        Some(marks)
    }

    /// `pick_next_entity` @ 2.6.34, 4.9.
    fn judge_cfs(&self, line: &Line, chosen: usize) -> Says {
        let curr = self.current(line);
        let ahead = |i: usize| line.members[i].ahead;
        // In the order of the tree; those with one vruntime in the order that fits the choice.
        let mut tree: Vec<usize> = (0..line.members.len())
            .filter(|i| Some(*i) != curr)
            .collect();
        // One that is passed over may have come before a choice with its vruntime.
        let marks = self.marks();
        let passed = marks
            .as_ref()
            .and_then(|m| line.find(*m.get(&(line.number, SKIP))?));
        let passed = passed.filter(|&p| {
            ahead(p) == ahead(chosen) && self.came_earlier(line, chosen, &[p]).is_some()
        });
        tree.sort_by_key(|&i| (ahead(i), Some(i) != passed, i != chosen));
        let first = tree.first().copied();
        let left = match (first, curr) {
            (Some(first), Some(c)) if ahead(c) < ahead(first) => c,
            (Some(first), _) => first,
            (None, Some(c)) => c,
            (None, None) => return Says::Wrong("an empty queue".to_owned()),
        };
        let Some(marks) = marks else {
            // Only the next buddy is not known.
            let skipped = line.members[left].marks[SKIP];
            let otherwise = if skipped { "skip_buddy" } else { "leftmost" };
            return Says::Either([otherwise, "next_buddy"]);
        };
        let marked = |mark: usize| {
            let entity = marks.get(&(line.number, mark))?;
            line.find(*entity)
        };
        let (mut best, mut why) = (left, "leftmost");
        if marked(SKIP) == Some(left) {
            let second = if curr == Some(left) {
                first
            } else {
                match (tree.get(1).copied(), curr) {
                    (Some(second), Some(c)) if ahead(c) < ahead(second) => Some(c),
                    (Some(second), _) => Some(second),
                    (None, c) => c,
                }
            };
            let near = |s: &usize| {
                !self
                    .rules
                    .is_much_behind(&line.members[*s], &line.members[left])
            };
            if let Some(second) = second.filter(near) {
                (best, why) = (second, "skip_buddy");
            }
        }
        let order = match self.rules.release {
            Release::OldCfs => [(NEXT, "next_buddy"), (LAST, "last_buddy")],
            _ => [(LAST, "last_buddy"), (NEXT, "next_buddy")],
        };
        for (mark, word) in order {
            let near = |b: &usize| {
                !self
                    .rules
                    .is_much_behind(&line.members[*b], &line.members[left])
            };
            if let Some(buddy) = marked(mark).filter(near) {
                (best, why) = (buddy, word);
            }
        }
        let same: Vec<usize> = tree
            .iter()
            .copied()
            .filter(|i| ahead(*i) == ahead(left))
            .collect();
        let earlier = self.came_earlier(line, chosen, &same);
        if let Some(other) = earlier.filter(|_| why == "leftmost" && Some(chosen) != curr) {
            Says::Wrong(format!("{other:?} came earlier"))
        } else if best == chosen {
            Says::Because(why)
        } else {
            let [is, should] = [chosen, best].map(|i| &line.members[i]);
            Says::Wrong(format!("{should:?} is the {why}, not {is:?}"))
        }
    }
}
