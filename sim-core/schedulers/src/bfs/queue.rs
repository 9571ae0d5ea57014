//! `grq`: the one global run queue, a list per static priority with a bitmap of the non-empty ones.
//!
//! Insertion at the tail and removal from anywhere are O(1): links by index, as the kernel's list heads. 0.512 keeps
//! its queue in order of deadlines instead; new deadlines are late, so the search for the place begins at the tail.
//!
//! Two more things are kept besides the lists, and are not part of the state. These are each task's deadline, and for
//! each list the number of tasks with an earlier deadline than the task before them. This number is usually 0, because
//! a task that used up its slice comes last both in the list and by deadline. Then no later task of the list can be
//! better than an earlier one, and a search may stop early. Where searches read many entries nevertheless, the order by
//! deadline is kept too (see `order`).

use super::order::{self, Class, Kept, Order};
use super::tunables::PRIO_LIMIT;
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Links {
    next: u32,
    prev: u32,
    /// Key of a sorted list: the deadline at the time of insertion.
    key: u64,
    /// The list that the task is on; `PRIO_LIMIT` if it is on none.
    prio: u8,
    /// Its deadline.
    #[serde(skip)]
    deadline: u64,
}

/// Links of a task that is on no list.
const UNLINKED: Links = Links {
    next: NONE,
    prev: NONE,
    key: 0,
    prio: OFF_LIST,
    deadline: 0,
};

const OFF_LIST: u8 = 103;
const _: () = assert!(OFF_LIST as usize == PRIO_LIMIT);

/// The lists of waiting tasks. A running task is on none.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct GlobalQueue {
    links: Vec<Links>,
    heads: Vec<u32>,
    tails: Vec<u32>,
    /// One bit per non-empty list. Two words: shifts of 128 bits are slow in WebAssembly.
    bitmap: [u64; 2],
    /// Number of waiting tasks (`qnr`).
    pub(super) nr: u32,
    /// Counts derived from each list.
    #[serde(skip)]
    reckoned: Vec<ListCounts>,
    /// The order of each list by deadline, while keeping it costs less than long walks.
    #[serde(skip)]
    orders: Vec<Kept>,
}

/// Counts derived from a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ListCounts {
    /// Number of tasks on it.
    len: u32,
    /// Number of tasks with an earlier deadline than the task before them.
    falls: u32,
}

impl GlobalQueue {
    pub(super) fn new() -> Self {
        Self {
            links: Vec::new(),
            heads: vec![NONE; PRIO_LIMIT],
            tails: vec![NONE; PRIO_LIMIT],
            bitmap: [0; 2],
            nr: 0,
            reckoned: vec![ListCounts::default(); PRIO_LIMIT],
            orders: vec![Kept::default(); PRIO_LIMIT],
        }
    }

    /// Computes the derived counts again from the deadlines of all tasks, after a state was restored. Links that no
    /// state can have are left as they are.
    pub(super) fn reckon(&mut self, deadline: impl Fn(usize) -> Option<u64>) {
        self.reckoned = vec![ListCounts::default(); PRIO_LIMIT];
        self.orders = vec![Kept::default(); PRIO_LIMIT];
        for (task, links) in self.links.iter_mut().enumerate() {
            links.deadline = match links.prio {
                OFF_LIST => 0,
                _ => deadline(task).unwrap_or(0),
            };
        }
        for links in &self.links {
            let Some(reckoned) = self.reckoned.get_mut(usize::from(links.prio)) else {
                continue;
            };
            if links.prio != OFF_LIST {
                reckoned.len += 1;
                let before = self.links.get(links.prev as usize);
                reckoned.falls += u32::from(before.is_some_and(|b| links.deadline < b.deadline));
            }
        }
    }

    /// 1 if the second task has an earlier deadline than the first, else 0.
    #[inline]
    fn fall(&self, first: u32, second: u32) -> u32 {
        let falls = first != NONE
            && second != NONE
            && self.links[second as usize].deadline < self.links[first as usize].deadline;
        u32::from(falls)
    }

    /// Gives a waiting task another deadline without moving it.
    pub(super) fn set_deadline(&mut self, task: TaskId, deadline: u64) {
        let Links {
            next, prev, prio, ..
        } = self.links[task.index()];
        let before = self.fall(prev, task.0) + self.fall(task.0, next);
        self.links[task.index()].deadline = deadline;
        let after = self.fall(prev, task.0) + self.fall(task.0, next);
        let falls = &mut self.reckoned[usize::from(prio)].falls;
        *falls = falls.wrapping_add(after).wrapping_sub(before);
        if let Some(order) = &mut self.orders[usize::from(prio)].order {
            order.set_deadline(task, deadline);
        }
    }

    /// A list by deadline, if its order is kept.
    pub(super) fn order(&self, prio: u8) -> Option<&Order> {
        self.orders[usize::from(prio)].order.as_deref()
    }

