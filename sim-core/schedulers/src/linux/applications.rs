//! Groups of tasks, one group for each application (`autogroup_create`, `sched_autogroup_create_attach`: one for each
//! session).
//!
//! An application is a process, or a group of the scenario whose threads are separate processes. Kernel threads and
//! daemons stay in the root group.

use sim_contract::cx::TaskInfo;

/// The key of the root group.
pub(crate) const ROOT: u64 = u64::MAX;
/// The key of all control groups: no application has it.
pub(crate) const CONTROL: u64 = u64::MAX - 1;

/// The group of a task.
pub(crate) fn key(info: &TaskInfo) -> u64 {
    if info.background {
        return ROOT;
    }
    // Threads of one process have its number; other threads belong to their group of the scenario.
    let one_process = info.process <= u32::from(u16::MAX);
    if one_process {
        u64::from(info.process)
    } else {
        u64::from(info.group.0)
    }
}
