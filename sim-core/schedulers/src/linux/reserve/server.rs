//! The fair server: each CPU keeps 50 ms of a second for its fair tasks, since 6.12.
//!
//! | item | kernel function @ 6.12.117 |
//! |---|---|
//! | `start` | `dl_server_start`, `update_dl_entity` |
//! | `ran` | `dl_server_update`, `update_curr_dl_se` |
//! | `was_idle` | `dl_server_update_idle_time` |
//! | `expires` | `dl_server_timer`, `replenish_dl_entity` |
//! | `stop` | `dl_server_stop` |
//! | `overflows` | `dl_entity_overflow` |
//!
//! A server waits as long as its fair tasks could still get their time before its deadline. What they get meanwhile, and
//! idle time, counts: where nobody starves it never does anything. Where they starve it comes before real-time tasks,
//! until its time is used up, which a tick sees. What was served is charged once more when it leaves the CPU, a little after
//! that tick, so the server waits again from then on.
//!
//! Deviations: the time of fair tasks is counted where they leave the CPU and while they are served, as if each tick
//! between had counted it. A timer is 1 ns late: real ones are late, too, and this lateness decides whether a tick still
//! sees a rest. A server of an idle CPU stops without waking it. The first real-time task finds servers that have just
//! begun to wait.

use super::{Reserve, Times};
use serde::{Deserialize, Serialize};
use sim_contract::flags::TimerId;
use sim_ground::ids::CpuId;

/// The timer of all servers.
pub(crate) const TIMER: TimerId = 2;

/// A timer is not set anew for less than this (`dl_server_min_res`).
const LEAST: u64 = 1_000_000;
/// How late a timer is.
const LATE: u64 = 1;

/// The server of a CPU (`struct sched_dl_entity`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // those of the kernel
pub(crate) struct Server {
    active: bool,
    /// Whether it waits, for the last moment or for its next period.
    throttled: bool,
    /// Whether its timer stands for the last moment at which its fair tasks could still get their time.
    armed: bool,
    /// Whether they starved.
    starved: bool,
    /// Whether it comes before real-time tasks now.
    serves: bool,
    runtime: i64,
    deadline: u64,
    /// When its timer expires; 0 if it does not stand.
    timer: u64,
    /// The time up to which its CPU was counted.
    counted: u64,
}

/// What counting has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// Nothing to do.
    Same,
    /// The time of a server that served is used up.
    UsedUp,
}

/// Runtime and period, in ns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Full {
    runtime: u64,
    period: u64,
}

impl Times {
    /// What a server has; `None` if there is none.
    pub(super) fn full(self) -> Option<Full> {
        let runtime = self.runtime.filter(|runtime| *runtime > 0)?;
        let period = self.period;
        Some(Full { runtime, period })
    }
}

impl Reserve {
    /// Whether fair tasks of a CPU come before its real-time tasks now.
    #[inline]
    pub(crate) fn serves_fair(&self, cpu: CpuId) -> bool {
        let server = self.st.servers.get(cpu.index());
        server.is_some_and(Server::serves)
    }

    /// The server of a CPU, and what all have, if there are some.
    #[inline]
    pub(crate) fn server(&mut self, cpu: CpuId) -> Option<(&mut Server, Full)> {
        let full = self.st.times.full();
        let server = self.st.servers.get_mut(cpu.index());
        server.zip(full)
    }

    /// Runtime and period of servers, as operands.
    pub(crate) fn full_server(&self) -> [i64; 2] {
        let Times { runtime, period } = self.st.times;
        [runtime.unwrap_or(0), period].map(crate::linux::signed)
    }

    /// Whether servers are known from now on. They were not.
    pub(crate) fn begins_servers(&mut self) -> bool {
        if self.rules.is_some() || !self.st.servers.is_empty() {
            return false;
        }
        self.st.servers = vec![Server::default(); self.cpus];
        true
    }

    /// The timer of a server has moved.
    pub(crate) fn moves_timer(&mut self) {
        self.timers_moved = true;
    }

    /// The time at which a timer expires next, if some has moved.
    #[inline]
    pub(crate) fn moved_timer(&mut self) -> Option<u64> {
        if !std::mem::take(&mut self.timers_moved) {
            return None;
        }
        self.st.servers.iter().filter_map(Server::timer).min()
    }

    /// The CPUs of which a timer expires now.
    pub(crate) fn expiring(&self, now: u64) -> Vec<CpuId> {
        let servers = self.st.servers.iter().enumerate();
        let due = servers.filter(|(_, s)| s.timer().is_some_and(|at| at <= now));
        due.map(|(c, _)| CpuId::new(c)).collect()
    }
}