    /// A task was appended to a list whose order is kept.
    pub(super) fn enter_order(&mut self, task: TaskId, prio: u8, class: Class, from: CpuId) {
        let deadline = self.links[task.index()].deadline;
        if let Some(order) = &mut self.orders[usize::from(prio)].order {
            order.push_back(task, deadline, class, from);
        }
    }

    /// Number of entries that a walk reads before it finds a task with this deadline, at most [`order::LONG`] of a list in
    /// order.
    pub(super) fn walk_to(&self, prio: u8, deadline: u64) -> u64 {
        if !self.ascends(prio) {
            return self.len(prio);
        }
        let most = usize::try_from(order::LONG).unwrap_or(usize::MAX);
        let before = self.list_with_deadlines(prio).take(most);
        before.take_while(|(_, own)| *own < deadline).count() as u64
    }

    /// A search read `walked` entries of a list, or would have without the order. From now on the order is kept if such walks
    /// have cost more than that, and dropped if they are short. `class` gives a task's class and the CPU where it last ran.
    pub(super) fn note_search(
        &mut self,
        prio: u8,
        walked: u64,
        class: impl Fn(TaskId) -> (Class, CpuId),
    ) {
        let (list, len) = (usize::from(prio), self.len(prio));
        if walked < order::LONG {
            self.orders[list].note_short();
        } else if self.orders[list].note_long(walked, len) {
            let mut order = Order::default();
            for (task, deadline) in self.list_with_deadlines(prio) {
                let (class, from) = class(task);
                order.push_back(task, deadline, class, from);
            }
            self.orders[list].order = Some(Box::new(order));
        }
    }

    /// Number of tasks on a list.
    pub(super) fn len(&self, prio: u8) -> u64 {
        u64::from(self.reckoned[usize::from(prio)].len)
    }

    /// Whether no task on a list has an earlier deadline than a task before it.
    pub(super) fn ascends(&self, prio: u8) -> bool {
        self.reckoned[usize::from(prio)].falls == 0
    }

