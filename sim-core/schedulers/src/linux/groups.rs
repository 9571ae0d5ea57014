//! Groups of tasks in the tables of a state: where their queues and entities are, and how much of a CPU's load is below
//! them. How a group's shares are spread over the CPUs differs between releases: each scheduler has its own rules.
//!
//! | item | kernel function |
//! |---|---|
//! | `queue_h_load` | `update_cfs_rq_h_load` @ 4.9, 6.12 |
//! | `task_h_load` | the same |
//!
//! Groups do not nest.

/// The groups of a state with tables. CFS 2.6.34 has loads of its own instead of the last two methods.
macro_rules! groups {
    ($state:ident) => {
        impl $state {
            /// The group of an application, if it has one yet.
            pub(super) fn group_with_key(&self, key: u64) -> Option<usize> {
                self.groups.iter().position(|g| g.key == key)
            }

            /// Queue and parent entity of a group's tasks on a CPU.
            pub(super) fn group_on(&self, group: u32, cpu: CpuId) -> (Queue, Ent) {
                if group == 0 {
                    return (u32::from(cpu.0), NONE);
                }
                let g = &self.groups[group as usize];
                let c = u32::from(cpu.0);
                (g.first_queue + c, g.first_entity + c)
            }

            /// The entity that represents a queue.
            pub(super) fn owner(&self, q: Queue) -> Ent {
                let queue = self.queue(q);
                match queue.group {
                    0 => NONE,
                    group => self.group_on(group, queue.cpu).1,
                }
            }

            /// A queue's load as seen from the root of its CPU.
            pub(super) fn queue_h_load(&mut self, q: Queue, now: u64) -> u64 {
                let jiffies = self.tun.jiffies(now);
                let queue = self.queue(q);
                if queue.h_load_at == jiffies {
                    return queue.h_load;
                }
                let top = self.root(queue.cpu).avg.load_avg;
                let load = match self.owner(q) {
                    NONE => top,
                    e => top * self.ent(e).avg.load_avg / (top + 1),
                };
                let queue = self.queue_mut(q);
                (queue.h_load, queue.h_load_at) = (load, jiffies);
                load
            }

            /// The load that moves with a task.
            pub(super) fn task_h_load(&mut self, task: TaskId, now: u64) -> u64 {
                let e = self.task(task).se;
                let q = self.ent(e).queue;
                let h_load = self.queue_h_load(q, now);
                let load = self.ent(e).avg.load_avg;
                load * h_load / (self.queue(q).avg.load_avg + 1)
            }
        }
    };
}

pub(crate) use groups;
