//! What was computed last, and from what: functions of their inputs alone that are asked for again and again with the same.
//!
//! Each place holds one answer and compares the whole question, so an answer is the same whether it was known or not.
//! Never part of a snapshot. Questions are tuples, which are compared number by number: an array that was just written is
//! compared as a whole, and the processor waits until all of it has left for memory.

use super::mixes::{Capacities, Shared};
use sim_ground::ids::CpuId;
use sim_machine::cost::mix::{Mix, Sweep};
use sim_machine::cost::time::{Conditions, speed};
use sim_machine::rate::Speed;

/// The last question, with its answer.
#[derive(Clone, Debug)]
pub(super) struct Last<Q, A>(Option<(Q, A)>);

impl<Q: PartialEq, A> Last<Q, A> {
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    pub(super) fn find(&mut self, question: Q, answer: impl FnOnce(&Q) -> A) -> &A {
        if self.0.as_ref().is_none_or(|(last, _)| *last != question) {
            let answer = answer(&question);
            self.0 = Some((question, answer));
        }
        let (_, answer) = self.0.as_ref().expect("invariant: has just been answered");
        answer
    }
}

impl<Q, A> Last<Q, A> {
    /// The last question.
    pub(super) fn question(&self) -> Option<&Q> {
        self.0.as_ref().map(|(question, _)| question)
    }

    /// Knows nothing any more.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

/// What a thread sweeps on a CPU, with which room, and from where it fills a cache.
pub(super) type Swept = (Sweep, Capacities, Option<(u64, bool)>);

/// Places for speeds that are alike.
const PLACES: usize = 64;
/// Spreads questions over them (2^64 over the golden ratio).
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// All that is known.
#[derive(Clone, Debug)]
pub(super) struct Known {
    /// Of each CPU.
    pub(super) mixes: Vec<Last<Swept, Mix>>,
    pub(super) speeds: Vec<Last<(Mix, Conditions), Speed>>,
    /// The same of any CPU, for threads that are alike stand on many: each question has its place.
    alike: Vec<Option<((Mix, Conditions), Speed)>>,
    /// The same where nobody has data, from all that matters then: clock of the core, sibling, heat, ticks.
    pub(super) plain_speeds: Vec<Last<(u64, u64, u64, u64), Speed>>,
    /// By how much a CPU's waiting stretches its siblings', from its waiting and its computing.
    pub(super) fills: Vec<Last<(u64, u64), u64>>,
    /// What its siblings felt of a CPU when their speeds were computed: pressure, waiting and computing. Where threads
    /// sweep, speeds do not ask.
    pub(super) felt: Vec<Option<(u64, u64, u64)>>,
    /// Of each cache: what each of its users has of it.
    pub(super) shares: Vec<Last<Vec<Shared>, Vec<u64>>>,
    /// Room for the CPUs that an update of speeds concerns.
    pub(super) affected: Vec<CpuId>,
    /// The last round in which each cache was looked at.
    looked_at: Vec<u64>,
    round: u64,
}

impl Known {
    pub(super) fn new(cpus: usize, caches: usize) -> Self {
        Self {
            mixes: vec![Last(None); cpus],
            speeds: vec![Last(None); cpus],
            alike: vec![None; PLACES],
            plain_speeds: vec![Last(None); cpus],
            fills: vec![Last(None); cpus],
            felt: vec![None; cpus],
            shares: vec![Last(None); caches],
            affected: Vec::new(),
            looked_at: vec![0; caches],
            round: 0,
        }
    }

    /// The speed of a CPU, from what its thread computes and waits for and the conditions there.
    pub(super) fn speed(&mut self, cpu: CpuId, mix: &Mix, conditions: &Conditions) -> Speed {
        let own = &mut self.speeds[cpu.index()].0;
        // What changed last is compared first: mostly it is the conditions.
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

    /// All caches are looked at anew.
    pub(super) fn begin_round(&mut self) {
        self.round += 1;
    }

    /// Whether a cache is looked at for the first time in this round.
    pub(super) fn is_first(&mut self, cache: usize) -> bool {
        std::mem::replace(&mut self.looked_at[cache], self.round) != self.round
    }
}
