//! Periodic work: `schedcpu` once a second, the load averages every five.
//!
//! `schedcpu` is a kernel process. Its timer is on the CPU where it went to sleep (until 2009 on the CPU that booted).
//! To run, it takes that CPU. The thread that ran there waits in a queue while all priorities are computed, and moves
//! to the tail of another list like every other waiting thread. Then the CPU takes the first thread of the best list.

use super::{FourBsd, Kind, ThreadActivity, arithmetic, n, reasons};
use serde::{Deserialize, Serialize};
use sim_contract::cx::Cx;
use sim_contract::flags::{TimerId, cpu_timer, timer_cpu};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::{SimSpan, SimTime};

pub(super) const SECOND: u64 = 1_000_000_000;
/// The CPU on which the machine booted: `schedcpu` sleeps there at first, and the load is sampled there.
const BOOT_CPU: CpuId = CpuId(0);

/// The callouts of the scheduler, and the state of `schedcpu`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Passes {
    /// The CPU whose callout wakes `schedcpu`.
    cpu: CpuId,
    /// The time of that callout.
    at: SimTime,
    /// The CPU on which `schedcpu` runs when that CPU next enters the scheduler, if it is awake.
    pub(super) waits_on: Option<CpuId>,
    /// The time of the next sample of the load.
    loadav_at: SimTime,
    /// The time at which that was armed.
    loadav_armed: SimTime,
}

impl Passes {
    pub(super) const START: Self = Self {
        cpu: BOOT_CPU,
        at: SimTime::NEVER,
        waits_on: None,
        loadav_at: SimTime::NEVER,
        loadav_armed: SimTime::ZERO,
    };
}

impl FourBsd {
    pub(super) fn arm_passes(&mut self, cx: &mut Cx<'_>) {
        self.sleep_until_next_pass(cx, BOOT_CPU);
        self.set_loadav(cx);
        self.arm_callouts(cx, BOOT_CPU);
    }

    fn set_loadav(&mut self, cx: &mut Cx<'_>) {
        let spread = self.st.settings.load_spread_ms;
        let steps = u32::try_from(2 * spread + 1).unwrap_or(1);
        let ms = 5_000 - spread + u64::from(cx.rng.below(steps));
        self.st.passes.loadav_at = cx.now + SimSpan(ms * 1_000_000);
        self.st.passes.loadav_armed = cx.now;
    }

    /// `schedcpu` sleeps for hz ticks.
    fn sleep_until_next_pass(&mut self, cx: &Cx<'_>, here: CpuId) {
        let cpu = self.era.sleep.cpu(here);
        let tick = self.rates.ticks(cx.now) + u64::from(self.rates.hz);
        let at = self.rates.time_of(tick);
        self.st.passes.cpu = cpu;
        self.st.passes.at = self.ticking[cpu.index()].hard.at_or_after(at);
        self.st.passes.waits_on = None;
    }

    /// Arms the timer of a CPU for the first event that its clock interrupts must handle.
    pub(super) fn arm_callouts(&self, cx: &mut Cx<'_>, cpu: CpuId) {
        let passes = &self.st.passes;
        let c = &self.st.cpus[cpu.index()];
        let first = [
            (passes.cpu == cpu && passes.waits_on.is_none()).then_some(passes.at),
            (cpu == BOOT_CPU).then_some(passes.loadav_at),
            c.notices.then_some(c.notices_at),
        ];
        if let Some(at) = first.into_iter().flatten().min() {
            cx.arm(cpu_timer(cpu), at);
        }
    }

