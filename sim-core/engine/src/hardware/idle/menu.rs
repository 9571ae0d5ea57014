//! The menu governor of Linux, by release: it predicts how long a CPU will be idle, and takes the deepest state that pays
//! off within that time.
//!
//! | here | there |
//! |---|---|
//! | `select` | `menu_select` |
//! | `update` | `menu_update` |
//! | `typical` | `get_typical_interval` |
//! | `bucket` | `which_bucket` |
//!
//! Units and widths are those of the releases: 2.6.34 and 4.9 count in µs, later ones in ns, and recent lengths are
//! always µs in 32 bits. Deviations: no state is disabled, and nobody limits the latency (PM QoS).

use serde::{Deserialize, Serialize};

const US: u64 = 1_000;

sim_ground::constants! {
    /// Unit of the correction factors.
    UNIT: u64 = 1_024, "", Published, "RESOLUTION, drivers/cpuidle/governors/menu.c @ Linux 2.6.34 to 6.18";
    /// Part of a factor that each period replaces in 2.6.34: one in so many.
    DECAY_26: u64 = 4, "", Published, "DECAY, menu.c @ Linux 2.6.34";
    /// Part of a factor that each period replaces later: one in so many.
    DECAY: u64 = 8, "", Published, "DECAY, menu.c @ Linux 4.9 to 6.18";
    /// Longer periods count as predicted exactly.
    LONG_US: u64 = 50_000, "us", Published, "MAX_INTERESTING, menu.c @ Linux 2.6.34 to 6.18";
    /// A state worth while after less is entered without asking for the next timer.
    SHORT_NS: u64 = 15_000, "ns", Published, "RESIDENCY_THRESHOLD_NS, drivers/cpuidle/governors/gov.h @ Linux 6.12";
    /// Buckets of expected lengths without tasks that wait for I/O.
    BUCKETS: usize = 6, "buckets", Published, "BUCKETS, menu.c: half of them";
    /// Number of recent lengths.
    LENGTHS: usize = 8, "lengths", Published, "INTERVALS, menu.c @ Linux 4.9 to 6.18";
}

/// No typical interval.
const NONE: u32 = u32::MAX;
/// No timer (`KTIME_MAX`).
const NO_TIMER: u64 = i64::MAX as u64;

/// Releases of the governor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Release {
    /// 2.6.33, 2.6.34.
    V26,
    /// 4.9.
    V49,
    /// 6.1.
    V61,
    /// 6.6, 6.12.
    V612,
    /// 6.18.
    V618,
}

impl Release {
    /// Whether the governor also decides about the tick.
    #[must_use]
    pub fn decides_tick(self) -> bool {
        self >= Self::V61
    }
}

/// An idle state, as the governor sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Time to leave it, in ns.
    pub exit_ns: u64,
    /// Length of idleness from which on it is worth while, in ns.
    pub residency_ns: u64,
    /// Whether the CPU only looks again and again whether there is work.
    pub polls: bool,
    /// Whether the kernel of 2.6.34 measures how long the CPU was in it.
    pub measured: bool,
}

/// What the governor may know when a CPU is idle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Time to the next timer of the CPU, with the tick left out if it can be stopped, in ns.
    pub timer_ns: u64,
    /// Time to the next timer or tick, in ns.
    pub next_ns: u64,
    /// Length of a tick, in ns.
    pub tick_ns: u64,
    /// Whether the tick has been stopped in this period of idleness.
    pub stopped: bool,
    /// Tasks of the CPU that wait for I/O.
    pub io_waits: u32,
    /// The CPU's load at its last tick, 1024 for a thread of nice 0. Read by 2.6.34 alone.
    pub load: u64,
}

/// What the governor chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Number of the state.
    pub state: usize,
    /// Whether the tick is stopped. True for releases that stop it before they choose.
    pub stops_tick: bool,
}

/// What ends a period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Woken {
    /// A signal, a timer or an interrupt.
    Signal,
    /// The tick.
    Tick,
    /// Polling has reached its time limit.
    PollLimit,
}

