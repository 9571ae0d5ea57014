//! Which ticks matter, how CPUs take them, and the kernel's clock.
//!
//! | item | kernel function |
//! |---|---|
//! | `keeps_tick` | `select_nohz_load_balancer` @ 2.6.34 |
//! | `clocks` | `tick_setup_sched_timer` |

use super::Cfs;
use crate::linux::numa::Host;
use sim_contract::cx::Cx;
use sim_contract::flags::{ClockId, ClockSpec};
use sim_contract::{Kernel, QuietTicks, TickTurns};
use sim_ground::ids::CpuId;
use sim_ground::time::{SimTime, TickGrid};

impl Cfs {
    /// The time at which a tick of a CPU matters next, in the present state.
    #[inline(never)]
    pub(super) fn tick_matters_at(&self, cpu: CpuId) -> Option<u64> {
        let rq = self.st.rq(cpu);
        let jiffy = self.st.tun.jiffy_ns;
        let mut at: Option<u64> = None;
        let mut add = |t: Option<u64>| {
            if let Some(t) = t {
                at = Some(at.map_or(t, |a| a.min(t)));
            }
        };
        if !self.topo.of[cpu.index()].is_empty() {
            add(Some(rq.next_balance * jiffy));
        }
        if let Some(task) = rq.curr {
            if self.st.task(task).real_time {
                add(Some(0));
            } else {
                add(self.tick_deadline(task));
                add(self.memory_due(task));
            }
            add(self.kick_due(cpu).map(|due| due * jiffy));
            if self.owes_busy_tick(cpu) {
                add(Some(0));
            }
        } else {
            add(self.owner_due(cpu).map(|due| due * jiffy));
        }
        at
    }
}

impl QuietTicks for Cfs {
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        self.grids = grids.to_vec();
        self.idle_ticks = idle_ticks;
    }

    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        match self.tick_matters_at(cpu) {
            None => SimTime::NEVER,
            Some(at) => SimTime(at).max(next),
        }
    }

    fn tick_turns(&self) -> Option<TickTurns> {
        Some(self.turns)
    }

    fn keeps_tick(&self, cpu: CpuId) -> bool {
        self.st.nohz.owner == Some(cpu)
    }

    // Ticks that do not matter change nothing; hooks that read a CPU apply them first.
    fn skip_ticks(&mut self, _: &mut Cx<'_>, _: CpuId, _: ClockId, _: u64, _: SimTime) {}
}

impl Kernel for Cfs {
    fn clocks(&self) -> Vec<ClockSpec> {
        vec![ClockSpec {
            name: "tick",
            hz: u32::try_from(self.st.tun.hz).unwrap_or(u32::MAX),
            in_step: true,
            late_ns: if self.st.tun.tick_skew {
                self.st.tun.jiffy_ns / 2 / self.st.rqs.len() as u64
            } else {
                0
            },
            ..ClockSpec::default()
        }]
    }
}
