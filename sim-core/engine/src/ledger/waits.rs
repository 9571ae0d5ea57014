//! Waits from becoming runnable to running, and the window of measuring.

use super::Ledger;
use sim_ground::ids::TaskId;
use sim_trace::window::Window;

impl Ledger {
    /// A task was switched in after so long a wait. `first`: it has never run before.
    #[inline]
    pub(crate) fn wait_ends(&mut self, task: TaskId, ns: u64, first: bool, background: bool) {
        if let Some(window) = &mut self.window {
            window.wait(task.index(), ns, first);
            if !background {
                window.run_delay.add(ns);
            }
        }
        if !background {
            self.totals.run_delay.add(ns);
        }
    }

    /// A workload task executes the first instruction of its program so long after it was woken.
    #[inline]
    pub(crate) fn woken_task_runs(&mut self, latency_ns: u64) {
        self.totals.wakeup_latency.add(latency_ns);
        if let Some(window) = &mut self.window {
            window.wakeup_latency.add(latency_ns);
        }
    }
    /// The window in which measuring began, if not at the start.
    pub(crate) fn window(&self) -> Option<&Window> {
        self.window.as_ref()
    }

    /// Measuring begins.
    pub(crate) fn begin(&mut self, window: Window) {
        self.window = Some(window);
    }
}