fn after(at: u64, span: i64) -> u64 {
    at.saturating_add_signed(span)
}

impl Server {
    /// Whether fair tasks come before real-time tasks.
    #[inline]
    pub(crate) fn serves(&self) -> bool {
        self.serves
    }

    /// When its timer expires.
    pub(crate) fn timer(&self) -> Option<u64> {
        (self.timer > 0).then_some(self.timer)
    }

    pub(crate) fn runtime(&self) -> i64 {
        self.runtime
    }

    /// Whether its deadline is past, or it never had one.
    fn is_past(&self, now: u64) -> bool {
        self.deadline < now || self.deadline == 0
    }

    /// Whether what is left is more than its part of the time until the deadline.
    fn overflows(&self, full: Full, now: u64) -> bool {
        let left = u128::from(self.runtime.max(0).unsigned_abs()) * u128::from(full.period);
        let until = self.deadline.saturating_sub(now);
        u128::from(until) * u128::from(full.runtime) < left
    }

    /// `replenish_dl_new_period`.
    fn new_period(&mut self, full: Full, now: u64) {
        self.deadline = now + full.period;
        self.runtime = full.runtime.cast_signed();
        if !self.starved {
            (self.throttled, self.armed) = (true, true);
        }
    }

    /// `start_dl_timer`. Returns whether the time is still to come.
    fn start_timer(&mut self, now: u64) -> bool {
        let at = if self.armed {
            after(self.deadline, -self.runtime)
        } else {
            self.deadline
        };
        if at < now {
            return false;
        }
        self.timer = at + LATE;
        true
    }

    /// The queue of fair tasks is no longer empty. Returns whether the server serves at once.
    pub(crate) fn start(&mut self, full: Full, now: u64) -> bool {
        if self.active {
            return false;
        }
        self.active = true;
        self.counted = now;
        if self.is_past(now) || self.overflows(full, now) {
            if self.starved && !self.is_past(now) {
                let until = u128::from(self.deadline - now);
                let part = until * u128::from(full.runtime) / u128::from(full.period);
                self.runtime = i64::try_from(part).unwrap_or(i64::MAX);
            } else {
                self.starved = false;
                self.new_period(full, now);
            }
        } else if !self.starved {
            (self.armed, self.throttled) = (true, true);
        }
        if self.throttled && self.start_timer(now) {
            return false;
        }
        if self.throttled {
            (self.timer, self.armed, self.throttled) = (0, false, false);
        }
        self.serves = true;
        true
    }

    pub(crate) fn stop(&mut self) {
        self.timer = 0;
        (self.active, self.throttled, self.armed, self.serves) = (false, false, false, false);
    }

    /// The CPU was idle up to now.
    pub(crate) fn was_idle(&mut self, now: u64) {
        let idle = now.saturating_sub(std::mem::replace(&mut self.counted, now));
        if self.runtime < 0 {
            return;
        }
        self.runtime -= idle.cast_signed();
        if self.runtime < 0 {
            (self.starved, self.runtime) = (false, 0);
        }
    }

    /// A real-time task ran up to now.
    pub(crate) fn was_real_time(&mut self, now: u64) {
        self.counted = now;
    }

    /// A fair task ran up to now. `tick` is the first tick at or after a time.
    pub(crate) fn ran(&mut self, full: Full, now: u64, tick: impl Fn(u64) -> u64) -> Counted {
        let from = std::mem::replace(&mut self.counted, now);
        if !self.active || from >= now {
            return Counted::Same;
        }
        if self.serves {
            self.runtime -= (now - from).cast_signed();
            if self.runtime > 0 {
                return Counted::Same;
            }
            (self.serves, self.throttled) = (false, true);
            if !self.start_timer(now) {
                self.new_period(full, now);
                self.start_timer(now);
            }
            return Counted::UsedUp;
        }
        let mut from = from;
        loop {
            let ends = after(from, self.runtime).max(from + 1);
            let at = tick(ends);
            if at > now {
                break;
            }
            self.waits_anew(full, at);
            from = at;
        }
        self.runtime -= (now - from).cast_signed();
        if self.runtime <= 0 {
            self.waits_anew(full, now);
        }
        Counted::Same
    }

    /// Its fair tasks have had their time without it: it waits from now on.
    fn waits_anew(&mut self, full: Full, now: u64) {
        self.starved = false;
        self.new_period(full, now);
        self.start_timer(now);
    }

