//! A trace whole: its events, which threads are asked about, and what has to be known before an event is reached.

use sim_import::{CONDUCTOR, Event, IDLE, Kind, Names, Pid, Sink};
use std::collections::{BTreeMap, BTreeSet};

/// Priority of nice 0; below 100 are the real-time ones.
const NICE_0: i32 = 120;
const FIRST_FAIR: i32 = 100;
const LAST_FAIR: i32 = 139;

/// Names that stand for no thread of interest, if no pattern says otherwise: what recorders write for others.
const NOBODY: [&str; 4] = ["other", "idle", "<idle>", "swapper*"];

/// The names of a run of `timeslice real`, all of which share a group.
const OF_A_REAL_RUN: &str = "ts-*";

/// A pattern for names: `*` stands for any characters, `?` for one; several are separated by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern(Vec<String>);

impl Pattern {
    /// Reads a pattern.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self(text.split(',').map(|p| p.trim().to_owned()).collect())
    }

    /// Whether a name fits.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        let name: Vec<char> = name.chars().collect();
        let fits = |p: &String| wild(&p.chars().collect::<Vec<_>>(), &name);
        self.0.iter().any(fits)
    }
}

fn wild(pattern: &[char], name: &[char]) -> bool {
    match (pattern.split_first(), name.split_first()) {
        (None, None) => true,
        (Some(('*', rest)), _) => (0..=name.len()).any(|n| wild(rest, &name[n..])),
        (Some(('?', rest)), Some((_, name))) => wild(rest, name),
        (Some((p, rest)), Some((n, name))) => p == n && wild(rest, name),
        _ => false,
    }
}

/// Takes the events of a reader, with the names that threads have at that time.
#[derive(Debug, Default)]
pub struct Recorder {
    events: Vec<Event>,
    /// The names of a thread, each with the first event that may know it: events wait for those that are late, so a name
    /// may come a little before its line.
    names: BTreeMap<Pid, Vec<(usize, String)>>,
    /// Number of changes of names that are in `names`.
    changes: usize,
}

impl Sink for Recorder {
    fn event(&mut self, event: &Event, names: &Names) {
        let at = self.events.len();
        let changed = names.changed_since(self.changes);
        for pid in changed {
            let (known, name) = (self.names.entry(*pid).or_default(), names.of(*pid));
            if known.last().is_none_or(|(_, last)| last != name) {
                known.push((at, name.to_owned()));
            }
        }
        self.changes += changed.len();
        self.events.push(*event);
    }
}

/// A trace as it is followed.
#[derive(Debug)]
pub struct Record {
    pub(crate) events: Vec<Event>,
    names: BTreeMap<Pid, Vec<(usize, String)>>,
    /// The threads that are asked about.
    members: BTreeSet<Pid>,
    /// Event → the nice value that a thread has from there on.
    pub(crate) nices: BTreeMap<usize, (Pid, i8)>,
    /// The first nice value that is seen of a thread.
    pub(crate) first_nice: BTreeMap<Pid, i8>,
    /// Event of a wake-up that begins → event in which the thread is queued.
    pub(crate) queued_at: BTreeMap<usize, usize>,
    /// Number of CPUs that were seen.
    pub(crate) cpus: usize,
    pub(crate) has_runtime: bool,
}

impl Record {
    /// What was recorded; `threads` says who is asked about.
    #[must_use]
    pub fn new(recorder: Recorder, threads: Option<&Pattern>) -> Self {
        let Recorder { events, names, .. } = recorder;
        let nobody = Pattern::new(&NOBODY.join(","));
        let mut all = names.values().flatten();
        let own = all
            .any(|(_, name)| name == CONDUCTOR)
            .then(|| Pattern::new(OF_A_REAL_RUN));
        let is_member = |name: &str| match threads.or(own.as_ref()) {
            Some(pattern) => pattern.fits(name),
            None => !name.is_empty() && !nobody.fits(name),
        };
        let of = |(pid, names): (&Pid, &Vec<(usize, String)>)| {
            let any = *pid != IDLE && names.iter().any(|(_, name)| is_member(name));
            any.then_some(*pid)
        };
        let members: BTreeSet<Pid> = names.iter().filter_map(of).collect();
        let seen = events.iter().flat_map(cpus_of).max().unwrap_or(0);
        let has_runtime = events
            .iter()
            .any(|e| matches!(e.kind, Kind::Runtime { pid, .. } if members.contains(&pid)));
        let mut record = Self {
            events,
            names,
            members,
            nices: BTreeMap::new(),
            first_nice: BTreeMap::new(),
            queued_at: BTreeMap::new(),
            cpus: usize::from(seen) + 1,
            has_runtime,
        };
        record.note_nices();
        record.note_wakeups();
        record
    }

    /// Whether a thread is asked about.
    pub(crate) fn is_member(&self, pid: Pid) -> bool {
        self.members.contains(&pid)
    }

    /// From now on threads have other names. Who is asked about was settled by the old ones.
    pub fn rename(&mut self, to: impl Fn(Pid) -> Option<String>) {
        for (pid, names) in &mut self.names {
            if let Some(name) = to(*pid) {
                *names = vec![(0, name)];
            }
        }
    }

