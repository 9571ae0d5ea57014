//! The columns of group and thread reports, as numbers.

use crate::engine::UpToDate;
use crate::ids::TaskId;
use crate::metrics::real;
use crate::report::{self, GroupReport, ThreadReport};

/// A column: its id, and its value; NaN where it is not defined.
pub type Column<T> = (&'static str, fn(&T) -> f64);

/// Columns of a group, named as in [`GroupReport`].
pub const OF_GROUP: &[Column<GroupReport>] = &[
    ("threads", |g| f64::from(g.threads)),
    ("cpuNs", |g| real(g.cpu_ns)),
    ("share", |g| g.share),
    ("workNs", |g| g.work_ns),
    ("waitNs", |g| real(g.wait_ns)),
    ("longestWaitNs", |g| real(g.longest_wait_ns)),
    ("longestFirstWaitNs", |g| real(g.longest_first_wait_ns)),
    ("switches", |g| real(g.switches)),
    ("migrations", |g| real(g.migrations)),
    ("placements", |g| real(g.placements)),
];

/// Columns of a thread, named as in [`ThreadReport`].
pub const OF_THREAD: &[Column<ThreadReport>] = &[
    ("cpuNs", |t| real(t.cpu_ns)),
    ("workNs", |t| t.work_ns),
    ("waitNs", |t| real(t.wait_ns)),
    ("sleepNs", |t| real(t.sleep_ns)),
    ("longestWaitNs", |t| real(t.longest_wait_ns)),
    ("longestFirstWaitNs", |t| real(t.longest_first_wait_ns)),
    ("switches", |t| real(t.switches)),
    ("involuntary", |t| real(t.involuntary)),
    ("migrations", |t| real(t.migrations)),
    ("placements", |t| real(t.placements)),
    ("exitedAtNs", |t| t.exited_at_ns.map_or(f64::NAN, real)),
];

/// Number of threads that have columns: the first ones by number.
pub const THREADS: usize = 64;

/// Appends the columns of every group of the workload and of the background. Then, for each of the first [`THREADS`]
/// threads, appends the position of its group, its number there (from 1), and its columns.
pub(super) fn append(sim: UpToDate<'_>, out: &mut Vec<f64>) {
    for group in report::groups(sim) {
        out.extend(OF_GROUP.iter().map(|(_, value)| value(&group)));
    }
    for task in (0..sim.task_count().min(THREADS)).map(TaskId::new) {
        let thread = report::thread(sim, task);
        let number = thread.name.rsplit_once('-').map_or("", |(_, n)| n);
        out.push(real(sim.task_view(task).info.group.index() as u64));
        out.push(real(number.parse().unwrap_or(0)));
        out.extend(OF_THREAD.iter().map(|(_, value)| value(&thread)));
    }
}

/// Names of the values that [`append`] appends: `GROUP/cpuNs`, `thread/0/cpuNs` and so on.
pub(super) fn columns(sim: UpToDate<'_>, out: &mut Vec<String>) {
    for group in report::groups(sim) {
        let name = &group.name;
        out.extend(OF_GROUP.iter().map(|(id, _)| format!("{name}/{id}")));
    }
    for task in 0..sim.task_count().min(THREADS) {
        let ids = OF_THREAD.iter().map(|(id, _)| *id);
        let all = ["group", "number"].into_iter().chain(ids);
        out.extend(all.map(|id| format!("thread/{task}/{id}")));
    }
}
