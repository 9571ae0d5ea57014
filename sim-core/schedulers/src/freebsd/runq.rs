//! Run queues: FIFO lists by level with a bitmap of those that are not empty (`kern_switch.c`, `runq.h`).
//!
//! A level holds four priorities where there are 64 levels (`RQ_PPQ` = 4), and one where there are 256. One object
//! holds all queues of a scheduler, because a thread waits in at most one of them. These are 4BSD's global queue and
//! those of the CPUs, or the three queues that ULE has for each CPU. Insertion at either end and removal are O(1); the
//! search for the first level that is not empty reads 64 levels at a time.

use serde::{Deserialize, Serialize};
use sim_ground::ids::TaskId;

const NONE: u32 = u32::MAX;
const NOWHERE: u16 = u16::MAX;

/// Where a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the queue.
    pub queue: usize,
    /// Level in it.
    pub level: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Links {
    next: u32,
    prev: u32,
    /// The queue; `NOWHERE` if the thread does not wait.
    queue: u16,
    level: u16,
}

/// The links of a thread that does not wait: the same as of one that never waited.
const UNLINKED: Links = Links {
    next: NONE,
    prev: NONE,
    queue: NOWHERE,
    level: 0,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Queue {
    /// A bit for each level that is not empty (`rq_status`).
    status: Vec<u64>,
    heads: Vec<u32>,
    tails: Vec<u32>,
    len: u32,
}

/// All run queues of a scheduler.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunQueues {
    levels: u16,
    queues: Vec<Queue>,
    links: Vec<Links>,
}

impl RunQueues {
    /// Empty queues with this many levels each.
    ///
    /// # Panics
    /// If there are 65,535 levels or queues, or more.
    #[must_use]
    pub fn new(queues: usize, levels: usize) -> Self {
        assert!(queues < usize::from(NOWHERE), "invariant: few queues");
        let queue = Queue {
            status: vec![0; levels.div_ceil(64)],
            heads: vec![NONE; levels],
            tails: vec![NONE; levels],
            len: 0,
        };
        Self {
            levels: u16::try_from(levels).expect("invariant: few levels"),
            queues: vec![queue; queues],
            links: Vec::new(),
        }
    }

    /// Number of levels of a queue.
    #[must_use]
    pub fn levels(&self) -> usize {
        usize::from(self.levels)
    }

    /// Number of threads that wait in a queue.
    #[must_use]
    pub fn len(&self, queue: usize) -> usize {
        self.queues[queue].len as usize
    }

    /// Whether no thread waits in a queue.
    #[must_use]
    pub fn is_empty(&self, queue: usize) -> bool {
        self.queues[queue].len == 0
    }

    /// Where a thread waits, if it does. The thread need not have been inserted before.
    #[must_use]
    pub fn place(&self, task: TaskId) -> Option<Place> {
        let links = self.links.get(task.index())?;
        (links.queue != NOWHERE).then(|| Place {
            queue: usize::from(links.queue),
            level: usize::from(links.level),
        })
    }

    /// Appends a thread to a level (`runq_add`).
    ///
    /// # Panics
    /// If there is no such queue or level.
    pub fn push_tail(&mut self, queue: usize, level: usize, task: TaskId) {
        let tail = self.queues[queue].tails[level];
        self.link(queue, level, task, tail, NONE);
    }

    /// Puts a thread first in a level (`runq_add` with `SRQ_PREEMPTED`).
    ///
    /// # Panics
    /// If there is no such queue or level.
    pub fn push_head(&mut self, queue: usize, level: usize, task: TaskId) {
        let head = self.queues[queue].heads[level];
        self.link(queue, level, task, NONE, head);
    }

    fn link(&mut self, queue: usize, level: usize, task: TaskId, prev: u32, next: u32) {
        debug_assert!(self.place(task).is_none(), "a thread waits in one queue");
        if self.links.len() <= task.index() {
            self.links.resize(task.index() + 1, UNLINKED);
        }
        self.links[task.index()] = Links {
            next,
            prev,
            queue: u16::try_from(queue).expect("invariant: few queues"),
            level: u16::try_from(level).expect("invariant: few levels"),
        };
        let q = &mut self.queues[queue];
        match prev {
            NONE => q.heads[level] = task.0,
            prev => self.links[prev as usize].next = task.0,
        }
        match next {
            NONE => q.tails[level] = task.0,
            next => self.links[next as usize].prev = task.0,
        }
        q.status[level / 64] |= 1 << (level % 64);
        q.len += 1;
    }

    /// Removes a waiting thread (`runq_remove`) and returns its place; `None` if it did not wait.
    pub fn remove(&mut self, task: TaskId) -> Option<Place> {
        let place = self.place(task)?;
        let links = std::mem::replace(&mut self.links[task.index()], UNLINKED);
        let q = &mut self.queues[place.queue];
        match links.prev {
            NONE => q.heads[place.level] = links.next,
            prev => self.links[prev as usize].next = links.next,
        }
        match links.next {
            NONE => q.tails[place.level] = links.prev,
            next => self.links[next as usize].prev = links.prev,
        }
        if q.heads[place.level] == NONE {
            q.status[place.level / 64] &= !(1 << (place.level % 64));
        }
        q.len -= 1;
        Some(place)
    }