    /// Names of the threads that are asked about.
    #[must_use]
    pub fn threads(&self) -> Vec<&str> {
        let last = |pid: &Pid| self.names.get(pid)?.last().map(|(_, n)| n.as_str());
        self.members.iter().filter_map(last).collect()
    }

    /// The name of a thread at an event.
    pub(crate) fn name(&self, pid: Pid, at: usize) -> &str {
        let names = self.names.get(&pid).map_or(&[][..], Vec::as_slice);
        let known = names.partition_point(|(from, _)| *from <= at);
        names.get(known.saturating_sub(1)).map_or("", |(_, n)| n)
    }

    /// The trace tells priorities where threads switch and wake. A change of the running thread happens at an accounting:
    /// the last one before the one with which the thread leaves the CPU.
    fn note_nices(&mut self) {
        let mut known: BTreeMap<Pid, i8> = BTreeMap::new();
        let mut charged: BTreeMap<Pid, Vec<usize>> = BTreeMap::new();
        for (at, event) in self.events.iter().enumerate() {
            let seen = match event.kind {
                Kind::Runtime { pid, .. } => {
                    charged.entry(pid).or_default().push(at);
                    continue;
                }
                Kind::Switch {
                    prev,
                    prev_prio,
                    next,
                    next_prio,
                    ..
                } => [Some((prev, prev_prio)), Some((next, next_prio))],
                Kind::Waking { pid, prio, .. }
                | Kind::Wakeup { pid, prio, .. }
                | Kind::WakeupNew { pid, prio, .. } => [Some((pid, prio)), None],
                _ => continue,
            };
            for (pid, prio) in seen.into_iter().flatten() {
                let charges = charged.remove(&pid).unwrap_or_default();
                let Some(nice) = nice_of(prio).filter(|_| self.members.contains(&pid)) else {
                    continue;
                };
                match known.insert(pid, nice) {
                    None => {
                        self.first_nice.insert(pid, nice);
                    }
                    Some(before) if before != nice => {
                        let changed = match charges[..] {
                            [.., changed, _] | [changed] => changed,
                            [] => at,
                        };
                        self.nices.insert(changed, (pid, nice));
                    }
                    Some(_) => {}
                }
            }
        }
    }

    fn note_wakeups(&mut self) {
        let mut open: BTreeMap<Pid, usize> = BTreeMap::new();
        for (at, event) in self.events.iter().enumerate() {
            match event.kind {
                Kind::Waking { pid, .. } => {
                    open.insert(pid, at);
                }
                Kind::Wakeup { pid, .. } => {
                    if let Some(began) = open.remove(&pid) {
                        self.queued_at.insert(began, at);
                    }
                }
                Kind::Switch { next, .. } => {
                    open.remove(&next);
                }
                _ => {}
            }
        }
    }
}

/// Whether a priority is that of the fair class, which alone is followed.
pub(crate) fn is_fair(prio: i32) -> bool {
    nice_of(prio).is_some()
}

fn nice_of(prio: i32) -> Option<i8> {
    let fair = (FIRST_FAIR..=LAST_FAIR).contains(&prio);
    fair.then(|| i8::try_from(prio - NICE_0).ok())?
}

fn cpus_of(event: &Event) -> [u16; 2] {
    let other = match event.kind {
        Kind::Wakeup { target, .. }
        | Kind::WakeupNew { target, .. }
        | Kind::Waking { target, .. } => target.unwrap_or(0),
        Kind::Migrate { to, .. } => to,
        _ => 0,
    };
    [event.cpu, other]
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_import::Reading;

    #[test]
    fn patterns_have_wild_characters_and_alternatives() {
        let fits = |p: &str, name| Pattern::new(p).fits(name);
        assert!(fits("tsw-*", "tsw-a") && !fits("tsw-*", "ts"));
        assert!(fits("a?c", "abc") && !fits("a?c", "ac") && !fits("a", "ab"));
        assert!(fits("x*, *y", "why") && fits("*", ""));
    }

    #[test]
    fn a_run_of_the_program_is_asked_about_without_strangers() {
        let names = |conductor: &str| {
            let switch = |prev: (&str, u32), next: (&str, u32)| {
                format!(
                    "  {}-{} [000] d..2. 1.00{}: sched_switch: prev_comm={} prev_pid={} prev_prio=120 prev_state=S ==> next_comm={} next_pid={} next_prio=120\n",
                    prev.0, prev.1, prev.1, prev.0, prev.1, next.0, next.1
                )
            };
            let [own, stranger, hog] = [(conductor, 1), ("rustc", 2), ("ts-hog-1", 3)];
            let text = switch(own, stranger) + &switch(stranger, hog) + &switch(hog, own);
            let (mut trace, mut recorder) = (sim_import::Trace::default(), Recorder::default());
            trace.push(text.as_bytes(), &mut recorder).expect("reads");
            trace.finish(&mut recorder).expect("ends");
            let record = Record::new(recorder, None);
            record
                .threads()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(CONDUCTOR), [CONDUCTOR, "ts-hog-1"]);
        assert_eq!(names("bash"), ["bash", "rustc", "ts-hog-1"]);
    }
}