    /// The tasks of a list, in order of insertion, with their deadlines.
    pub(super) fn list_with_deadlines(&self, prio: u8) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        let mut at = self.heads[usize::from(prio)];
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let (task, links) = (TaskId(at), &self.links[at as usize]);
            at = links.next;
            Some((task, links.deadline))
        })
    }

    pub(super) fn make_room(&mut self, task: TaskId) {
        while self.links.len() <= task.index() {
            self.links.push(UNLINKED);
        }
    }

    pub(super) fn contains(&self, task: TaskId) -> bool {
        self.links[task.index()].prio != OFF_LIST
    }

    pub(super) fn push_back(&mut self, task: TaskId, prio: u8, deadline: u64) {
        self.insert_after(self.tails[usize::from(prio)], task, prio, (0, deadline));
    }

    /// Inserts into a list in order of keys, after entries with the same key (0.512 uses a skip list).
    pub(super) fn push_sorted(&mut self, task: TaskId, prio: u8, key: u64) {
        let mut before = self.tails[usize::from(prio)];
        while before != NONE && self.links[before as usize].key > key {
            before = self.links[before as usize].prev;
        }
        self.insert_after(before, task, prio, (key, key));
    }

    /// Inserts after a task of the list, or first, with a key and a deadline.
    fn insert_after(&mut self, prev: u32, task: TaskId, prio: u8, (key, deadline): (u64, u64)) {
        debug_assert!(!self.contains(task), "a task is queued once");
        let list = usize::from(prio);
        let next = if prev == NONE {
            self.bitmap[list / 64] |= 1 << (list % 64);
            std::mem::replace(&mut self.heads[list], task.0)
        } else {
            std::mem::replace(&mut self.links[prev as usize].next, task.0)
        };
        if next == NONE {
            self.tails[list] = task.0;
        } else {
            self.links[next as usize].prev = task.0;
        }
        self.links[task.index()] = Links {
            next,
            prev,
            key,
            prio,
            deadline,
        };
        self.nr += 1;
        let more = self.fall(prev, task.0) + self.fall(task.0, next);
        let less = self.fall(prev, next);
        let reckoned = &mut self.reckoned[list];
        reckoned.len += 1;
        reckoned.falls = reckoned.falls.wrapping_add(more).wrapping_sub(less);
    }

    pub(super) fn remove(&mut self, task: TaskId) {
        let Links {
            next, prev, prio, ..
        } = self.links[task.index()];
        debug_assert!(prio != OFF_LIST, "only queued tasks are taken out");
        let list = usize::from(prio);
        if let Some(order) = &mut self.orders[list].order {
            order.remove(task);
        }
        let less = self.fall(prev, task.0) + self.fall(task.0, next);
        let more = self.fall(prev, next);
        let reckoned = &mut self.reckoned[list];
        // A restored state may hold any numbers; they must not end the run.
        reckoned.len = reckoned.len.wrapping_sub(1);
        reckoned.falls = reckoned.falls.wrapping_add(more).wrapping_sub(less);
        if prev == NONE {
            self.heads[list] = next;
        } else {
            self.links[prev as usize].next = next;
        }
        if next == NONE {
            self.tails[list] = prev;
        } else {
            self.links[next as usize].prev = prev;
        }
        if self.heads[list] == NONE {
            self.bitmap[list / 64] &= !(1 << (list % 64));
        }
        // The links of a removed task are cleared: state and digest are then those of a task that was never queued.
        self.links[task.index()] = UNLINKED;
        self.nr -= 1;
    }

    /// The first non-empty list at or after `from`.
    pub(super) fn next_list(&self, from: u8) -> Option<u8> {
        let [low, high] = self.bitmap;
        let (rest, base) = match from {
            0..64 if low >> from != 0 => (low >> from << from, 0),
            0..64 => (high, 64),
            _ => (high >> (from % 64) << (from % 64), 64),
        };
        let bit = u8::try_from(rest.trailing_zeros()).unwrap_or(64);
        (rest != 0).then_some(base + bit)
    }

    /// The tasks of a list, in order of insertion.
    pub(super) fn list(&self, prio: u8) -> impl Iterator<Item = TaskId> + '_ {
        let mut at = self.heads[usize::from(prio)];
        std::iter::from_fn(move || {
            if at == NONE {
                return None;
            }
            let task = TaskId(at);
            at = self.links[at as usize].next;
            Some(task)
        })
    }

    /// All waiting tasks, list by list.
    pub(super) fn iter(&self) -> impl Iterator<Item = TaskId> + '_ {
        (0..OFF_LIST).flat_map(|prio| self.list(prio))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_contract::state_bytes::save_state;
    use sim_ground::rng::Rng;

    /// Compares the queue with a simple model: a vector per list.
    #[test]
    fn behaves_as_a_vector_per_list() {
        let mut queue = GlobalQueue::new();
        let mut naive: Vec<Vec<TaskId>> = vec![Vec::new(); PRIO_LIMIT];
        let mut rng = Rng::stream(1, "queue test", 0);
        for _ in 0..20_000 {
            let task = TaskId(rng.below(60));
            queue.make_room(task);
            if queue.contains(task) {
                queue.remove(task);
                naive.iter_mut().for_each(|l| l.retain(|t| *t != task));
            } else {
                let prio = [7, 100, 101, 102][rng.below(4) as usize];
                queue.push_back(task, prio, rng.below_u64(9));
                naive[usize::from(prio)].push(task);
            }
            let flat: Vec<TaskId> = naive.iter().flatten().copied().collect();
            assert_eq!(queue.iter().collect::<Vec<_>>(), flat);
            assert_eq!(queue.nr as usize, flat.len());
            if let Some(task) = flat.first().filter(|_| rng.below(4) == 0) {
                queue.set_deadline(*task, rng.below_u64(9));
            }
            let deadline = |task: usize| Some(queue.links[task].deadline);
            let mut again = queue.clone();
            again.reckon(deadline);
            assert_eq!(queue.reckoned, again.reckoned);
            for prio in [7, 100, 101, 102] {
                let deadlines: Vec<u64> = queue.list_with_deadlines(prio).map(|t| t.1).collect();
                assert_eq!(queue.ascends(prio), deadlines.is_sorted(), "{deadlines:?}");
                assert_eq!(queue.len(prio), deadlines.len() as u64);
            }
            let first = naive.iter().position(|l| !l.is_empty());
            assert_eq!(queue.next_list(0).map(usize::from), first);
        }
    }

    #[test]
    fn sorted_lists_are_in_order_and_equals_first_come_first() {
        let mut queue = GlobalQueue::new();
        let mut naive: Vec<(u64, TaskId)> = Vec::new();
        let mut rng = Rng::stream(2, "sorted queue test", 0);
        for _ in 0..5_000 {
            let task = TaskId(rng.below(40));
            queue.make_room(task);
            if queue.contains(task) {
                queue.remove(task);
                naive.retain(|(_, t)| *t != task);
            } else {
                let key = rng.below_u64(12);
                queue.push_sorted(task, 101, key);
                let at = naive.iter().position(|(k, _)| *k > key);
                naive.insert(at.unwrap_or(naive.len()), (key, task));
            }
            let order: Vec<TaskId> = naive.iter().map(|(_, t)| *t).collect();
            assert_eq!(queue.iter().collect::<Vec<_>>(), order);
        }
    }

    /// The digest contains the links. It must not depend on whether a task was queued and removed in between, or
    /// whether that was skipped because it changed nothing.
    #[test]
    fn what_is_taken_out_leaves_no_trace() {
        let mut queue = GlobalQueue::new();
        (0..3).for_each(|t| queue.make_room(TaskId(t)));
        queue.push_back(TaskId(0), 101, 7);
        let before = save_state(&queue);
        queue.push_back(TaskId(1), 101, 6);
        queue.push_back(TaskId(2), 101, 5);
        queue.remove(TaskId(1));
        queue.remove(TaskId(2));
        assert_eq!(save_state(&queue), before);
    }
}