    pub(super) fn on_timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        let Some(cpu) = timer_cpu(timer) else { return };
        if cpu == BOOT_CPU && cx.now >= self.st.passes.loadav_at {
            self.loadav(cx);
        }
        let passes = &self.st.passes;
        if passes.cpu == cpu && passes.waits_on.is_none() && cx.now >= passes.at {
            self.wake_schedcpu(cx, cpu);
        }
        self.notice(cx, cpu);
        self.arm_callouts(cx, cpu);
    }

    /// A callout ends a thread's sleep. The clock's interrupt thread runs the callouts of a tick in the order in which
    /// they were armed (`softclock`), and most sleeps are younger than the sample of the load: it does not count them.
    pub(super) fn loadav_before(&mut self, cx: &mut Cx<'_>, woken: TaskId) {
        let passes = &self.st.passes;
        let first = |armed| passes.loadav_armed <= armed && cx.now >= passes.loadav_at;
        if self.era.softclock_thread && self.thread(woken).timed.is_some_and(first) {
            self.loadav(cx);
        }
    }

    /// `loadav`. Until 2013 it runs in the interrupt thread of the clock.
    fn loadav(&mut self, cx: &mut Cx<'_>) {
        self.st.load_averages = arithmetic::load_averages(self.st.load_averages, self.st.load);
        self.set_loadav(cx);
        if !self.era.softclock_thread {
            return;
        }
        let Some(running) = self.st.cpus[BOOT_CPU.index()].curr else {
            return;
        };
        let t = self.thread(running);
        if t.kind == Kind::Interrupt {
            return;
        }
        let operands = [
            i64::from(t.priority),
            i64::from(self.st.load_averages[0]),
            0,
            0,
        ];
        let reason = reasons::LOADAV_RUNS;
        let why = cx.explain(Some(BOOT_CPU), Some(running), reason, operands);
        self.st.cpus[BOOT_CPU.index()].owes_preemption |= self.st.settings.preemption;
        cx.kick(BOOT_CPU, why);
    }

    /// A callout wakes `schedcpu`. In the clock's interrupt thread it has already preempted the running thread. In the
    /// interrupt itself it signals idle CPUs; if none is idle, the running thread must leave on its way back to user
    /// mode.
    fn wake_schedcpu(&mut self, cx: &mut Cx<'_>, here: CpuId) {
        let Some(running) = self.st.cpus[here.index()].curr else {
            self.schedcpu(cx, here);
            return;
        };
        let (kind, priority) = (self.thread(running).kind, self.thread(running).priority);
        if kind == Kind::Interrupt {
            self.st.passes.waits_on = Some(here);
            let operands = [i64::from(priority), 0, 0, 0];
            cx.explain(Some(here), Some(running), reasons::SCHEDCPU_WAITS, operands);
            return;
        }
        let idle = if self.era.softclock_thread {
            None
        } else {
            self.idle_for_schedcpu(cx, here)
        };
        if let Some(cpu) = idle {
            self.st.passes.waits_on = Some(cpu);
            let operands = [i64::from(self.st.idle.count()), i64::from(here.0), 0, 0];
            let why = cx.explain(Some(cpu), None, reasons::SCHEDCPU_FORWARDED, operands);
            cx.kick(cpu, why);
            return;
        }
        self.st.passes.waits_on = Some(here);
        let c = &mut self.st.cpus[here.index()];
        c.owes_preemption |= self.era.softclock_thread && self.st.settings.preemption;
        let why = cx.explain(Some(here), Some(running), reasons::SCHEDCPU_RUNS, [0; 4]);
        cx.kick(here, why);
    }

    /// The idle CPU that takes `schedcpu`: the winner of the race, or a CPU that was signalled before.
    fn idle_for_schedcpu(&self, cx: &mut Cx<'_>, here: CpuId) -> Option<CpuId> {
        let mut idle = self.st.idle;
        idle.remove(here);
        let s = &self.st.settings;
        if idle.is_empty() || !s.wakeup || !(s.use_mask || s.use_loop) {
            return None;
        }
        self.winner(cx, idle).or_else(|| idle.lowest())
    }

    /// A CPU has put back its thread: `schedcpu` comes first, if it waits for this CPU.
    pub(super) fn schedcpu_first(&mut self, cx: &mut Cx<'_>, cpu: CpuId) {
        if self.st.passes.waits_on == Some(cpu) {
            self.schedcpu(cx, cpu);
            self.arm_callouts(cx, self.st.passes.cpu);
        }
    }

    /// `schedcpu`: computes %CPU, estcpu and priorities of all threads, the newest first.
    fn schedcpu(&mut self, cx: &mut Cx<'_>, here: CpuId) {
        let load = self.st.load_averages[0];
        let (mut changed, mut moved) = (0, 0);
        let threads = &self.st.threads;
        self.st
            .living
            .retain(|t| threads[t.index()].doing != ThreadActivity::Gone);
        for i in (0..self.st.living.len()).rev() {
            let task = self.st.living[i];
            let stathz = self.rates.stathz;
            let t = self.thread_mut(task);
            let running = t.doing == ThreadActivity::Running;
            let awake = running || t.doing == ThreadActivity::Queued || t.did_run;
            t.did_run = running;
            t.pctcpu = arithmetic::percent_cpu(t.pctcpu, t.cpticks, stathz);
            t.cpticks = 0;
            if awake {
                if t.slptime > 1 {
                    self.updatepri(cx, task);
                }
                self.thread_mut(task).slptime = 0;
            } else {
                t.slptime += 1;
            }
            if self.thread(task).slptime > 1 {
                continue;
            }
            let t = self.thread_mut(task);
            let before = t.estcpu;
            t.estcpu = arithmetic::decayed(before, load);
            let old = self.resetpriority(cx, task);
            let t = self.thread(task);
            if t.user_priority != old {
                changed += 1;
                let operands = [
                    i64::from(t.estcpu),
                    i64::from(old),
                    i64::from(t.user_priority),
                    i64::from(before),
                ];
                cx.explain(None, Some(task), reasons::DECAYED, operands);
            }
            moved += i64::from(self.resetpriority_thread(cx, task, here, true));
        }
        let operands = [i64::from(load), n(self.st.living.len()), changed, moved];
        cx.explain(None, None, reasons::SCHEDCPU, operands);
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
        self.sleep_until_next_pass(cx, here);
    }
}
