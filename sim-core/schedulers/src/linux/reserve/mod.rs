//! What Linux keeps for fair tasks where real-time tasks would take all: up to 6.11 a limit of real time ([`limit`]).
//!
//! A run begins without any of it: it is there from the first real-time task on, beside the state of the scheduler, so that
//! runs without real time have none of it.

pub(crate) mod limit;

use limit::Limit;
use serde::{Deserialize, Serialize};
use sim_contract::state_bytes::{save_state, take_state};
use sim_ground::params::{ParamSpec, Params};

pub(crate) const RT_RUNTIME: ParamSpec = ParamSpec::int("rtRuntimeUs", -1, 100_000_000, 950_000)
    .label("sched_rt_runtime_us")
    .unit("us")
    .summary("CPU time that the real-time threads of a CPU may use in each period; -1: all of it.")
    .published("sysctl_sched_rt_runtime; the range is chosen");

pub(crate) const RT_PERIOD: ParamSpec = ParamSpec::int("rtPeriodUs", 1_000, 100_000_000, 1_000_000)
    .label("sched_rt_period_us")
    .unit("us")
    .summary("Period of the limit of real time.")
    .published("sysctl_sched_rt_period; the range is chosen")
    .log();

/// What the tunables say, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Times {
    /// Time in each period; `None` is no limit.
    runtime: Option<u64>,
    period: u64,
}

impl Times {
    fn new(params: &Params) -> Self {
        let us = |id: &str| u64::try_from(params.get(id)).ok().map(|us| us * 1_000);
        Self {
            runtime: us(RT_RUNTIME.id),
            period: us(RT_PERIOD.id).unwrap_or(1).max(1),
        }
    }
}

/// The part of it that snapshots hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    times: Times,
    limit: Option<Limit>,
}

impl Part {
    fn begin(times: Times) -> Self {
        Self { times, limit: None }
    }
}

/// What is kept for fair tasks.
#[derive(Debug)]
pub(crate) struct Reserve {
    /// The rules of the release; `None` if it has no limit of real time.
    rules: Option<limit::Rules>,
    /// The tunables as the lane begins.
    begin: Times,
    cpus: usize,
    st: Part,
}

impl Reserve {
    pub(crate) fn new(params: &Params, rules: limit::Rules, cpus: usize) -> Self {
        let has_limit = params.specs().iter().any(|s| s.id == RT_RUNTIME.id);
        let begin = if has_limit {
            Times::new(params)
        } else {
            Times {
                runtime: None,
                period: 1,
            }
        };
        Self {
            rules: has_limit.then_some(rules),
            begin,
            cpus,
            st: Part::begin(begin),
        }
    }

    /// Appends it to the bytes of a state, if it is not as the lane begins. Other parts that are there only now and then
    /// must have been written before.
    pub(crate) fn append(&self, bytes: &mut Vec<u8>) {
        if self.is_used() {
            bytes.extend(save_state(&self.st));
        }
    }

    /// Whether it is not as the lane begins.
    pub(crate) fn is_used(&self) -> bool {
        self.st.limit.is_some() || self.st.times != self.begin
    }

    /// Restores it from the last bytes of a snapshot. Returns whether they were right.
    pub(crate) fn take(&mut self, rest: &[u8]) -> bool {
        self.st = Part::begin(self.begin);
        if rest.is_empty() {
            return true;
        }
        let Some((st, _)) = take_state::<Part>(rest) else {
            return false;
        };
        let fits = |limit: &Limit| limit.cpus() == self.cpus;
        if !st.limit.as_ref().is_none_or(fits) {
            return false;
        }
        self.st = st;
        true
    }

    /// The tunables were set.
    pub(crate) fn set(&mut self, params: &Params) {
        if self.rules.is_some() {
            self.st.times = Times::new(params);
            if let Some(limit) = &mut self.st.limit {
                limit.set(self.st.times);
            }
        }
    }
}
