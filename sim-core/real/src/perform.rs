//! A thread's life: its behaviour phase by phase, while it watches the clock. What it needs of the machine is [`Stage`], so
//! that tests can play the machine.

use crate::jobs::{Job, word, work_cx};
use crate::record::{End, Seen, Turn};
use sim_run::workload::Phase;

/// The thread was not on its CPU if two readings of the clock are further apart.
pub const GAP_NS: u64 = 5_000;

/// Most turns, and most wake-ups, that a thread keeps.
pub const MAX_KEPT: usize = 1 << 16;

/// What a thread needs of its machine. Times are in ns of one clock.
pub trait Stage {
    /// The time.
    fn now(&mut self) -> u64;
    /// How often the kernel took the CPU away from this thread.
    fn taken_away(&mut self) -> u64;
    /// The CPU on which it is.
    fn cpu(&mut self) -> usize;
    /// Sleeps until a time.
    fn sleep_until(&mut self, at: u64);
    /// Lets others go first.
    fn yields(&mut self);
    /// Gives a token to a channel.
    fn post(&mut self, channel: u32);
    /// Takes a token from a channel, and waits until there is one or the run has ended.
    fn take(&mut self, channel: u32);
}

/// A thread that watches itself.
struct Watch<'a, S> {
    stage: &'a mut S,
    seen: Seen,
    /// Since when it has had its CPU.
    turn_since: u64,
    /// The last reading of the clock.
    last: u64,
    taken_away: u64,
    cpu: usize,
    /// The common start, and the end.
    from: u64,
    end: u64,
}

/// Keeps what there is room for: a list that grew would interrupt the thread.
fn keep<T>(list: &mut Vec<T>, what: T) {
    if list.len() < MAX_KEPT {
        list.push(what);
    }
}

impl<S: Stage> Watch<'_, S> {
    /// Reads the clock. Gives the time that was the thread's own since the last reading.
    fn look(&mut self) -> u64 {
        let now = self.stage.now();
        let passed = now.saturating_sub(self.last);
        if passed <= GAP_NS {
            self.last = now;
            return passed;
        }
        let taken_away = self.stage.taken_away();
        if taken_away == self.taken_away {
            self.seen.interruptions += 1;
            self.seen.interrupted_ns += passed;
        } else {
            self.taken_away = taken_away;
            self.end_turn(End::Taken);
            self.begin_turn(now);
        }
        self.last = now;
        0
    }

    fn end_turn(&mut self, by: End) {
        let turn = Turn {
            at: self.turn_since.saturating_sub(self.from),
            ns: self.last - self.turn_since,
            cpu: self.cpu,
            by,
        };
        keep(&mut self.seen.turns, turn);
    }

    fn begin_turn(&mut self, now: u64) {
        self.turn_since = now;
        let cpu = self.stage.cpu();
        self.seen.moves += u64::from(cpu != self.cpu);
        self.cpu = cpu;
    }

    /// Computes for so long, or to the end.
    fn compute(&mut self, ns: u64) {
        let mut left = ns;
        while left > 0 && self.last < self.end {
            let own = self.look().min(left);
            left -= own;
            self.seen.work_ns += own;
        }
    }

    fn sleep(&mut self, ns: u64) {
        let before = self.stage.now();
        let due = before.saturating_add(ns);
        self.end_turn(End::Slept);
        self.stage.sleep_until(due.min(self.end));
        let now = self.stage.now();
        if due < self.end {
            keep(&mut self.seen.latencies, now.saturating_sub(due));
        }
        // What was taken away while it fell asleep belongs to no turn.
        self.taken_away = self.stage.taken_away();
        self.begin_turn(now);
        self.last = now;
    }

    fn give_way(&mut self) {
        self.stage.yields();
        self.seen.yields += 1;
        self.come_back(End::Yielded);
    }

    /// After a call in which others may have had the CPU.
    fn come_back(&mut self, by: End) {
        let now = self.stage.now();
        if now.saturating_sub(self.last) > GAP_NS {
            self.end_turn(by);
            self.taken_away = self.stage.taken_away();
            self.begin_turn(now);
        }
        self.last = now;
    }
}

