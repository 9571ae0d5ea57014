//! The idle states of a run: those of its machine as its system knows them, and how it chooses among them.

use super::menu::{Release, State};
use sim_contract::idle::{BusyRule, IdleGovernor};
use sim_machine::spec::{IdleSpec, IdleState, IdleWake};

sim_ground::constants! {
    /// How far the next timer of an idle CPU is away if none of its threads sleeps by a timer.
    pub FAR_TIMER_NS: u64 = 1_000_000_000, "ns", Assumed,
        "A choice: kernels always have some timer of their own. Once there is a typical interval it does not matter.";
    /// How often a CPU has slept until a far timer before the run begins.
    pub(super) LONG_SLEEPS: u32 = 16, "sleeps", Assumed,
        "A choice: the machine was idle before. A governor that remembers nothing takes C1 in 4.9, for as long as nobody wakes the CPU.";
    /// Least target residency of the state that limits how long Linux polls (6.1 on).
    POLL_MIN_NS: u64 = 10_000, "ns", Published, "cpuidle_poll_time, drivers/cpuidle/cpuidle.c @ Linux 6.12";
    /// The part of a tick that Linux polls at most (6.1 on).
    POLL_TICK_PART: u64 = 16, "", Published, "CPUIDLE_POLL_MAX, drivers/cpuidle/cpuidle.c @ Linux 6.12";
}

/// Idle states, and who chooses.
#[derive(Clone, Debug)]
pub struct IdleRules {
    listed: Vec<IdleState>,
    pub(super) states: Vec<State>,
    pub(super) choice: Choice,
    /// Length of a tick in ns.
    pub(super) tick_ns: u64,
    /// How long a CPU polls at most, in ns.
    pub(super) poll_limit_ns: Option<u64>,
}

/// How a system chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// There is one state.
    Only,
    Menu(Release),
    /// The state of a CPU that is not busy, and of one that is.
    FreeBsd(BusyRule, [u8; 2]),
}

/// What FreeBSD makes of Linux' list: the first state that does not poll, entered by HLT, and by MWAIT if the CPU can.
fn by_hlt(states: &[IdleState]) -> Vec<IdleState> {
    let Some(first) = states.iter().find(|s| s.exit_ns > 0) else {
        return states.to_vec();
    };
    let halted = IdleState {
        wake: IdleWake::Ipi,
        ..first.clone()
    };
    if first.wake == IdleWake::Ipi {
        vec![halted]
    } else {
        vec![halted, first.clone()]
    }
}

impl IdleRules {
    /// The states that a system knows of a machine, and its way to choose.
    #[must_use]
    pub fn new(spec: &IdleSpec, governor: IdleGovernor, tick_ns: u64) -> Self {
        let own = match governor {
            IdleGovernor::Menu26 => spec.firmware_states.as_ref(),
            IdleGovernor::FreeBsd(_) => spec.free_bsd_states.as_ref(),
            _ => None,
        };
        let listed = match (own, governor) {
            (None, IdleGovernor::FreeBsd(_)) => by_hlt(&spec.states),
            (own, _) => own.unwrap_or(&spec.states).clone(),
        };
        let states: Vec<State> = listed
            .iter()
            .map(|s| State {
                exit_ns: u64::from(s.exit_ns),
                residency_ns: u64::from(s.residency_ns),
                polls: s.exit_ns == 0,
                measured: s.exit_ns > 0 && s.wake == IdleWake::Store,
            })
            .collect();
        let first = |wake| {
            let at = listed.iter().position(|s| s.wake == wake);
            at.and_then(|i| u8::try_from(i).ok()).unwrap_or(0)
        };
        let choice = match governor {
            _ if states.len() == 1 => Choice::Only,
            IdleGovernor::Menu26 => Choice::Menu(Release::V26),
            IdleGovernor::Menu49 => Choice::Menu(Release::V49),
            IdleGovernor::Menu61 => Choice::Menu(Release::V61),
            IdleGovernor::Menu612 => Choice::Menu(Release::V612),
            IdleGovernor::Menu618 => Choice::Menu(Release::V618),
            IdleGovernor::FreeBsd(rule) => {
                Choice::FreeBsd(rule, [first(IdleWake::Ipi), first(IdleWake::Store)])
            }
        };
        let real = states.iter().skip(1);
        let limit = real.map(|s| s.residency_ns).find(|ns| *ns >= POLL_MIN_NS);
        let most = tick_ns / POLL_TICK_PART;
        let polls = matches!(choice, Choice::Menu(r) if r.decides_tick());
        Self {
            listed,
            states,
            choice,
            tick_ns,
            poll_limit_ns: polls.then(|| limit.unwrap_or(most).min(most)),
        }
    }

    /// Name of a state.
    #[must_use]
    pub fn name(&self, state: usize) -> &str {
        &self.listed[state].name
    }

    /// Number of states.
    #[must_use]
    pub fn count(&self) -> usize {
        self.states.len()
    }

    /// Exit latency of a state, in ns.
    #[must_use]
    pub fn exit_ns(&self, state: usize) -> u64 {
        self.states[state].exit_ns
    }

    /// Whether another CPU has to send an interrupt to wake a CPU in this state.
    #[must_use]
    pub fn needs_ipi(&self, state: usize) -> bool {
        self.listed[state].wake == IdleWake::Ipi
    }

    /// Whether the next timer of a CPU matters.
    pub(crate) fn asks_for_timer(&self) -> bool {
        matches!(self.choice, Choice::Menu(_))
    }

    /// Whether the scheduler can read the state (`idle_get_state`): with one state there is no driver.
    pub(crate) fn is_told(&self) -> bool {
        matches!(self.choice, Choice::Menu(_))
    }

    /// The rule by which FreeBSD counts.
    pub(crate) fn busy_rule(&self) -> Option<BusyRule> {
        match self.choice {
            Choice::FreeBsd(rule, [main, busy]) if main != busy => Some(rule),
            _ => None,
        }
    }
}
