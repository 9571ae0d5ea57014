//! The latest results of pure functions that the engine calls again and again with the same inputs.
//!
//! Each place holds one answer and compares the whole question, so a stored answer equals a computed one. Never part of
//! a snapshot. Questions are tuples, which are compared number by number. An array that was just written would be
//! compared as a whole, and the processor would wait until all of it has reached memory.

use super::mixes::{Capacities, Shared};
use sim_ground::ids::CpuId;
use sim_machine::cost::mix::{Mix, Sweep};
use sim_machine::cost::time::{Conditions, speed};
use sim_machine::rate::Speed;

/// The last question, with its answer.
#[derive(Clone, Debug)]
pub(super) struct LastAnswer<Q, A>(Option<(Q, A)>);

impl<Q: PartialEq, A> LastAnswer<Q, A> {
    #[inline]
    pub(super) fn find(&mut self, question: Q, answer: impl FnOnce(&Q) -> A) -> &A {
        if self.0.as_ref().is_none_or(|(last, _)| *last != question) {
            let answer = answer(&question);
            self.0 = Some((question, answer));
        }
        let (_, answer) = self.0.as_ref().expect("invariant: has just been answered");
        answer
    }
}

impl<Q, A> LastAnswer<Q, A> {
    /// The last question.
    pub(super) fn question(&self) -> Option<&Q> {
        self.0.as_ref().map(|(question, _)| question)
    }

    /// Drops the stored answer.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

/// What a thread sweeps on a CPU, with which cache capacities, and from where it fills a cache.
pub(super) type Swept = (Sweep, Capacities, Option<(u64, bool)>);

/// What matters for speed without data: clock of the core, pressure of the siblings and how the thread bears it, heat,
/// ticks.
pub(super) type PlainConditions = (u64, u64, u16, u64, u64);

/// Number of places for speeds of CPUs with equal questions.
const PLACES: usize = 64;
/// Distributes questions over the places (2^64 divided by the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// All stored answers.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerCache {
    /// The mix of each CPU.
    pub(super) mixes: Vec<LastAnswer<Swept, Mix>>,
    pub(super) speeds: Vec<LastAnswer<(Mix, Conditions), Speed>>,
    /// Speeds shared by all CPUs, because similar threads run on many CPUs: each question has its own place.
    alike: Vec<Option<((Mix, Conditions), Speed)>>,
    /// Speeds of CPUs that use no data.
    pub(super) plain_speeds: Vec<LastAnswer<PlainConditions, Speed>>,
    /// By how much the memory waits of a CPU stretch those of its siblings, from its waiting and its computing.
    pub(super) fills: Vec<LastAnswer<(u64, u64), u64>>,
    /// What the siblings used of a CPU when their speeds were computed: pressure, waiting and computing. Where threads
    /// sweep memory, speeds do not use this.
    pub(super) felt: Vec<Option<(u64, u64, u64)>>,
    /// For each cache: the share of each of its users.
    pub(super) shares: Vec<LastAnswer<Vec<Shared>, Vec<u64>>>,
    /// Buffer for the CPUs whose speeds an update concerns.
    pub(super) affected: Vec<CpuId>,
    /// The last round in which each cache was visited.
    looked_at: Vec<u64>,
    round: u64,
}

impl AnswerCache {
    pub(super) fn new(cpus: usize, caches: usize) -> Self {
        Self {
            mixes: vec![LastAnswer(None); cpus],
            speeds: vec![LastAnswer(None); cpus],
            alike: vec![None; PLACES],
            plain_speeds: vec![LastAnswer(None); cpus],
            fills: vec![LastAnswer(None); cpus],
            felt: vec![None; cpus],
            shares: vec![LastAnswer(None); caches],
            affected: Vec::new(),
            looked_at: vec![0; caches],
            round: 0,
        }
    }

    /// The speed of a CPU, from what its thread computes and waits for and the conditions there.
    pub(super) fn speed(&mut self, cpu: CpuId, mix: &Mix, conditions: &Conditions) -> Speed {
        let own = &mut self.speeds[cpu.index()].0;
        // The part that changes most often is compared first: usually the conditions.
        let is = |(m, c): &(Mix, Conditions)| c == conditions && m == mix;
        if let Some((last, speed)) = own
            && is(last)
        {
            return *speed;
        }
        let mixed = mix.scaled ^ mix.l3 ^ conditions.smt.rotate_right(20) ^ conditions.saturation;
        let place = usize::try_from(mixed.wrapping_mul(SPREAD) >> 32).unwrap_or(0) % PLACES;
        let known = &mut self.alike[place];
        if let Some((last, speed)) = known
            && is(last)
        {
            let speed = *speed;
            *own = Some(((*mix, *conditions), speed));
            return speed;
        }
        let speed = speed(mix, conditions);
        *known = Some(((*mix, *conditions), speed));
        *own = *known;
        speed
    }

    /// Begins a round: no cache has been visited.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
    }

    /// Whether a cache is visited for the first time in this round.
    pub(super) fn is_first(&mut self, cache: usize) -> bool {
        std::mem::replace(&mut self.looked_at[cache], self.round) != self.round
    }
}