/// Plays a job from now until a time at the latest, and gives what the thread saw. `from` was the common start.
///
/// # Errors
/// A sentence, if its behaviour wants what cannot be done.
pub fn perform(stage: &mut impl Stage, job: &Job, from: u64, end: u64) -> Result<Seen, String> {
    let mut behaviour = job.behaviour()?;
    let mut rng = job.rng();
    let (now, cpu, taken_away) = (stage.now(), stage.cpu(), stage.taken_away());
    let mut seen = Seen::default();
    // Memory that is touched for the first time later would interrupt the thread.
    let none = Turn {
        at: 1,
        ns: 1,
        cpu: 1,
        by: End::Taken,
    };
    seen.turns.resize(MAX_KEPT, none);
    seen.turns.clear();
    seen.latencies.resize(MAX_KEPT, 1);
    seen.latencies.clear();
    let mut watch = Watch {
        turn_since: now,
        last: stage.now(),
        stage,
        seen,
        taken_away,
        cpu,
        from,
        end,
    };
    while watch.last < end {
        match behaviour.next(&mut work_cx(&mut rng, job)) {
            Phase::Run(ns) => watch.compute(ns),
            Phase::RunForever => watch.compute(u64::MAX),
            Phase::Sleep { ns, .. } => watch.sleep(ns),
            Phase::Yield => watch.give_way(),
            Phase::Post { channel, .. } => {
                watch.stage.post(channel.number);
                watch.look();
            }
            Phase::Take { channel, .. } => {
                watch.stage.take(channel.number);
                watch.come_back(End::Waited);
            }
            Phase::Exit => {
                watch.seen.exited = true;
                break;
            }
            other => return Err(format!("\"{}\" cannot be run for real", word(&other))),
        }
    }
    if watch.turn_since < end {
        watch.end_turn(End::Over);
    }
    Ok(watch.seen)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::params::{ParamMap, ParamValue};
    use sim_run::sched::flags::Policy;

    /// A machine on which somebody else has the CPU at given times.
    struct Play {
        now: u64,
        /// From, to, and whether the kernel counts it as taken away.
        others: Vec<(u64, u64, bool)>,
        taken_away: u64,
        /// How late sleepers wake.
        late: u64,
        /// Tokens that nobody has taken.
        posted: Vec<u32>,
    }

    impl Stage for Play {
        fn now(&mut self) -> u64 {
            self.now += 100;
            if let Some((_, to, counts)) = self
                .others
                .iter()
                .copied()
                .find(|(from, to, _)| (*from..*to).contains(&self.now))
            {
                self.now = to;
                self.taken_away += u64::from(counts);
            }
            self.now
        }
        fn taken_away(&mut self) -> u64 {
            self.taken_away
        }
        fn cpu(&mut self) -> usize {
            usize::from(self.now > 30_000_000)
        }
        fn sleep_until(&mut self, at: u64) {
            self.now = at + self.late;
        }
        fn yields(&mut self) {
            self.now += 1_000_000;
        }
        fn post(&mut self, channel: u32) {
            self.posted.push(channel);
        }
        fn take(&mut self, _: u32) {
            if self.posted.pop().is_none() {
                self.now += 20_000_000;
            }
        }
    }

    fn job(program: &str) -> Job {
        let mut params = ParamMap::new();
        params.insert("program".to_owned(), ParamValue::Choice(program.to_owned()));
        Job {
            name: "a-1".to_owned(),
            group: "a".to_owned(),
            number: 1,
            comm: "ts-a-1".to_owned(),
            kind: "script".to_owned(),
            params,
            nice: 0,
            policy: Policy::Normal,
            rt_priority: 0,
            slice_ns: 0,
            cpus: vec![0],
            start_ns: 0,
            seed: 1,
            channels: std::collections::BTreeSet::new(),
        }
    }

    fn play(program: &str, others: &[(u64, u64, bool)], late: u64) -> Seen {
        let mut stage = Play {
            now: 0,
            others: others.to_vec(),
            taken_away: 0,
            late,
            posted: Vec::new(),
        };
        perform(&mut stage, &job(program), 0, 50_000_000).expect("can be done")
    }

    #[test]
    fn gaps_are_others_turns_if_the_kernel_counted_them() {
        let others = [
            (4_000_000, 12_000_000, true),
            (14_000_000, 14_200_000, false),
            (16_000_000, 40_000_000, true),
        ];
        let seen = play("run", &others, 0);
        let near = |list: &[u64], wanted: &[u64]| {
            list.len() == wanted.len()
                && list.iter().zip(wanted).all(|(a, b)| a.abs_diff(*b) < 1_000)
        };
        let lengths: Vec<u64> = seen.turns.iter().map(|t| t.ns).collect();
        assert!(
            near(&lengths, &[4_000_000, 4_000_000, 10_000_000]),
            "{seen:?}"
        );
        let begins: Vec<u64> = seen.turns.iter().map(|t| t.at).collect();
        assert!(near(&begins, &[0, 12_000_000, 40_000_000]), "{seen:?}");
        let ends: Vec<(End, usize)> = seen.turns.iter().map(|t| (t.by, t.cpu)).collect();
        assert_eq!(ends, [(End::Taken, 0), (End::Taken, 0), (End::Over, 1)]);
        assert_eq!((seen.interruptions, seen.moves), (1, 1));
        // 4 ms, 2 and 1.8 ms around the interruption, and 10 ms to the end.
        assert!(near(&[seen.work_ns], &[17_800_000]), "{}", seen.work_ns);
        assert!(!seen.exited);
    }

    #[test]
    fn a_burst_is_as_long_as_its_own_time() {
        let seen = play(
            "run 2ms; sleep 5ms; run 1ms; sleep 1ms",
            &[(1_000_000, 4_000_000, true)],
            70_000,
        );
        assert!(seen.work_ns.abs_diff(3_000_000) < 1_000, "{}", seen.work_ns);
        assert!(seen.exited);
        assert_eq!(seen.latencies.len(), 2);
        assert!(
            seen.latencies[0].abs_diff(70_000) < 500,
            "{:?}",
            seen.latencies
        );
        let ends: Vec<End> = seen.turns.iter().map(|t| t.by).collect();
        let wanted = [End::Taken, End::Slept, End::Slept, End::Over];
        assert_eq!(ends, wanted, "{seen:?}");
        // 2 ms of its own, 3 ms of others, 5 ms of sleep, and 70 µs too late.
        assert!(seen.turns[2].at.abs_diff(10_070_000) < 1_000, "{seen:?}");
    }

    #[test]
    fn a_sleep_beyond_the_end_has_no_latency() {
        let seen = play("run 1ms; sleep 20s; repeat", &[], 70_000);
        assert!(seen.latencies.is_empty() && !seen.exited, "{seen:?}");
    }

    #[test]
    fn a_wait_for_a_token_ends_a_turn_and_a_token_that_is_there_does_not() {
        let seen = play("run 1ms; post 1; take 1; run 2ms; take 1; repeat", &[], 0);
        let turns: Vec<(u64, End)> = seen
            .turns
            .iter()
            .map(|t| (t.ns / 1_000_000, t.by))
            .collect();
        assert_eq!(turns, [(3, End::Waited); 3], "{seen:?}");
    }

    #[test]
    fn yields_are_counted() {
        let seen = play("yield; repeat", &[], 0);
        assert_eq!((seen.yields, seen.turns.len()), (50, 50), "{seen:?}");
    }
}
