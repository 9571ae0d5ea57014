//! Checks the expected state of a run at a time.

use super::case::{Probe, ns};
use super::check::Checked;
use super::observe;
use sim_run::engine::UpToDate;
use sim_run::ids::{CpuId, TaskId};

impl Checked {
    pub(super) fn probe(&mut self, sim: UpToDate<'_>, probe: &Probe) {
        debug_assert_eq!(ns(&probe.t), sim.now().0);
        let at = format!("at {}", probe.t);
        let name = |task: Option<TaskId>| task.map_or("-".to_owned(), |t| sim.task_name(t));
        let cpu = |text: &str| CpuId::new(text.parse().expect("the number of a CPU"));
        for (number, expected) in &probe.runs {
            let seen = name(sim.curr(cpu(number)));
            let expected = match expected.as_str() {
                "-" => "-".to_owned(),
                thread => name(Some(observe::thread(&sim, thread))),
            };
            self.equal(&format!("{at}, CPU {number} runs"), &expected, &seen);
        }
        for (thread, expected) in &probe.slice_us {
            let seen = observe::slice_us(sim, observe::thread(&sim, thread));
            self.equal(&format!("{at}, slice of {thread} in us"), expected, &seen);
        }
        for (thread, expected) in &probe.deadline {
            let seen = observe::deadline(sim, observe::thread(&sim, thread), self.hz);
            self.equal(
                &format!("{at}, deadline of {thread} in jiffies"),
                expected,
                &seen,
            );
        }
        for (number, expected) in &probe.cpu_deadline {
            let seen = observe::cpu_deadline(sim, cpu(number), self.hz);
            self.equal(
                &format!("{at}, deadline on CPU {number} in jiffies"),
                expected,
                &seen,
            );
        }
        for (thread, columns) in &probe.columns {
            let task = observe::thread(&sim, thread);
            for (id, expected) in columns {
                let what = format!("{at}, {id} of {thread}");
                self.near(&what, *expected, 0.0, observe::column(sim, task, id));
            }
        }
        for (name, expected) in &probe.counters {
            let all = sim.counters();
            let seen = all.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
            self.equal(&format!("{at}, {name}"), &Some(*expected), &seen);
        }
        for (what, expected, seen) in [
            ("each CPU", &probe.per_cpu, observe::per_cpu(&sim)),
            ("each node", &probe.per_node, observe::per_node(&sim)),
        ] {
            let Some(expected) = expected else { continue };
            let agrees = expected.len() == seen.len()
                && expected
                    .iter()
                    .zip(&seen)
                    .all(|((least, most), n)| (*least..=*most).contains(n));
            let told = format!("{at}, threads on {what} are {seen:?}, within {expected:?}");
            self.equal(&told, &true, &agrees);
        }
        if let Some(expected) = &probe.queue {
            let mut rows = Vec::new();
            sim.queue_rows(&mut rows);
            let seen: Vec<String> = rows.iter().map(|r| sim.task_name(r.task)).collect();
            let expected: Vec<String> = expected
                .iter()
                .map(|t| name(Some(observe::thread(&sim, t))))
                .collect();
            self.equal(&format!("{at}, queue"), &expected, &seen);
        }
        for (id, expected) in &probe.cpus {
            let cpus = sim.plan().machine.cpu_ids();
            let seen: Vec<f64> = cpus
                .into_iter()
                .map(|c| observe::cpu_column(sim, c, id))
                .collect();
            self.equal(&format!("{at}, {id} of the CPUs"), expected, &seen);
        }
        for (id, expected) in &probe.cpus_in_any_order {
            let cpus = sim.plan().machine.cpu_ids();
            let mut seen: Vec<f64> = cpus
                .into_iter()
                .map(|c| observe::cpu_column(sim, c, id))
                .collect();
            seen.sort_by(|a, b| b.total_cmp(a));
            self.equal(&format!("{at}, {id} of the CPUs"), expected, &seen);
        }
        for (one, other) in &probe.same {
            let (a, b) = (self.value(sim, one), self.value(sim, other));
            self.near(&format!("{at}, {one} as {other}"), b, 0.0, a);
        }
        for thread in &probe.own_slot {
            self.in_own_slot(sim, &at, thread);
        }
        self.remember(sim);
    }

    /// The value of `thread.column`, `cpu0.column` or `before thread.column`.
    fn value(&self, sim: UpToDate<'_>, text: &str) -> f64 {
        if let Some(name) = text.strip_prefix("before ") {
            return self.before.get(name).copied().unwrap_or(f64::NAN);
        }
        let (who, column) = text.split_once('.').expect("a name and a column");
        match who.strip_prefix("cpu").and_then(|n| n.parse().ok()) {
            Some(cpu) => observe::cpu_column(sim, CpuId::new(cpu), column),
            None => observe::column(sim, observe::thread(&sim, who), column),
        }
    }

    fn remember(&mut self, sim: UpToDate<'_>) {
        let columns = sim.plan().lanes[sim.lane()].info.task_columns;
        for task in (0..sim.task_count()).map(TaskId::new) {
            for column in columns {
                let name = format!("{}.{}", sim.task_name(task), column.id);
                self.before
                    .insert(name, observe::column(sim, task, column.id));
            }
        }
    }

    /// Checks that a thread of ULE waits in the slot of its priority.
    #[allow(clippy::cast_possible_truncation)] // small whole numbers
    fn in_own_slot(&mut self, sim: UpToDate<'_>, at: &str, thread: &str) {
        let view = sim.task_view(observe::thread(&sim, thread));
        let cpu = view.info.last_cpu;
        let era = sim.plan().lanes[sim.lane()].era.id;
        let of_cpu = |id: &str| observe::cpu_column(sim, cpu, id) as i64;
        let pri = self.value(sim, &format!("{thread}.pri")) as i64;
        let expected = super::ule::own_slot(era, pri, of_cpu("idx"), of_cpu("ridx"));
        let seen = self.value(sim, &format!("{thread}.slot"));
        let what = format!("{at}, slot of {thread} at priority {pri}");
        self.near(&what, f64::from(expected as i32), 0.0, seen);
    }
}