    /// A fair task that was served leaves the CPU and is still runnable: it is charged once more, a little later than the
    /// tick that ended its turn.
    pub(crate) fn charged_again(&mut self, full: Full, now: u64) {
        if self.active && !self.serves && self.throttled && self.runtime <= 0 {
            self.waits_anew(full, now);
        }
    }

    /// Its timer has expired. Returns whether it serves from now on.
    pub(crate) fn expires(&mut self, full: Full, now: u64) -> bool {
        self.timer = 0;
        if !self.throttled {
            return false;
        }
        if self.armed {
            let last = after(self.deadline, -self.runtime);
            if now + LEAST < last {
                self.timer = last + LATE;
                return false;
            }
            self.starved = true;
            if self.overflows(full, now) {
                self.deadline = now + full.period;
                self.runtime = full.runtime.cast_signed();
            }
        }
        while self.runtime <= 0 {
            self.deadline += full.period;
            self.runtime += full.runtime.cast_signed();
        }
        if self.is_past(now) {
            self.deadline = now + full.period;
            self.runtime = full.runtime.cast_signed();
        }
        (self.throttled, self.armed, self.serves) = (false, false, true);
        self.counted = now;
        true
    }

    /// The tunables were set (`dl_server_apply_params`).
    pub(crate) fn reset(&mut self) {
        self.stop();
        (self.runtime, self.deadline, self.starved) = (0, 0, false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;
    const FULL: Full = Full {
        runtime: 50 * MS,
        period: 1_000 * MS,
    };

    /// The ticks of 250 Hz.
    fn tick(at: u64) -> u64 {
        at.div_ceil(4 * MS) * 4 * MS
    }

    #[test]
    fn fair_tasks_that_run_put_the_server_off() {
        let mut server = Server::default();
        assert!(!server.start(FULL, 0));
        assert_eq!(server.timer(), Some(950 * MS + 1));
        assert_eq!(server.ran(FULL, 900 * MS, tick), Counted::Same);
        // 52 ms at a time, the last time at 884 ms.
        assert_eq!(server.deadline, 1_884 * MS);
        assert_eq!(server.runtime, 34 * MS.cast_signed());
        assert_eq!(server.timer(), Some(1_834 * MS + 1));
        assert!(!server.expires(FULL, 1_834 * MS + 1));
        assert_eq!(
            server.timer(),
            Some(1_850 * MS + 1),
            "950 ms after they ran last"
        );
        assert!(server.expires(FULL, 1_850 * MS + 1));
    }

    #[test]
    fn a_turn_is_rounded_up_to_a_tick_and_the_next_is_950_ms_later() {
        let mut server = Server::default();
        server.start(FULL, 0);
        server.was_real_time(950 * MS + 1);
        assert!(server.expires(FULL, 950 * MS + 1) && server.serves());
        assert_eq!(
            server.ran(FULL, 1_000 * MS, tick),
            Counted::Same,
            "1 ns is left"
        );
        assert_eq!(server.ran(FULL, 1_004 * MS, tick), Counted::UsedUp);
        server.charged_again(FULL, 1_004 * MS);
        assert!(!server.serves());
        assert_eq!(server.timer(), Some(1_954 * MS + 1));
    }

    #[test]
    fn idle_time_counts_as_time_that_fair_tasks_could_have_had() {
        let mut server = Server::default();
        server.start(FULL, 0);
        server.ran(FULL, 10 * MS, tick);
        server.was_idle(30 * MS);
        assert_eq!(server.runtime(), 20 * MS.cast_signed());
        server.was_idle(600 * MS);
        assert_eq!(server.runtime(), 0);
        assert!(!server.expires(FULL, 950 * MS + 1));
        assert_eq!(server.timer(), Some(1_000 * MS + 1));
    }

    #[test]
    fn who_stops_in_its_turn_keeps_its_rest_until_the_deadline() {
        let mut server = Server::default();
        server.start(FULL, 0);
        server.was_real_time(950 * MS + 1);
        server.expires(FULL, 950 * MS + 1);
        server.ran(FULL, 960 * MS, tick);
        server.stop();
        assert!(server.start(FULL, 1_150 * MS + 1), "it serves at once");
        assert_eq!(
            server.runtime(),
            40 * MS.cast_signed(),
            "as 800 ms are left"
        );
        server.stop();
        assert!(server.start(FULL, 1_750 * MS + 1));
        assert_eq!(server.runtime(), 10 * MS.cast_signed());
        server.stop();
        assert!(!server.start(FULL, 1_951 * MS), "after it, it waits");
    }
}
