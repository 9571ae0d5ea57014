//! What each record has to tell: its reason, and every operand.

use super::judge::{Event, Says};
use super::rules::Release;
use super::seen::{Line, Member, Place, Seen};
use sim_run::sched::decision::Decision;
use std::collections::BTreeSet;

/// What a record may say.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// Its reason; one of them.
    pub(super) words: Vec<&'static str>,
    /// Its operands: each one of a set, or not checked.
    pub(super) operands: [Option<BTreeSet<i64>>; 4],
}

/// A decision that was found right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Checked {
    /// Its number.
    pub(super) id: u64,
    /// What it is about.
    pub(super) what: About,
    /// The operands that were compared.
    pub(super) operands: [bool; 4],
    /// Whether only one reason is possible.
    pub(super) clear: bool,
}

/// What decisions are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum About {
    /// A pick between groups.
    PickOfGroup,
    /// A pick between threads.
    Pick,
    /// Whether a woken thread preempts.
    WakeUp,
    /// The end of a slice or a request.
    SliceEnd,
    /// A thread joins its queue, or stays though it sleeps.
    Requeue,
}

pub(super) fn exactly(operands: [i64; 4]) -> [Option<BTreeSet<i64>>; 4] {
    operands.map(|n| Some(BTreeSet::from([n])))
}

/// Names a word of a choice between groups as the scheduler does.
fn of_level(word: &'static str, m: Option<&Member>) -> String {
    if m.is_some_and(|m| m.opens.is_some()) {
        format!("group_{word}")
    } else {
        word.to_owned()
    }
}

