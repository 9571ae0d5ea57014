//! Which ticks matter, and the kernel's clock.
//!
//! | item | kernel function |
//! |---|---|
//! | `keeps_tick` | `select_nohz_load_balancer` @ 2.6.34 |
//! | `clocks` | `tick_setup_sched_timer` |

use super::Cfs;
use crate::linux::lending::Lending;
use crate::linux::machine::balance::GroupBalancing;
use crate::linux::numa::Host;
use sim_contract::cx::Cx;
use sim_contract::flags::{ClockId, ClockSpec};
use sim_contract::idle::IdleGovernor;
use sim_contract::{Kernel, QuietTicks, TickTurns};
use sim_ground::ids::CpuId;
use sim_ground::time::{SimTime, TickGrid};

impl Cfs {
    /// The time at which a tick of a CPU matters next, in the present state; `u64::MAX` if none does.
    #[inline(never)]
    pub(super) fn tick_matters_at(&self, cpu: CpuId) -> u64 {
        let rq = self.st.rq(cpu);
        let jiffy = self.st.tun.jiffy_ns;
        let begins = |due: Option<u64>| due.map_or(u64::MAX, |due| due * jiffy);
        let balance = if self.is_shared() {
            self.balance_matters_at(cpu)
        } else if self.topo.of[cpu.index()].is_empty() {
            u64::MAX
        } else {
            rq.next_balance * jiffy
        };
        let Some(task) = rq.curr else {
            return balance.min(begins(self.owner_due(cpu)));
        };
        if self.st.task(task).real_time || self.owes_busy_tick(cpu) {
            return 0;
        }
        let memory = self.memory_due(task).unwrap_or(u64::MAX);
        let kick = if self.is_shared() {
            // It is one of the times to balance.
            u64::MAX
        } else {
            begins(self.kick_due(cpu))
        };
        self.tick_deadline(task).min(memory).min(balance).min(kick)
    }
}

impl QuietTicks for Cfs {
    fn tick_grids(&mut self, grids: &[TickGrid], idle_ticks: bool) {
        self.ticks.set(grids, idle_ticks);
    }

    fn quiet_until(&self, _: &Cx<'_>, cpu: CpuId, _: ClockId, next: SimTime, _: u64) -> SimTime {
        SimTime(self.tick_matters_at(cpu)).max(next)
    }

    fn tick_turns(&self) -> Option<TickTurns> {
        Some(self.ticks.turns())
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
            whole_ns: true,
            in_step: true,
            late_ns: if self.st.tun.tick_skew {
                self.st.tun.jiffy_ns / 2 / self.st.rqs.len() as u64
            } else {
                0
            },
            ..ClockSpec::default()
        }]
    }

    fn waiter_rank(
        &self,
        tasks: &[sim_contract::cx::TaskInfo],
        task: sim_ground::ids::TaskId,
    ) -> u32 {
        self.rank_of_waiter(&tasks[task.index()], task)
    }

    fn idle_governor(&self) -> IdleGovernor {
        self.era.idle_governor
    }

    fn idle_load(&self, cpu: CpuId) -> u64 {
        self.st.rq(cpu).cpu_load[0]
    }
}