    /// The first level in `from..to` that is not empty (`runq_findbit`).
    #[must_use]
    #[inline]
    pub fn first_level(&self, queue: usize, from: usize, to: usize) -> Option<usize> {
        let queue = &self.queues[queue];
        // Most queues are empty at this point.
        if queue.len == 0 {
            return None;
        }
        let status = &queue.status;
        let mut word = from / 64;
        let mut skip = from % 64;
        while word * 64 < to.min(self.levels()) {
            let rest = status[word] >> skip << skip;
            if rest != 0 {
                let level = word * 64 + rest.trailing_zeros() as usize;
                return (level < to).then_some(level);
            }
            word += 1;
            skip = 0;
        }
        None
    }

    /// The first level that is not empty, beginning at `from` and going round `range`, in which `from` lies
    /// (`runq_findbit_from`).
    #[must_use]
    pub fn first_level_round(
        &self,
        queue: usize,
        range: std::ops::Range<usize>,
        from: usize,
    ) -> Option<usize> {
        self.first_level(queue, from, range.end)
            .or_else(|| self.first_level(queue, range.start, from))
    }

    /// The first thread of a level.
    #[must_use]
    pub fn head(&self, queue: usize, level: usize) -> Option<TaskId> {
        task(self.queues[queue].heads[level])
    }

    /// The first thread of the best level of a queue (`runq_choose`); it stays where it is.
    #[must_use]
    pub fn choose(&self, queue: usize) -> Option<TaskId> {
        let level = self.first_level(queue, 0, self.levels())?;
        self.head(queue, level)
    }

    /// The threads of a level, first to last.
    pub fn level(&self, queue: usize, level: usize) -> impl Iterator<Item = TaskId> + '_ {
        let mut at = self.queues[queue].heads[level];
        std::iter::from_fn(move || {
            let found = task(at)?;
            at = self.links[at as usize].next;
            Some(found)
        })
    }

    /// The levels in `from..to` that are not empty.
    pub fn levels_in(
        &self,
        queue: usize,
        from: usize,
        to: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        let mut next = from;
        std::iter::from_fn(move || {
            let level = self.first_level(queue, next, to)?;
            next = level + 1;
            Some(level)
        })
    }

    /// The threads in `from..to`, level by level.
    pub fn iter(&self, queue: usize, from: usize, to: usize) -> impl Iterator<Item = TaskId> + '_ {
        let levels = self.levels_in(queue, from, to);
        levels.flat_map(move |level| self.level(queue, level))
    }
}

fn task(number: u32) -> Option<TaskId> {
    (number != NONE).then_some(TaskId(number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_contract::state_bytes::save_state;
    use sim_ground::rng::Rng;

    /// Compares the lists with a model of vectors.
    #[test]
    fn the_lists_are_fifos_by_level() {
        let mut rng = Rng::stream(9, "runq", 0);
        let (queues, levels) = (3, 109);
        let mut fast = RunQueues::new(queues, levels);
        let mut plain = vec![vec![Vec::<TaskId>::new(); levels]; queues];
        let mut most = 0;
        for _ in 0..30_000 {
            let task = TaskId(rng.below(60));
            let place = fast.place(task);
            let queue = rng.below(3) as usize;
            let level = rng.below(109) as usize;
            match (place, rng.below(2)) {
                (Some(place), _) => {
                    assert_eq!(fast.remove(task), Some(place));
                    let list = &mut plain[place.queue][place.level];
                    let before = list.len();
                    list.retain(|t| *t != task);
                    assert_eq!(list.len() + 1, before, "it was where it said");
                }
                (None, 0) => {
                    fast.push_head(queue, level, task);
                    plain[queue][level].insert(0, task);
                }
                (None, _) => {
                    fast.push_tail(queue, level, task);
                    plain[queue][level].push(task);
                }
            }
            let (from, to) = (rng.below(109) as usize, rng.below(110) as usize);
            let filled = |l: &usize| !plain[queue][*l].is_empty();
            assert_eq!(fast.first_level(queue, from, to), (from..to).find(filled));
            let round = (from..levels).chain(0..from).find(filled);
            assert_eq!(fast.first_level_round(queue, 0..levels, from), round);
            let all: Vec<TaskId> = fast.iter(queue, 0, levels).collect();
            assert_eq!(all, plain[queue].concat());
            assert_eq!(fast.len(queue), all.len());
            assert_eq!(fast.choose(queue), all.first().copied());
            assert_eq!(fast.is_empty(queue), all.is_empty());
            most = most.max(all.len());
        }
        assert!(most > 10, "the queues were in use");
    }

    #[test]
    fn who_left_leaves_no_trace() {
        let mut queues = RunQueues::new(1, 64);
        queues.push_tail(0, 7, TaskId(3));
        queues.push_head(0, 7, TaskId(1));
        let bytes = |q: &RunQueues| save_state(q);
        let before = bytes(&queues);
        queues.push_tail(0, 7, TaskId(2));
        queues.remove(TaskId(2));
        assert_eq!(bytes(&queues), before);
    }
}
