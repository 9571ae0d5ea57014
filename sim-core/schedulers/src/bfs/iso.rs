//! `SCHED_ISO`: real time for unprivileged tasks, up to a limit on their CPU use.

use super::era::IsoRule;
use super::tunables::ISO_PRIO;
use super::{BfsState, reasons};
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::flags::Policy;
use sim_ground::ids::CpuId;

/// The moving average of isochronous and real-time ticks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct IsoState {
    /// `iso_ticks`: 100 per tick spent in such tasks, decaying.
    ticks: u64,
    /// `ISO_PERIOD`: 5 seconds of all CPUs, in ticks, plus one.
    period: u64,
    /// `iso_cpu` in percent.
    limit: u64,
    /// How the limits are compared; not part of the state.
    #[serde(skip, default = "rounded")]
    pub(super) rule: IsoRule,
    /// Whether isochronous tasks have used too much and count as normal.
    pub(super) refractory: bool,
}

impl IsoState {
    pub(super) fn new(rule: IsoRule, hz: u64, cpus: usize, limit: u64) -> Self {
        Self {
            ticks: 0,
            period: 5 * hz * cpus as u64 + 1,
            limit,
            rule,
            refractory: false,
        }
    }

    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Whether ticks change anything.
    pub(super) fn is_active(&self) -> bool {
        self.ticks > 0 || self.refractory
    }

    fn charge(&mut self) {
        let most = match self.rule {
            IsoRule::Rounded => 100 * self.period - 100,
            IsoRule::Exact => 128 * self.period - 128,
        };
        if self.ticks <= most {
            self.ticks += 100;
        }
    }

    fn decay(&mut self) {
        if self.ticks > 0 {
            let down = self.ticks / self.period + 1;
            self.ticks = self.ticks.saturating_sub(down);
        }
    }

    /// Sets and clears the refractory state. The limit for clearing it is lower.
    fn update(&mut self) -> bool {
        let (above, below) = match self.rule {
            IsoRule::Rounded => {
                let used = self.ticks / self.period;
                (used > self.limit, used < self.limit * 9 / 10)
            }
            IsoRule::Exact => (
                self.ticks > self.period * self.limit,
                self.ticks < self.period * (self.limit * 115 / 128),
            ),
        };
        self.refractory = if self.refractory { !below } else { above };
        self.refractory
    }
}

/// A placeholder for states that are read back: their scheduler then sets the rule.
fn rounded() -> IsoRule {
    IsoRule::Rounded
}

impl BfsState {
    /// The isochronous part of a tick on a CPU.
    pub(super) fn iso_tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        let c = &self.cpus[cpu.index()];
        let (policy, prio, curr) = (c.rq_policy, c.rq_prio, c.curr);
        let real_time = matches!(policy, Policy::Fifo | Policy::RoundRobin);
        let iso = policy == Policy::Iso && curr.is_some();
        if curr.is_some() && (real_time || (iso && !self.iso.refractory)) {
            if !self.iso.is_active() {
                // Ticks of the other CPUs begin to matter, because each of them lets the average decay.
                for other in cx.machine.cpu_ids() {
                    cx.requery(other);
                }
            }
            self.iso.charge();
        } else {
            self.iso.decay();
        }
        if !iso {
            return;
        }
        let was = self.iso.refractory;
        if self.iso.update() && prio == ISO_PRIO {
            // The task is queued again as NORMAL at the reschedule that this forces.
            self.cpus[cpu.index()].rq_time_slice = 0;
        }
        if was != self.iso.refractory {
            let ticks = i64::try_from(self.iso.ticks).unwrap_or(i64::MAX);
            let reason = if was {
                reasons::ISO_ALLOWED
            } else {
                reasons::ISO_REFRACTORY
            };
            cx.explain(Some(cpu), curr, reason, [ticks, 0, 0, 0]);
        }
    }
}
