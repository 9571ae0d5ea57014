//! Reads the bytes of a fuzzer as numbers, names and edits.

use sim_core::config::edit::{Count, Edit, Target};
use sim_core::engine::replay::DecisionFilter;
use sim_core::ids::{CpuId, TaskId};
use sim_core::params::ParamValue;

/// Bytes that are consumed one by one; after their end come zeros.
pub(crate) struct Input<'a>(pub(crate) &'a [u8]);

impl Input<'_> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    pub(crate) fn number(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    fn name(&mut self) -> String {
        let names = [
            "a",
            "b",
            "c",
            "nobody",
            "",
            "a-1",
            "a-2",
            "a-3",
            "a-9",
            "b-1",
            "c-2",
            "daemon-1",
            "kthread-3",
            "a-01",
        ];
        names[usize::from(self.byte()) % names.len()].to_owned()
    }

    pub(crate) fn about(&mut self) -> DecisionFilter {
        let (task, cpu) = (usize::from(self.byte()), usize::from(self.byte()));
        DecisionFilter {
            task: (task < 20).then(|| TaskId::new(task)),
            cpu: (cpu < 12).then(|| CpuId::new(cpu)),
        }
    }

    fn target(&mut self) -> Target {
        let (which, name) = (self.byte() % 4, self.name());
        Target {
            group: (which & 1 != 0).then(|| name.clone()),
            thread: (which & 2 != 0).then_some(name),
        }
    }

    fn value(&mut self) -> ParamValue {
        match self.byte() % 4 {
            0 => ParamValue::Flag(self.byte().is_multiple_of(2)),
            1 => ParamValue::Int(i64::from(self.byte())),
            2 => ParamValue::Int(i64::MAX - i64::from(self.byte())),
            _ => ParamValue::Choice(self.name()),
        }
    }

    pub(crate) fn edit(&mut self) -> (Edit, Option<u32>) {
        let lane = match self.byte() {
            n @ 0..4 => Some(u32::from(n)),
            _ => None,
        };
        let target = self.target();
        let edit = match self.byte() {
            // These ranges stay as they are, because inputs of the corpus depend on them.
            210..225 => Edit::Pause { target },
            225..240 => Edit::Resume { target },
            240.. => Edit::Copy {
                thread: self.name(),
            },
            n => self.older_edit(n, lane, target),
        };
        (edit, lane)
    }

    fn older_edit(&mut self, kind: u8, lane: Option<u32>, target: Target) -> Edit {
        match kind % 7 {
            0 => Edit::SetNice {
                target,
                nice: i8::from_le_bytes([self.byte()]),
            },
            1 => Edit::SetWorkingSet {
                target,
                bytes: 1_u64.checked_shl(u32::from(self.byte())).unwrap_or(0),
            },
            2 => Edit::Pin {
                target,
                cpus: (0..self.byte() % 5)
                    .map(|_| u16::from(self.byte()))
                    .collect(),
            },
            3 => Edit::Unpin { target },
            4 => Edit::SetCount {
                group: Some(self.name()),
                count: Count::More(u32::from(self.byte() % 8)),
            },
            5 => match (target.thread, u32::from(self.byte())) {
                (thread @ Some(_), _) => Edit::Kill { thread },
                (None, count) => Edit::SetCount {
                    group: target.group,
                    count: if count < 200 {
                        Count::Fewer(count)
                    } else {
                        Count::To(0)
                    },
                },
            },
            _ => {
                let ids = tunables();
                Edit::SetTunable {
                    lane,
                    id: ids[usize::from(self.byte()) % ids.len()].to_owned(),
                    value: self.value(),
                }
            }
        }
    }
}

/// Ids of all tunables of all schedulers.
fn tunables() -> Vec<&'static str> {
    let all = sim_core::sched::registry::ALL.schedulers.iter();
    let eras = all.flat_map(|scheduler| scheduler.eras);
    eras.flat_map(|era| era.tunables).map(|t| t.id).collect()
}
