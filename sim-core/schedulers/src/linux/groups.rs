//! Groups of tasks in the tables of a state: where their queues and entities are, and how much of a CPU's load is below
//! them. How a group's shares are spread over the CPUs differs between releases: each scheduler has its own rules.
//!
//! They form a tree. Groups of applications lie in the root, as control groups do that name no other
//! ([`super::cgroups`]).

/// The groups of a state with tables.
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
        }
    };
}

pub(crate) use groups;

/// The part of a load that falls to one of those who share it, by its load among theirs.
#[inline]
pub(crate) fn part_of(load: u64, own: u64, all: u64) -> u64 {
    load * own / (all + 1)
}
