//! Groups of tasks, one to an application (`autogroup_create`, `sched_autogroup_create_attach`: one to a session).
//!
//! An application is a process, or the group of the scenario whose threads are processes of their own. Kernel threads
//! and daemons stay in the root group.

use sim_contract::cx::TaskInfo;

/// The key of the root group.
pub(crate) const ROOT: u64 = u64::MAX;

/// Whose group a task is in.
pub(crate) fn key(info: &TaskInfo) -> u64 {
    if info.background {
        return ROOT;
    }
    // Threads of one process have its number; others belong to their group of the scenario.
    let one_process = info.process <= u32::from(u16::MAX);
    if one_process {
        u64::from(info.process)
    } else {
        u64::from(info.group.0)
    }
}
