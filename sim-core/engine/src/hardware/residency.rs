//! The threads whose data each cache holds: a list of threads per cache, most recent first.
//!
//! A thread that ran becomes the most recent, with as much of its set as fits. The least recent threads lose their data
//! until the rest fits. Threads do not interleave, so "two sets fit, three thrash" is exact.

use serde::{Deserialize, Serialize};
use sim_ground::ids::TaskId;

const NONE: u32 = u32::MAX;

/// The data of a thread in a cache: a node of that cache's list.
#[derive(Clone, Copy, Debug)]
struct Node {
    task: TaskId,
    bytes: u64,
    newer: u32,
    older: u32,
}

/// The list of one cache.
#[derive(Clone, Copy, Debug)]
struct List {
    newest: u32,
    oldest: u32,
    used: u64,
}

/// The lists of all caches. They are written to snapshots as (thread, bytes) pairs, most recent first.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Vec<(TaskId, u64)>>", into = "Vec<Vec<(TaskId, u64)>>")]
pub(super) struct Residency {
    lists: Vec<List>,
    nodes: Vec<Node>,
    free: Vec<u32>,
    /// Caches and nodes of each thread. There are few, so a list that is searched from its start is enough.
    of_task: Vec<Vec<(u16, u32)>>,
}

impl Residency {
    pub(super) fn new(caches: usize) -> Self {
        vec![Vec::new(); caches].into()
    }

    /// Number of caches.
    pub(super) fn len(&self) -> usize {
        self.lists.len()
    }

    fn find(&self, task: TaskId, cache: u16) -> Option<u32> {
        let own = self.of_task.get(task.index())?;
        own.iter().find(|(c, _)| *c == cache).map(|(_, n)| *n)
    }

    /// Bytes of a thread's data in a cache.
    pub(super) fn bytes(&self, task: TaskId, cache: u16) -> u64 {
        self.find(task, cache)
            .map_or(0, |n| self.nodes[n as usize].bytes)
    }

    /// A thread has used a cache of size `size`: it is now the most recent there, with `bytes` bytes.
    pub(super) fn touch(&mut self, task: TaskId, cache: u16, bytes: u64, size: u64) {
        let bytes = bytes.min(size);
        match self.find(task, cache) {
            Some(node) if bytes > 0 => {
                self.unlink(cache, node);
                self.nodes[node as usize].bytes = bytes;
                self.link_newest(cache, node);
            }
            Some(node) => self.remove(cache, node),
            None if bytes > 0 => {
                let node = self.make(task, bytes);
                if self.of_task.len() <= task.index() {
                    self.of_task.resize(task.index() + 1, Vec::new());
                }
                self.of_task[task.index()].push((cache, node));
                self.link_newest(cache, node);
            }
            None => {}
        }
        self.evict(cache, size);
    }

    /// Removes data of the least recent threads until the rest fits. The last of them keeps what fits.
    fn evict(&mut self, cache: u16, size: u64) {
        loop {
            let list = self.lists[usize::from(cache)];
            if list.used <= size {
                return;
            }
            let oldest = list.oldest;
            let excess = list.used - size;
            if self.nodes[oldest as usize].bytes > excess {
                self.nodes[oldest as usize].bytes -= excess;
                self.lists[usize::from(cache)].used -= excess;
            } else {
                self.remove(cache, oldest);
            }
        }
    }

    /// Removes the data of a thread whose memory is freed.
    pub(super) fn forget(&mut self, task: TaskId) {
        while let Some((cache, node)) = self
            .of_task
            .get(task.index())
            .and_then(|own| own.last().copied())
        {
            self.remove(cache, node);
        }
    }

    /// What a cache holds: threads and bytes, most recent first.
    pub(super) fn rows(&self, cache: usize) -> impl Iterator<Item = (TaskId, u64)> + '_ {
        let mut next = self.lists[cache].newest;
        std::iter::from_fn(move || {
            let node = self.nodes.get(next as usize)?;
            next = node.older;
            Some((node.task, node.bytes))
        })
    }

    fn make(&mut self, task: TaskId, bytes: u64) -> u32 {
        let node = Node {
            task,
            bytes,
            newer: NONE,
            older: NONE,
        };
        if let Some(free) = self.free.pop() {
            self.nodes[free as usize] = node;
            free
        } else {
            self.nodes.push(node);
            u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
        }
    }

    fn remove(&mut self, cache: u16, node: u32) {
        self.unlink(cache, node);
        let task = self.nodes[node as usize].task;
        self.of_task[task.index()].retain(|(_, n)| *n != node);
        self.free.push(node);
    }

    fn unlink(&mut self, cache: u16, node: u32) {
        let Node {
            newer,
            older,
            bytes,
            ..
        } = self.nodes[node as usize];
        let list = &mut self.lists[usize::from(cache)];
        list.used -= bytes;
        match self.nodes.get_mut(newer as usize) {
            Some(n) => n.older = older,
            None => list.newest = older,
        }
        match self.nodes.get_mut(older as usize) {
            Some(n) => n.newer = newer,
            None => list.oldest = newer,
        }
    }

    fn link_newest(&mut self, cache: u16, node: u32) {
        let list = &mut self.lists[usize::from(cache)];
        let second = list.newest;
        list.newest = node;
        if second == NONE {
            list.oldest = node;
        } else {
            self.nodes[second as usize].newer = node;
        }
        let n = &mut self.nodes[node as usize];
        n.newer = NONE;
        n.older = second;
        list.used += n.bytes;
    }
}