/// What the governor remembers of a CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Menu {
    /// The latest lengths of idleness in µs, as a ring (`intervals`).
    lengths: [u32; LENGTHS],
    next: u8,
    /// How the time to the next timer is corrected, by its bucket (`correction_factor`).
    factors: [u32; 2 * BUCKETS],
    /// Of the last choice: bucket, time to the next timer (µs up to 4.9, then ns), state, and in 2.6.34 the exit latency
    /// in µs that the length contains.
    bucket: u8,
    timer: u64,
    state: u8,
    exit_us: u32,
    /// Whether no period has ended yet.
    fresh: bool,
}

impl Default for Menu {
    fn default() -> Self {
        Self {
            lengths: [0; LENGTHS],
            next: 0,
            // 0 stands for the start value, which differs.
            factors: [0; 2 * BUCKETS],
            bucket: 0,
            timer: 0,
            state: 0,
            exit_us: 0,
            fresh: true,
        }
    }
}

impl Menu {
    /// A governor that remembers these lengths of idleness in µs, the oldest first.
    #[must_use]
    pub fn remembering(lengths: [u32; LENGTHS]) -> Self {
        Self {
            lengths,
            fresh: false,
            ..Self::default()
        }
    }

    /// Whether this can be what a governor of so many states remembers.
    pub(super) fn fits(&self, states: usize) -> bool {
        usize::from(self.next) < LENGTHS
            && usize::from(self.bucket) < 2 * BUCKETS
            && usize::from(self.state) < states
    }

    /// Chooses a state.
    pub fn select(&mut self, release: Release, states: &[State], now: &Inputs) -> Chosen {
        let chosen = match release {
            Release::V26 => self.select_26(states, now),
            Release::V49 => self.select_49(states, now),
            Release::V61 | Release::V612 | Release::V618 => self.select_61(release, states, now),
        };
        self.state = u8::try_from(chosen.state).unwrap_or(0);
        chosen
    }

    fn factor(&self, start: u64) -> u64 {
        match self.factors[usize::from(self.bucket)] {
            0 => start,
            factor => u64::from(factor),
        }
    }

    fn remember_timer(&mut self, timer: u64, us: u64, io_waits: u32) {
        self.timer = timer;
        self.bucket = bucket(us, io_waits);
    }

    fn select_26(&mut self, states: &[State], now: &Inputs) -> Chosen {
        // The code takes the low 32 bits of the ns.
        let timer = (now.timer_ns & u64::from(u32::MAX)).div_ceil(US);
        self.remember_timer(timer, timer, now.io_waits);
        let unit = UNIT * DECAY_26;
        let predicted = (timer * self.factor(unit) + unit / 2) / unit;
        // `get_loadavg`: 10 for each unit of 2048, and a tenth of the per cent that remain.
        let load = (now.load >> 11) * 10 + (((now.load & 2_047) * 100) >> 11) / 10;
        let multiplier = 1 + 10 * u64::from(now.io_waits) + 2 * load;
        let first = first_real(states);
        let mut state = if timer > 5 { first } else { 0 };
        self.exit_us = 0;
        for (i, s) in states.iter().enumerate().skip(first) {
            let (exit, residency) = (s.exit_ns / US, s.residency_ns / US);
            if residency > predicted || exit * multiplier > predicted {
                break;
            }
            (state, self.exit_us) = (i, u32::try_from(exit).unwrap_or(u32::MAX));
        }
        Chosen {
            state,
            stops_tick: true,
        }
    }

    fn select_49(&mut self, states: &[State], now: &Inputs) -> Chosen {
        let timer = now.timer_ns / US;
        self.remember_timer(timer, timer, now.io_waits);
        let unit = UNIT * DECAY;
        let predicted = (timer * self.factor(unit) + unit / 2) / unit;
        let typical = u64::from(typical(Release::V49, &self.lengths, 0));
        let predicted = predicted.min(typical).min(timer);
        let limit = predicted / (1 + 10 * u64::from(now.io_waits));
        let first = first_real(states);
        let polling_limit = (states[first].residency_ns / US).max(20);
        let start = if timer > polling_limit { first } else { 0 };
        let deepest = states.iter().enumerate().skip(start + 1);
        let state = deepest
            .filter(|(_, s)| s.residency_ns / US <= predicted && s.exit_ns / US <= limit)
            .map(|(i, _)| i)
            .next_back();
        Chosen {
            state: state.unwrap_or(start),
            stops_tick: true,
        }
    }

