//! When memory is marked.

use super::{Counted, Numa, Process, Sweep, Task, signed};
use sim_contract::cx::{Cx, Marking};
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::cost::pages::MARK_NS;

/// The next scan comes later by this factor times the duration of a scan.
const PAUSE: u64 = 32;

impl Numa {
    /// A thread begins (`init_numa_balancing`).
    pub(crate) fn fork(&mut self, cx: &Cx<'_>, task: TaskId) {
        let key = cx.task(task).process;
        let next_scan = self.first_scan(cx);
        let processes = &mut self.st.processes;
        let at = match processes.binary_search_by_key(&key, |p| p.key) {
            Ok(at) => at,
            Err(at) => {
                let process = Process {
                    key,
                    tasks: Vec::new(),
                    next_scan,
                    seq: 0,
                    offset: 0,
                };
                processes.insert(at, process);
                at
            }
        };
        processes[at].tasks.push(task);
        let seq = processes[at].seq;
        if self.st.tasks.len() <= task.index() {
            self.st.tasks.resize(task.index() + 1, None);
        }
        self.st.tasks[task.index()] = Some(Task {
            process: key,
            stamp: 0,
            started: false,
            period_ms: self.st.settings.scan_delay_ms,
            seq,
            retry: 0,
            preferred: None,
            faulted: false,
            faults: vec![0; self.nodes],
            buffer: vec![0; self.nodes],
            counted: Counted::default(),
            sweep: Sweep::default(),
        });
    }

    fn first_scan(&self, cx: &Cx<'_>) -> u64 {
        self.jiffies(cx.now.0) + self.ms_to_jiffies(self.st.settings.scan_delay_ms)
    }

    /// A thread has ended.
    pub(crate) fn exit(&mut self, task: TaskId) {
        self.arrives(task);
        let Some(t) = self.st.tasks.get_mut(task.index()).and_then(Option::take) else {
            return;
        };
        let processes = &mut self.st.processes;
        if let Ok(at) = processes.binary_search_by_key(&t.process, |p| p.key) {
            processes[at].tasks.retain(|other| *other != task);
            if processes[at].tasks.is_empty() {
                processes.remove(at);
            }
        }
    }

    /// A program is replaced by another: its memory is new.
    pub(crate) fn exec(&mut self, cx: &Cx<'_>, task: TaskId) {
        let next_scan = self.first_scan(cx);
        let key = cx.task(task).process;
        let at = self.st.processes.binary_search_by_key(&key, |p| p.key);
        if let Ok(at) = at {
            let process = &mut self.st.processes[at];
            (process.next_scan, process.offset) = (next_scan, 0);
        }
    }

    /// Run time of a thread, in ns, at which its next period ends; `None` if nothing is scanned.
    pub(crate) fn due_at_run_time(&self, task: TaskId) -> Option<u64> {
        if !self.st.settings.on {
            return None;
        }
        let t = self.task(task)?;
        Some(t.stamp + t.period_ms * 1_000_000)
    }

    /// A tick of a running thread (`task_tick_numa`).
    pub(crate) fn tick(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, run_time: u64) {
        let Some(due) = self.due_at_run_time(task).filter(|due| run_time > *due) else {
            return;
        };
        let Some(key) = self.task(task).map(|t| t.process) else {
            return;
        };
        let pages = self.pages_of(cx, key);
        let least = self.st.settings.periods(pages).0;
        let Some(t) = self.st.tasks[task.index()].as_mut() else {
            return;
        };
        t.stamp = due;
        if !std::mem::replace(&mut t.started, true) {
            t.period_ms = least;
        }
        self.scan(cx, cpu, task, pages);
        // The next scan comes later.
        cx.requery(cpu);
    }

    /// `task_numa_work`, on the way back from the tick.
    fn scan(&mut self, cx: &mut Cx<'_>, cpu: CpuId, task: TaskId, pages: u64) {
        let now = self.jiffies(cx.now.0);
        let jiffy_ns = self.jiffy_ns;
        let Some(t) = &self.st.tasks[task.index()] else {
            return;
        };
        let period = self.ms_to_jiffies(t.period_ms);
        let (size, per_fault) = (self.st.settings.scan_pages(), self.st.settings.per_fault());
        let at = self
            .st
            .processes
            .binary_search_by_key(&t.process, |p| p.key);
        let Ok(at) = at else { return };
        let process = &mut self.st.processes[at];
        if now < process.next_scan {
            return;
        }
        process.next_scan = now + period;
        // A process may have lost memory since the last scan.
        let part = size.min(pages.saturating_sub(process.offset));
        process.offset += part;
        if process.offset >= pages {
            process.offset = 0;
            process.seq += 1;
        }
        let seq = process.seq;
        let Some(t) = self.st.tasks[task.index()].as_mut() else {
            return;
        };
        t.stamp += 2 * jiffy_ns + PAUSE * part.div_ceil(per_fault) * MARK_NS;
        if part == 0 {
            return;
        }
        self.st.counters.pte_updates += part;
        let operands = [
            signed(part),
            signed(t.period_ms),
            i64::from(seq),
            signed(pages),
        ];
        cx.explain(Some(cpu), Some(task), self.reasons.task_numa_work, operands);
        cx.mark_pages(Marking {
            by: task,
            part,
            whole: pages,
            per_fault,
        });
    }
}