impl From<Vec<Vec<(TaskId, u64)>>> for Residency {
    fn from(rows: Vec<Vec<(TaskId, u64)>>) -> Self {
        let empty = List {
            newest: NONE,
            oldest: NONE,
            used: 0,
        };
        let mut made = Self {
            lists: vec![empty; rows.len()],
            nodes: Vec::new(),
            free: Vec::new(),
            of_task: Vec::new(),
        };
        for (cache, list) in rows.into_iter().enumerate() {
            let cache = u16::try_from(cache).unwrap_or(u16::MAX);
            for (task, bytes) in list.into_iter().rev() {
                // Larger numbers of threads would only fill the memory.
                if i64::from(task.0) <= 4 * sim_ground::bounds::THREADS.max {
                    made.touch(task, cache, bytes.min(1 << 40), u64::MAX >> 1);
                }
            }
        }
        made
    }
}

impl From<Residency> for Vec<Vec<(TaskId, u64)>> {
    fn from(r: Residency) -> Self {
        (0..r.lists.len()).map(|c| r.rows(c).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    const A: TaskId = TaskId(0);
    const B: TaskId = TaskId(1);
    const C: TaskId = TaskId(2);

    #[test]
    fn two_sets_fit_and_the_third_pushes_the_least_recent_out() {
        let mut r = Residency::new(1);
        for task in [A, B] {
            r.touch(task, 0, 4, 8);
        }
        assert_eq!((r.bytes(A, 0), r.bytes(B, 0)), (4, 4));
        r.touch(C, 0, 4, 8);
        assert_eq!((r.bytes(A, 0), r.bytes(B, 0), r.bytes(C, 0)), (0, 4, 4));
        r.touch(B, 0, 4, 8);
        r.touch(A, 0, 4, 8);
        assert_eq!(r.bytes(C, 0), 0);
    }

    #[test]
    fn a_set_larger_than_the_cache_leaves_as_much_as_fits() {
        let mut r = Residency::new(2);
        r.touch(A, 0, 3, 8);
        r.touch(B, 0, 100, 8);
        assert_eq!((r.bytes(A, 0), r.bytes(B, 0)), (0, 8));
        r.forget(B);
        assert_eq!(r.bytes(B, 0), 0);
        assert_eq!(r.rows(0).count(), 0);
    }

    /// Compares the lists with a model of plain vectors, and takes them through a snapshot.
    #[test]
    fn lists_are_those_of_a_naive_model() {
        let mut rng = Rng::stream(9, "residency", 0);
        let mut naive: Vec<Vec<(TaskId, u64)>> = vec![Vec::new(); 3];
        let mut r = Residency::new(3);
        for _ in 0..20_000 {
            let task = TaskId(rng.below(12));
            let cache = rng.below(3) as usize;
            let bytes = u64::from(rng.below(40));
            if rng.below(20) == 0 {
                r.forget(task);
                naive.iter_mut().for_each(|l| l.retain(|e| e.0 != task));
            } else {
                r.touch(task, u16::try_from(cache).expect("small"), bytes, 64);
                let list = &mut naive[cache];
                list.retain(|e| e.0 != task);
                if bytes > 0 {
                    list.insert(0, (task, bytes));
                }
                while list.iter().map(|e| e.1).sum::<u64>() > 64 {
                    let excess = list.iter().map(|e| e.1).sum::<u64>() - 64;
                    let last = list.last_mut().expect("not empty");
                    if last.1 > excess {
                        last.1 -= excess;
                    } else {
                        list.pop();
                    }
                }
            }
            let rows: Vec<Vec<(TaskId, u64)>> = r.clone().into();
            assert_eq!(rows, naive);
            if rng.below(100) == 0 {
                r = rows.into();
            }
        }
    }
}