    fn select_61(&mut self, release: Release, states: &[State], now: &Inputs) -> Chosen {
        if self.fresh {
            // The last residency is 0, which stands for a state that the driver refused.
            self.remember(NONE);
        }
        let mut next = now.next_ns;
        let mut predicted = NO_TIMER;
        if release >= Release::V612 {
            predicted = u64::from(typical(release, &self.lengths, 0)) * US;
        }
        if predicted > SHORT_NS || now.stopped {
            let io_waits = if release == Release::V61 {
                now.io_waits
            } else {
                0
            };
            self.remember_timer(now.timer_ns, now.timer_ns / US, io_waits);
            let unit = UNIT * DECAY * US;
            let by_timer = (now.timer_ns * self.factor(UNIT * DECAY) + unit / 2) / unit;
            // Cut to 32 bits, as there.
            let by_timer = u32::try_from(by_timer & u64::from(u32::MAX)).unwrap_or(NONE);
            if release == Release::V61 {
                predicted = u64::from(typical(release, &self.lengths, by_timer)) * US;
            }
            predicted = predicted.min(u64::from(by_timer) * US);
        } else {
            self.timer = NO_TIMER;
            self.bucket = 5;
            next = now.tick_ns / 2;
        }
        if states.len() == 1 || self.timer < states[1].residency_ns {
            return Chosen {
                state: 0,
                stops_tick: !states[0].polls,
            };
        }
        let mut limit = u64::MAX;
        if now.stopped {
            if predicted < now.tick_ns {
                predicted = self.timer;
            }
        } else if release == Release::V61 {
            limit = predicted / (1 + 10 * u64::from(now.io_waits));
        }
        let (state, predicted) = match self.deepest(release, states, now, predicted, limit, next) {
            Search::Found(state, predicted) => (state, predicted),
            Search::Stays(state) => {
                return Chosen {
                    state,
                    stops_tick: true,
                };
            }
        };
        let keeps = !now.stopped && (states[state].polls || predicted < now.tick_ns);
        Chosen {
            state: if keeps {
                fitting(states, state, next)
            } else {
                state
            },
            stops_tick: !keeps,
        }
    }

    /// The state for a prediction, and the prediction that decides about the tick.
    fn deepest(
        &self,
        release: Release,
        states: &[State],
        now: &Inputs,
        predicted: u64,
        limit: u64,
        next: u64,
    ) -> Search {
        let mut found = 0;
        for (i, s) in states.iter().enumerate() {
            if s.residency_ns <= predicted {
                if s.exit_ns > limit {
                    break;
                }
                found = i;
                continue;
            }
            // Rather a real state than polling.
            let rather = if release == Release::V61 {
                s.exit_ns <= limit
            } else {
                s.residency_ns < SHORT_NS && s.exit_ns <= predicted
            };
            if states[found].polls && s.residency_ns <= self.timer && rather {
                return Search::Found(i, s.residency_ns);
            }
            if predicted < now.tick_ns {
                break;
            }
            if !now.stopped {
                // A tick that comes too early does no harm in a shallow state, so it is kept.
                return Search::Found(found, states[found].residency_ns);
            }
            if states[found].residency_ns < now.tick_ns && s.residency_ns <= next {
                found = i;
            }
            return Search::Stays(found);
        }
        Search::Found(found, predicted)
    }

    /// A period ends. `residency_ns` is what the kernel measures: the time to leave the state is part of it.
    pub fn update(
        &mut self,
        release: Release,
        states: &[State],
        residency_ns: u64,
        woken: Woken,
        tick_ns: u64,
    ) {
        self.fresh = false;
        let state = &states[usize::from(self.state)];
        let (measured, unit, decay) = match release {
            Release::V26 => (self.measured_26(state, residency_ns), 1, DECAY_26),
            Release::V49 => {
                let us = less_exit(residency_ns / US, state.exit_ns / US);
                (us.min(self.timer), 1, DECAY)
            }
            Release::V61 | Release::V612 | Release::V618 => {
                let ns = if woken == Woken::Tick && self.timer > tick_ns {
                    9 * LONG_US * US / 10
                } else if woken == Woken::PollLimit {
                    self.timer
                } else {
                    less_exit(residency_ns, state.exit_ns)
                };
                (ns.min(self.timer), US, DECAY)
            }
        };
        let old = self.factor(UNIT * decay);
        let kept = if release == Release::V26 {
            old * (decay - 1) / decay
        } else {
            old - old / decay
        };
        let hit = if self.timer > 0 && measured < LONG_US * unit {
            UNIT * measured / self.timer
        } else {
            UNIT
        };
        let factor = (kept + hit).max(1);
        self.factors[usize::from(self.bucket)] = u32::try_from(factor).unwrap_or(u32::MAX);
        if release != Release::V26 {
            let us = (measured / unit) & u64::from(u32::MAX);
            self.remember(u32::try_from(us).unwrap_or(NONE));
        }
    }

