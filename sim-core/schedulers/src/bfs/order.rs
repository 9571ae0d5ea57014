//! The tasks of a long list by deadline, so that a search need not read all of them (0.318).
//!
//! A CPU sees a task's deadline plus a distance. The distance is the same for all tasks of one nice value that last ran at
//! one cache: a class. Of a class, a CPU takes the task with the earliest deadline among those that it may run, and of equal
//! ones the first in the list. The order is no part of the state: it is made when long walks along the list have cost more
//! than keeping it, and dropped when walks would be short.

use sim_ground::ids::{CpuId, LlcId, TaskId};
use std::collections::VecDeque;

/// A walk that reads this many entries is long.
pub(super) const LONG: u64 = 32;
/// Making the order costs about as much as this many walks along the whole list.
const WALKS: u64 = 16;

/// Tasks at the same distance: the cache where they last ran, and their nice value.
pub(super) type Class = (LlcId, i8);

/// The tasks of a class.
#[derive(Clone, Debug)]
pub(super) struct Alike {
    /// A CPU of that cache.
    pub(super) from: CpuId,
    /// Deadline, place in the list and task, ascending. New tasks usually go near the end and leave near the start, where a
    /// `VecDeque` moves few entries.
    waiting: VecDeque<(u64, u64, TaskId)>,
}

impl Alike {
    /// Deadline, place in the list and task, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u64, TaskId)> + '_ {
        self.waiting.iter().copied()
    }

    fn insert(&mut self, entry: (u64, u64, TaskId)) {
        let at = self.waiting.partition_point(|e| *e < entry);
        self.waiting.insert(at, entry);
    }

    fn remove(&mut self, entry: (u64, u64, TaskId)) {
        if let Ok(at) = self.waiting.binary_search(&entry) {
            self.waiting.remove(at);
        }
    }
}

/// The tasks of a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    classes: Vec<(Class, Alike)>,
    /// Class, deadline and place in the list of each task; places count from 0.
    entries: Vec<Option<(Class, u64, u64)>>,
    /// The place of the next task.
    next: u64,
}

impl Order {
    /// A task was appended to the list.
    pub(super) fn push_back(&mut self, task: TaskId, deadline: u64, class: Class, from: CpuId) {
        let place = self.next;
        self.next += 1;
        if self.entries.len() <= task.index() {
            self.entries.resize(task.index() + 1, None);
        }
        self.entries[task.index()] = Some((class, deadline, place));
        let at = self.find(class).unwrap_or_else(|at| {
            let waiting = VecDeque::new();
            self.classes.insert(at, (class, Alike { from, waiting }));
            at
        });
        self.classes[at].1.insert((deadline, place, task));
    }

    /// The position of a class, or the position where it belongs.
    fn find(&self, class: Class) -> Result<usize, usize> {
        self.classes.binary_search_by_key(&class, |(c, _)| *c)
    }

    /// A task left the list.
    pub(super) fn remove(&mut self, task: TaskId) {
        let entry = self.entries.get_mut(task.index()).and_then(Option::take);
        let Some((class, deadline, place)) = entry else {
            return;
        };
        if let Ok(at) = self.find(class) {
            self.classes[at].1.remove((deadline, place, task));
            if self.classes[at].1.waiting.is_empty() {
                self.classes.remove(at);
            }
        }
    }

    /// A task got another deadline and keeps its place.
    pub(super) fn set_deadline(&mut self, task: TaskId, deadline: u64) {
        let entry = self.entries.get_mut(task.index()).and_then(Option::as_mut);
        let Some((class, old, place)) = entry else {
            return;
        };
        let (class, place) = (*class, *place);
        let old = std::mem::replace(old, deadline);
        if let Ok(at) = self.find(class) {
            self.classes[at].1.remove((old, place, task));
            self.classes[at].1.insert((deadline, place, task));
        }
    }

    /// The nice value and the tasks of each class.
    pub(super) fn classes(&self) -> impl Iterator<Item = (i8, &Alike)> + '_ {
        self.classes.iter().map(|((_, nice), alike)| (*nice, alike))
    }

    /// The earliest deadline of the list.
    pub(super) fn earliest(&self) -> Option<u64> {
        let firsts = self.classes.iter().filter_map(|(_, a)| a.waiting.front());
        firsts.map(|(deadline, ..)| *deadline).min()
    }
}

/// The order of a list, if it is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    /// Entries that long walks have read or would have read, minus the cost of an order that saved nothing.
    balance: u64,
    pub(super) order: Option<Box<Order>>,
}

impl Kept {
    /// A walk read many entries of a list of `len`. Whether the order has to be made now.
    pub(super) fn note_long(&mut self, walked: u64, len: u64) -> bool {
        let enough = WALKS * len;
        self.balance = (self.balance + walked).min(enough);
        self.order.is_none() && self.balance == enough
    }

    /// A walk was short, or would have been without the order.
    pub(super) fn note_short(&mut self) {
        self.balance = self.balance.saturating_sub(LONG);
        if self.balance == 0 {
            self.order = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    /// Co-simulation with the list itself.
    #[test]
    fn each_class_is_by_deadline_and_then_in_the_order_of_the_list() {
        let mut rng = Rng::stream(3, "order test", 0);
        let mut order = Order::default();
        let mut list: Vec<(TaskId, u64, Class)> = Vec::new();
        for _ in 0..20_000 {
            let task = TaskId(rng.below(50));
            let deadline = rng.below_u64(20);
            let at = list.iter().position(|(t, ..)| *t == task);
            match (at, rng.below(3)) {
                (None, _) => {
                    let llc = u16::try_from(rng.below(3)).expect("small");
                    let nice = i8::try_from(rng.below(2)).expect("small");
                    let class = (LlcId(llc), nice);
                    order.push_back(task, deadline, class, CpuId(llc));
                    list.push((task, deadline, class));
                }
                (Some(at), 0) => {
                    order.set_deadline(task, deadline);
                    list[at].1 = deadline;
                }
                (Some(at), _) => {
                    order.remove(task);
                    list.remove(at);
                }
            }
            assert_eq!(order.earliest(), list.iter().map(|(_, d, _)| *d).min());
            let mut seen = 0;
            for (class, alike) in &order.classes {
                let mut expected: Vec<_> = list.iter().filter(|(.., c)| c == class).collect();
                expected.sort_by_key(|(_, deadline, _)| *deadline);
                let expected: Vec<_> = expected.iter().map(|(t, d, _)| (*d, *t)).collect();
                let got: Vec<_> = alike.iter().map(|(d, _, t)| (d, t)).collect();
                assert_eq!(got, expected);
                seen += got.len();
            }
            assert_eq!(seen, list.len());
        }
    }
}
