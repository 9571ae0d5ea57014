//! What Linux keeps for fair tasks where real-time tasks would take all: up to 6.11 a limit of real time ([`limit`]), since
//! then a server for fair tasks on each CPU ([`server`]).
//!
//! A run begins without any of it: it is there from the first real-time task on, beside the state of the scheduler, so that
//! runs without real time have none of it.

pub(crate) mod limit;
pub(crate) mod server;

use limit::Limit;
use serde::{Deserialize, Serialize};
use server::Server;
use sim_contract::state_bytes::{save_state, take_state};
use sim_ground::params::{ParamSpec, Params};

pub(crate) const RT_RUNTIME: ParamSpec = ParamSpec::int("rtRuntimeUs", -1, 1_000_000, 950_000)
    .label("RT runtime")
    .unit("us")
    .summary("CPU time that the real-time threads of a CPU may use in each period (sched_rt_runtime_us); -1: all of it.")
    .published("sysctl_sched_rt_runtime; the range is chosen");

pub(crate) const RT_PERIOD: ParamSpec = ParamSpec::int("rtPeriodUs", 1_000, 100_000_000, 1_000_000)
    .label("RT period")
    .unit("us")
    .summary("Period of the limit of real time (sched_rt_period_us).")
    .published("sysctl_sched_rt_period; the range is chosen")
    .log();

pub(crate) const SERVER_RUNTIME: ParamSpec =
    ParamSpec::int("fairServerRuntimeUs", 0, 4_194_304, 50_000)
        .label("server runtime")
        .unit("us")
        .summary("CPU time that each CPU keeps for ordinary threads in each period, before real-time threads (fair_server); 0: none.")
        .published("dl_server_start; range of debugfs")
        .log();

pub(crate) const SERVER_PERIOD: ParamSpec =
    ParamSpec::int("fairServerPeriodUs", 100, 4_194_304, 1_000_000)
        .label("server period")
        .unit("us")
        .summary("Period of the time that is kept for ordinary threads.")
        .published("dl_server_start; range of debugfs")
        .log();

/// What the tunables say, in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Times {
    /// Time in each period: of real-time tasks, of which `None` is all, or of fair tasks.
    runtime: Option<u64>,
    period: u64,
}

impl Times {
    fn new(params: &Params, [runtime, period]: [&ParamSpec; 2]) -> Self {
        let ns = |spec: &ParamSpec| u64::try_from(params.get(spec.id)).ok().map(|us| us * 1_000);
        Self {
            runtime: ns(runtime),
            period: ns(period).unwrap_or(1).max(1),
        }
    }
}

/// The part of it that snapshots hold.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    times: Times,
    limit: Option<Limit>,
    /// The server of each CPU.
    servers: Vec<Server>,
}

impl Part {
    fn begin(times: Times) -> Self {
        Self {
            times,
            limit: None,
            servers: Vec::new(),
        }
    }
}

/// What is kept for fair tasks.
#[derive(Debug)]
pub(crate) struct Reserve {
    /// The rules of the release for the limit of real time; `None` if it has servers.
    rules: Option<limit::Rules>,
    /// The tunables as the lane begins.
    begin: Times,
    cpus: usize,
    /// Whether the timer of a server has moved.
    timers_moved: bool,
    st: Part,
}

impl Reserve {
    pub(crate) fn new(params: &Params, rules: limit::Rules, cpus: usize) -> Self {
        let has_limit = params.specs().iter().any(|s| s.id == RT_RUNTIME.id);
        let rules = has_limit.then_some(rules);
        let begin = Times::new(params, tunables(rules));
        Self {
            rules,
            begin,
            cpus,
            timers_moved: false,
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
        let has_some = self.st.limit.is_some() || !self.st.servers.is_empty();
        has_some || self.st.times != self.begin
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
        let known = [st.limit.as_ref().map_or(0, Limit::cpus), st.servers.len()];
        if known.into_iter().any(|n| n > 0 && n != self.cpus) {
            return false;
        }
        self.st = st;
        true
    }

    /// The tunables were set.
    pub(crate) fn set(&mut self, params: &Params) {
        self.st.times = Times::new(params, tunables(self.rules));
        if let Some(limit) = &mut self.st.limit {
            limit.set(self.st.times);
        }
        for server in &mut self.st.servers {
            server.reset();
        }
    }
}

/// The tunables of a release: runtime and period.
fn tunables(rules: Option<limit::Rules>) -> [&'static ParamSpec; 2] {
    match rules {
        Some(_) => [&RT_RUNTIME, &RT_PERIOD],
        None => [&SERVER_RUNTIME, &SERVER_PERIOD],
    }
}
