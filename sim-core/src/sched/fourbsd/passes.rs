//! What happens by the clock: `schedcpu` once a second, the load averages every five.

use super::{Doing, FourBsd, arithmetic, n, reasons};
use crate::ids::CpuId;
use crate::sched::cx::Cx;
use crate::sched::flags::{TimerId, timer_cpu};
use crate::time::SimSpan;

const SCHEDCPU: TimerId = 0;
const LOADAV: TimerId = 1;

pub(super) const SECOND: u64 = 1_000_000_000;
/// The CPU on which the machine booted, where `schedcpu` is woken.
const BOOT_CPU: CpuId = CpuId(0);

impl FourBsd {
    pub(super) fn arm_passes(&self, cx: &mut Cx<'_>) {
        cx.arm(SCHEDCPU, cx.now + SimSpan(SECOND));
        self.arm_loadav(cx);
    }

    fn arm_loadav(&self, cx: &mut Cx<'_>) {
        let spread = self.st.settings.load_spread_ms;
        let steps = u32::try_from(2 * spread + 1).unwrap_or(1);
        let ms = 5_000 - spread + u64::from(cx.rng.below(steps));
        cx.arm(LOADAV, cx.now + SimSpan(ms * 1_000_000));
    }

    pub(super) fn on_timer(&mut self, cx: &mut Cx<'_>, timer: TimerId) {
        match timer {
            SCHEDCPU => {
                cx.arm(SCHEDCPU, cx.now + SimSpan(SECOND));
                self.schedcpu(cx);
            }
            LOADAV => {
                self.st.load_averages =
                    arithmetic::load_averages(self.st.load_averages, self.st.load);
                self.arm_loadav(cx);
            }
            _ => {
                if let Some(cpu) = timer_cpu(timer) {
                    self.notice(cx, cpu);
                }
            }
        }
    }

    /// `schedcpu`: %CPU, estcpu and priorities of all threads, the newest first.
    fn schedcpu(&mut self, cx: &mut Cx<'_>) {
        let load = self.st.load_averages[0];
        let (mut changed, mut moved) = (0, 0);
        let threads = &self.st.threads;
        self.st
            .living
            .retain(|t| threads[t.index()].doing != Doing::Gone);
        for i in (0..self.st.living.len()).rev() {
            let task = self.st.living[i];
            let stathz = self.rates.stathz;
            let t = self.thread_mut(task);
            let running = t.doing == Doing::Running;
            let awake = running || t.doing == Doing::Queued || t.did_run;
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
            moved += i64::from(self.resetpriority_thread(cx, task, BOOT_CPU, true));
        }
        let operands = [i64::from(load), n(self.st.living.len()), changed, moved];
        cx.explain(None, None, reasons::SCHEDCPU, operands);
        for cpu in cx.machine.cpu_ids() {
            cx.requery(cpu);
        }
        self.schedcpu_runs(cx);
    }

    /// The kernel process itself: woken by the clock on the boot CPU, it takes that CPU from whatever runs
    /// there, for less than anything can notice.
    fn schedcpu_runs(&mut self, cx: &mut Cx<'_>) {
        let boot = &mut self.st.cpus[BOOT_CPU.index()];
        if boot.curr.is_none() {
            return;
        }
        boot.owes_preemption |= self.st.settings.preemption;
        let running = boot.curr;
        cx.explain(Some(BOOT_CPU), running, reasons::SCHEDCPU_RUNS, [0; 4]);
        cx.kick(BOOT_CPU);
    }
}