    fn measured_26(&self, state: &State, residency_ns: u64) -> u64 {
        let us = if state.measured {
            residency_ns / US
        } else {
            self.timer
        };
        let exit = u64::from(self.exit_us);
        if us > exit { us - exit } else { us }
    }

    fn remember(&mut self, us: u32) {
        self.lengths[usize::from(self.next)] = us;
        self.next = (self.next + 1) % 8;
    }
}

/// Result of the search for the deepest state.
enum Search {
    /// A state, and the prediction by which the tick is kept or stopped.
    Found(usize, u64),
    /// A state; the tick stays stopped.
    Stays(usize),
}

/// The first state in which a CPU does not poll.
fn first_real(states: &[State]) -> usize {
    usize::from(states[0].polls && states.len() > 1)
}

/// The next shallower state that fits into the time to the next event, if the state does not.
fn fitting(states: &[State], mut state: usize, next: u64) -> usize {
    while state > 0 && states[state].residency_ns > next {
        state -= 1;
    }
    state
}

/// The length without the time to leave the state.
fn less_exit(residency: u64, exit: u64) -> u64 {
    if residency > 2 * exit {
        residency - exit
    } else {
        residency / 2
    }
}

fn bucket(us: u64, io_waits: u32) -> u8 {
    let by_time = match us {
        0..10 => 0,
        10..100 => 1,
        100..1_000 => 2,
        1_000..10_000 => 3,
        10_000..100_000 => 4,
        _ => 5,
    };
    by_time + if io_waits > 0 { 6 } else { 0 }
}

/// The interval in µs around which the recent lengths lie, if they do; else [`NONE`]. 6.1 compares with what the timer
/// predicts.
fn typical(release: Release, lengths: &[u32; LENGTHS], by_timer: u32) -> u32 {
    // Values from `low` up to `high` count.
    let mut low = 0;
    let mut high = match release {
        Release::V26 | Release::V49 => u32::MAX,
        Release::V61 | Release::V612 => i32::MAX.unsigned_abs(),
        Release::V618 => u32::MAX - 1,
    };
    loop {
        let counted = lengths.iter().filter(|x| (low..=high).contains(*x));
        let (mut n, mut sum, mut squares, mut min, mut max) = (0_u64, 0_u64, 0_u64, u32::MAX, 0);
        for x in counted.clone() {
            n += 1;
            sum += u64::from(*x);
            squares = squares.wrapping_add(u64::from(*x) * u64::from(*x));
            (min, max) = (min.min(*x), max.max(*x));
        }
        let refused = match release {
            Release::V26 | Release::V49 => n == 0,
            Release::V61 => min >= by_timer,
            Release::V612 | Release::V618 => max == 0,
        };
        if refused || n == 0 {
            return NONE;
        }
        let mean = sum / n;
        let variance = if release == Release::V618 {
            (squares / n).wrapping_sub(mean * mean)
        } else {
            let distances = counted.map(|x| u64::from(*x).abs_diff(mean));
            distances.fold(0_u64, |sum, d| sum.wrapping_add(d * d)) / n
        };
        let narrow = mean * mean > variance.saturating_mul(36) && n >= 6;
        if variance <= u64::MAX / 36 && (narrow || variance <= 400) {
            return u32::try_from(mean).unwrap_or(NONE);
        }
        if n <= 6 {
            return NONE;
        }
        if release == Release::V618 && mean - u64::from(min) > u64::from(max) - mean {
            low = min + 1;
        } else {
            high = max - 1;
        }
    }
}