impl Event<'_> {
    /// Checks all that the event told about its CPU.
    pub(super) fn examine(&self) -> Result<Vec<Checked>, String> {
        let here: Vec<&Decision> = self
            .told
            .iter()
            .filter(|d| d.cpu.is_some_and(|c| c.0 == self.cpu))
            .collect();
        let (picks, others): (Vec<&Decision>, Vec<&Decision>) =
            here.iter().partition(|d| self.rules.is_fair_pick(d));
        let mut checked = if picks.is_empty() || self.weighed_anew(&picks) {
            Vec::new()
        } else {
            self.examine_picks(&picks)?
        };
        for d in others {
            let later: Vec<&Decision> = here.iter().copied().filter(|l| l.id > d.id).collect();
            let Some((what, m, wanted)) = self.wanted(d, &later)? else {
                continue;
            };
            checked.push(self.compare(d, m, what, &wanted)?);
        }
        Ok(checked)
    }

    /// The pick of a thread: the level that decided is told, and if that was between groups, the choice within.
    fn examine_picks(&self, picks: &[&Decision]) -> Result<Vec<Checked>, String> {
        let task = picks[0].task.ok_or("nobody was picked")?.0;
        if picks.iter().any(|d| d.task != picks[0].task) || self.after.runs != Some(task) {
            return Err(format!("{:?} runs, and not thread {task}", self.after.runs));
        }
        let path = self.after.path(task).ok_or("what runs is not queued")?;
        for &(line, _) in &path {
            self.mean_is_right(line)?;
        }
        self.stood_still(task, path[path.len() - 1])?;
        let picked = self.as_picked(task);
        let then = Event {
            after: &picked,
            ..*self
        };
        let last = path.len() - 1;
        let is_choice = |level: &usize| self.after.lines[path[*level].0].members.len() > 1;
        let decided = (0..=last).find(is_choice).unwrap_or(last);
        let mut levels = vec![decided];
        if decided != last && is_choice(&last) {
            levels.push(last);
        }
        if levels.len() != picks.len() {
            return Err(format!("{} levels had a choice", levels.len()));
        }
        let mut checked = Vec::new();
        // The rules hold at levels without a choice, too.
        for level in 0..=last {
            let says = then.judge(path[level]);
            if let Says::Wrong(why) = &says {
                return Err(format!("at level {level}: {why}"));
            }
            let Some(at) = levels.iter().position(|l| *l == level) else {
                continue;
            };
            let m = self.after.member(path[level]);
            let words = match says {
                Says::Because(word) => vec![word],
                Says::Either(words) => words.to_vec(),
                Says::Wrong(_) => Vec::new(),
            };
            let operands = then.operands(&path[..=level]);
            let what = if m.opens.is_some() {
                About::PickOfGroup
            } else {
                About::Pick
            };
            checked.push(then.compare(picks[at], Some(m), what, &Wanted { words, operands })?);
        }
        Ok(checked)
    }

    /// In one queue: whether a thread that was picked has joined the queue in the same event. With which weight it stood
    /// there until the switch is not shown.
    fn weighed_anew(&self, picks: &[&Decision]) -> bool {
        let joined = |d: &Decision| d.task == picks[0].task && self.rules.kind(d) == "requeue";
        self.rules.one_queue && self.here().any(joined)
    }

    /// The queues as the pick saw them. In the one queue of 7.3 a thread that is put on the CPU gets another weight, and
    /// with it another place; the others keep theirs.
    pub(super) fn as_picked(&self, task: u32) -> Seen {
        let mut seen = self.after.clone();
        let line = &mut seen.lines[0];
        let is_it = |m: &&Member| m.task == Some(task);
        let before = self
            .before
            .line(line.number)
            .filter(|_| self.rules.one_queue);
        let was = before.and_then(|l| Some((l, l.members.iter().find(is_it)?)));
        let Some((old, was)) = was.filter(|(_, was)| !was.running && !was.delayed) else {
            return seen;
        };
        let places: Vec<[i64; 3]> = line
            .members
            .iter()
            .map(|m| match m.task == Some(task) {
                true => [old.v(was), old.deadline(was), was.weight],
                false => [line.v(m), line.deadline(m), m.weight],
            })
            .collect();
        let moment = |[v, _, w]: &[i64; 3]| i128::from(*v) * i128::from(*w);
        let weight: i64 = places.iter().map(|p| p[2]).sum();
        let sum: i128 = places.iter().map(moment).sum();
        line.base = i64::try_from(sum.div_euclid(i128::from(weight))).expect("a time");
        line.weight = Some(weight);
        for (m, [v, deadline, w]) in line.members.iter_mut().zip(places) {
            (m.ahead, m.deadline, m.weight) = (v - line.base, deadline - line.base, w);
        }
        seen
    }

    fn compare(
        &self,
        d: &Decision,
        m: Option<&Member>,
        what: About,
        wanted: &Wanted,
    ) -> Result<Checked, String> {
        let word = self.rules.word(d);
        let words: Vec<String> = wanted.words.iter().map(|w| of_level(w, m)).collect();
        if !words.iter().any(|w| w == word) {
            return Err(format!("{word} instead of {words:?}: {d:?}"));
        }
        for (i, (found, set)) in d.operands.iter().zip(&wanted.operands).enumerate() {
            if set.as_ref().is_some_and(|set| !set.contains(found)) {
                return Err(format!("{word}: operand {i} is not in {set:?}: {d:?}"));
            }
        }
        Ok(Checked {
            id: d.id,
            what,
            operands: wanted.operands.each_ref().map(Option::is_some),
            clear: words.len() == 1,
        })
    }

    /// The operands of a pick, from the queues.
    fn operands(&self, path: &[Place]) -> [Option<BTreeSet<i64>>; 4] {
        let place = path[path.len() - 1];
        let (m, n) = (self.after.member(place), self.after.lines[place.0].count());
        if self.rules.release == Release::Eevdf {
            return exactly([-m.ahead, m.deadline, m.slice, n]);
        }
        let mut all = exactly([m.ahead, n, 0, 0]);
        all[2] = Some(self.rules.slices(self.after, path));
        all
    }

    /// V is the mean by weight, rounded down: weight × (v - V) adds up to less than the weight.
    fn mean_is_right(&self, line: usize) -> Result<(), String> {
        let line = &self.after.lines[line];
        let Some(weight) = line.weight else {
            return Ok(());
        };
        let all: i64 = line.members.iter().map(|m| m.weight).sum();
        let each = line.members.iter();
        let sum: i128 = each
            .map(|m| i128::from(m.weight) * i128::from(m.ahead))
            .sum();
        if weight == all && (0..i128::from(all)).contains(&sum) {
            Ok(())
        } else {
            Err(format!(
                "V is not the mean, {sum} of {all} and {weight}: {line:?}"
            ))
        }
    }

    /// `reweight_eevdf` @ 7.3: another weight leaves the lag and the distance of the deadline the same CPU time.
    fn is_rescaled(
        &self,
        line: &Line,
        v: i64,
        deadline: i64,
        [was, now]: [&Member; 2],
    ) -> Result<(), String> {
        let scaled = |x: i64| i128::from(x) * i128::from(was.weight) / i128::from(now.weight);
        // V is rounded down before and after.
        let near = |x: i64, y: i128| (i128::from(x) - y).abs() <= scaled(3).abs() + 3;
        if near(now.ahead, scaled(v - line.base))
            && near(now.deadline, scaled(deadline - line.base))
        {
            Ok(())
        } else {
            Err(format!("{was:?} got another weight, and became {now:?}"))
        }
    }

    /// A thread that only waited has the virtual times that it had before.
    fn stood_still(&self, task: u32, place: Place) -> Result<(), String> {
        let line = &self.after.lines[place.0];
        let now = &line.members[place.1];
        let before = self.before.line(line.number);
        let was = before.and_then(|l| Some((l, l.members.iter().find(|m| m.task == Some(task))?)));
        match was {
            Some((l, was)) if !was.running && !was.delayed => {
                if self.rules.one_queue && was.weight != now.weight {
                    return self.is_rescaled(line, l.v(was), l.deadline(was), [was, now]);
                }
                let same = (l.v(was), was.weight) == (line.v(now), now.weight)
                    && (line.weight.is_none() || l.deadline(was) == line.deadline(now));
                if same {
                    Ok(())
                } else {
                    Err(format!("{was:?} waited, and became {now:?}"))
                }
            }
            _ => Ok(()),
        }
    }
}
