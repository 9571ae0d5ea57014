//! Invariants, checked between events in tests: no task runs twice, none is lost, and times add up.

use super::TaskState;
use super::pause::Stop;
use crate::Sim;
use sim_ground::ids::{CpuId, TaskId};
use sim_machine::rate::RATE_BITS;

impl Sim {
    /// Checks everything that must hold between two events.
    ///
    /// # Panics
    /// If one of them fails; the message states the rule.
    pub(crate) fn check_invariants(&self) {
        let st = &self.kernel;
        let now = self.clock.now();
        let mut on_cpu = vec![0_u32; st.tasks.len()];
        for (i, curr) in st.curr.iter().enumerate() {
            let cpu = CpuId::new(i);
            assert_eq!(
                self.ledger.elapsed(i, now),
                Some(now.0),
                "busy and idle time of CPU {i} add up to the elapsed time"
            );
            if let Some(task) = curr {
                on_cpu[task.index()] += 1;
                let info = &st.infos[task.index()];
                assert_eq!(
                    self.task(*task).state,
                    TaskState::Running,
                    "what is on a CPU is running"
                );
                assert!(
                    info.allowed.contains(cpu)
                        || st.flagged.contains(cpu)
                        || self.sched.will_notice(cpu),
                    "task {} runs on CPU {i}, which it may not use, and nobody asked it to leave",
                    task.0
                );
            }
        }
        let mut rows = Vec::new();
        self.sched.queues(&mut rows);
        let mut queued = vec![0_u32; st.tasks.len()];
        let mut counted = vec![0; self.cpu_count()];
        self.sched.count_waiting(&mut counted);
        for row in &rows {
            queued[row.task.index()] += 1;
            if let Some(cpu) = row.queue {
                counted[cpu.index()] -= 1;
            }
        }
        assert!(
            counted.iter().all(|left| *left == 0),
            "the rows of each CPU's queue are as many as are counted"
        );
        let mut waiting = 0;
        for (i, t) in st.tasks.iter().enumerate() {
            let runs = u32::from(t.state == TaskState::Running);
            let waits = u32::from(t.state == TaskState::Queued);
            waiting += waits;
            assert_eq!(on_cpu[i], runs, "task {i} is on a CPU exactly if it runs");
            assert_eq!(
                queued[i], waits,
                "task {i} is queued exactly once if it waits and never otherwise"
            );
            assert!(
                t.stop != Stop::Held || t.state == TaskState::Sleeping,
                "task {i} does nothing while it is stopped"
            );
            assert!(
                t.stop == Stop::No
                    || t.state != TaskState::Running
                    || st.flagged.contains(st.infos[i].last_cpu),
                "task {i} runs though it is to stop, and nobody asked its CPU"
            );
            self.check_time(TaskId::new(i));
        }
        let has_ended = |t: TaskId| st.tasks[t.index()].state == TaskState::Exited;
        self.hardware.check(has_ended, now);
        let (counted_waiting, counted_idle) = self.ledger.waiting_and_idle();
        assert_eq!(
            waiting, counted_waiting,
            "the number of waiting tasks is right"
        );
        assert!(
            self.channels_hold(),
            "who is blocked waits in one line, and nobody is forgotten"
        );
        assert!(
            self.jobs_hold(),
            "each job has one thread or waits for one, and who has none is asleep"
        );
        let idle = st.curr.iter().filter(|c| c.is_none()).count();
        assert_eq!(
            idle, counted_idle as usize,
            "the number of idle CPUs is right"
        );
    }

    fn check_time(&self, task: TaskId) {
        let t = self.task(task);
        let a = &t.account;
        let Some(started) = a.started_at_ns else {
            return;
        };
        let until = a.exited_at_ns.unwrap_or(self.clock.now().0);
        let open = if t.state == TaskState::Exited {
            0
        } else {
            self.clock.now().since(t.since).0
        };
        assert_eq!(
            a.run_ns + a.wait_ns + a.sleep_ns + open,
            until - started,
            "run, wait and sleep of task {} add up to its age",
            task.0
        );
        let split: u64 = a.by_cause.iter().sum();
        let cpu = self.kernel.infos[task.index()].last_cpu;
        let uncharged = if t.state == TaskState::Running {
            self.clock.now().since(self.hardware.charged_at(cpu)).0
        } else {
            0
        };
        let run = a.run_ns
            + if t.state == TaskState::Running {
                open
            } else {
                0
            };
        assert_eq!(
            split,
            (run - uncharged) << RATE_BITS,
            "the CPU time of task {} is split by cause without a remainder",
            task.0
        );
    }
}
