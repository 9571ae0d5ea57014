//! The task that had each CPU, in stretches of equal length: for a timeline over a time with too many slices.
//!
//! When there are too many stretches, each two become one of double length, so memory stays bounded however long the
//! run is. Time that was recorded is not recorded again: going back and running again changes nothing.

use sim_ground::time::SimTime;

/// Number of stretches kept, for all CPUs together.
const KEPT: usize = 1 << 18;
/// The first length, as a power of two in ns: about 1 ms. The first seconds of a run are those that people watch first,
/// so recording them must be cheap. A closer look runs that part of the run again.
const FIRST_SHIFT: u32 = 20;
/// No task or no group, in a stretch.
pub const NOBODY: u16 = u16::MAX;
/// Numbers of a stretch in [`Occupancy::read`]: task, its share, group, its share, busy, overhead.
pub const WORDS: usize = 6;

/// A stretch of one CPU. Shares are of its length, in 65535ths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OccupancyBin {
    /// The task that had most of it, as far as known: of two merged stretches the larger part counts.
    task: u16,
    task_share: u16,
    /// The group that had most of it.
    group: u16,
    group_share: u16,
    busy: u16,
    /// Time for switching, for waiting for scheduler locks, and for filling caches after a switch.
    overhead: u16,
}

const EMPTY: OccupancyBin = OccupancyBin {
    task: NOBODY,
    task_share: 0,
    group: NOBODY,
    group_share: 0,
    busy: 0,
    overhead: 0,
};

impl OccupancyBin {
    /// Merges two stretches; `sum` combines the shares.
    fn with(self, other: Self, sum: impl Fn(u16, u16) -> u16) -> Self {
        let larger = |a: (u16, u16), b: (u16, u16)| {
            if a.0 == b.0 {
                (a.0, sum(a.1, b.1))
            } else if a.1 >= b.1 {
                (a.0, sum(a.1, 0))
            } else {
                (b.0, sum(b.1, 0))
            }
        };
        let (task, task_share) =
            larger((self.task, self.task_share), (other.task, other.task_share));
        let (group, group_share) = larger(
            (self.group, self.group_share),
            (other.group, other.group_share),
        );
        Self {
            task,
            task_share,
            group,
            group_share,
            busy: sum(self.busy, other.busy),
            overhead: sum(self.overhead, other.overhead),
        }
    }
}

/// The stretch of a CPU that is being filled.
#[derive(Clone, Debug, Default)]
struct Open {
    index: usize,
    overhead: u64,
    /// Task, group and its ns.
    had: Vec<(u16, u16, u64)>,
}

impl Open {
    /// The group that had most, and its ns.
    fn largest_group(&self) -> (u16, u64) {
        let ns = |group: u16| -> u64 {
            let of_group = self.had.iter().filter(|h| h.1 == group);
            of_group.map(|h| h.2).sum()
        };
        let groups = self.had.iter().map(|h| (h.1, ns(h.1)));
        groups.max_by_key(|g| g.1).unwrap_or((NOBODY, 0))
    }
}

/// Stretches of all CPUs.
#[derive(Clone, Debug)]
pub struct Occupancy {
    start: SimTime,
    shift: u32,
    most: usize,
    /// Whether stretches are merged when there are too many; otherwise further ones are dropped.
    grows: bool,
    /// The time up to which each CPU is recorded.
    until: Vec<SimTime>,
    open: Vec<Open>,
    /// Stretch by stretch; within a stretch, CPU by CPU.
    kept: Vec<OccupancyBin>,
}

/// An interval that a task spent on a CPU.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// CPU.
    pub cpu: usize,
    /// Start.
    pub from: SimTime,
    /// End.
    pub to: SimTime,
    /// Task.
    pub task: usize,
    /// Its group.
    pub group: usize,
    /// Part of the interval, at its start, in which the task made no progress.
    pub overhead_ns: u64,
}

fn word(n: usize) -> u16 {
    u16::try_from(n).unwrap_or(NOBODY)
}

impl Occupancy {
    /// For a run from its start, of any length.
    #[must_use]
    pub fn new(cpus: usize) -> Self {
        Self::part(cpus, SimTime::ZERO, FIRST_SHIFT, KEPT / cpus.max(1), true)
    }

    /// For a part of a run, in at most `columns` stretches.
    #[must_use]
    pub fn of_window(cpus: usize, from: SimTime, to: SimTime, columns: usize) -> Self {
        let shift = shift_for(to.since(from).0, columns);
        let start = SimTime(from.0 >> shift << shift);
        Self::part(cpus, start, shift, columns + 2, false)
    }

    fn part(cpus: usize, start: SimTime, shift: u32, most: usize, grows: bool) -> Self {
        Self {
            start,
            shift,
            most,
            grows,
            until: vec![start; cpus],
            open: vec![Open::default(); cpus],
            kept: Vec::new(),
        }
    }

    /// Length of a stretch.
    #[must_use]
    pub fn length_ns(&self) -> u64 {
        1 << self.shift
    }

    /// The time up to which the past of every CPU may be known.
    #[must_use]
    pub fn known_until(&self) -> SimTime {
        self.until.iter().copied().max().unwrap_or(self.start)
    }

    /// Adds an interval of a task on a CPU, without the part that is already recorded.
    pub fn add(&mut self, s: Spent) {
        let known = &mut self.until[s.cpu];
        let mut from = s.from.max(*known);
        if s.to <= from {
            return;
        }
        *known = s.to;
        let paid = SimTime(s.from.0 + s.overhead_ns);
        let mut index = self.index(from);
        while from < s.to {
            if index >= self.most {
                if !self.grows {
                    return;
                }
                self.halve();
                index = self.index(from);
                continue;
            }
            let begin = SimTime(self.start.0 + ((index as u64) << self.shift));
            let next = SimTime(begin.0 + (1 << self.shift));
            if from == begin && next <= s.to && paid <= from {
                let count = self.fill(&s, index, s.to.since(from).0 >> self.shift);
                from = SimTime(from.0 + ((count as u64) << self.shift));
                index += count;
                continue;
            }
            let to = s.to.min(next);
            let overhead = if paid > from {
                paid.min(to).0 - from.0
            } else {
                0
            };
            self.spend(&s, index, to.0 - from.0, overhead);
            from = to;
            index += 1;
        }
    }

    /// Adds a part of an interval that lies within one stretch.
    #[inline]
    fn spend(&mut self, s: &Spent, index: usize, ns: u64, overhead: u64) {
        if self.open[s.cpu].index != index {
            self.close(s.cpu);
            self.open[s.cpu].index = index;
        }
        let open = &mut self.open[s.cpu];
        open.overhead += overhead;
        let task = word(s.task);
        match open.had.iter_mut().find(|(t, ..)| *t == task) {
            Some((.., sum)) => *sum += ns,
            None => open.had.push((task, word(s.group), ns)),
        }
    }

    /// Writes stretches that a task had from begin to end, as long as there is room. Returns their number.
    fn fill(&mut self, s: &Spent, index: usize, whole: u64) -> usize {
        self.close(s.cpu);
        let room = self.most - index;
        let count = usize::try_from(whole).map_or(room, |n| n.min(room));
        let cpus = self.open.len();
        let needed = (index + count) * cpus;
        if self.kept.len() < needed {
            self.kept.resize(needed, EMPTY);
        }
        let new = OccupancyBin {
            task: word(s.task),
            task_share: u16::MAX,
            group: word(s.group),
            group_share: u16::MAX,
            busy: u16::MAX,
            overhead: 0,
        };
        for stretch in self.kept[index * cpus..needed].chunks_exact_mut(cpus) {
            stretch[s.cpu] = new;
        }
        self.open[s.cpu].index = index + count - 1;
        count
    }

    fn index(&self, at: SimTime) -> usize {
        usize::try_from(at.since(self.start).0 >> self.shift).unwrap_or(usize::MAX)
    }

    /// Closes the open stretch of a CPU, if there is one.
    #[inline]
    fn close(&mut self, cpu: usize) {
        if !self.open[cpu].had.is_empty() {
            self.write_open(cpu);
        }
    }

    #[inline(never)]
    fn write_open(&mut self, cpu: usize) {
        let cpus = self.open.len();
        let open = &mut self.open[cpu];
        let share =
            |ns: u64| u16::try_from((ns * u64::from(u16::MAX)) >> self.shift).unwrap_or(u16::MAX);
        let (mut busy, mut most, mut one_group) = (0, open.had[0], true);
        for had in &open.had {
            busy += had.2;
            one_group &= had.1 == most.1;
            if had.2 >= most.2 {
                most = *had;
            }
        }
        let (group, group_ns) = if one_group {
            (most.1, busy)
        } else {
            open.largest_group()
        };
        let new = OccupancyBin {
            task: most.0,
            task_share: share(most.2),
            group,
            group_share: share(group_ns),
            busy: share(busy),
            overhead: share(open.overhead),
        };
        let needed = (open.index + 1) * cpus;
        if self.kept.len() < needed {
            self.kept.resize(needed, EMPTY);
        }
        let place = &mut self.kept[open.index * cpus + cpu];
        *place = place.with(new, u16::saturating_add);
        open.had.clear();
        open.overhead = 0;
    }

    #[cold]
    fn halve(&mut self) {
        let cpus = self.open.len();
        (0..cpus).for_each(|cpu| self.close(cpu));
        self.kept
            .resize(self.kept.len().next_multiple_of(2 * cpus), EMPTY);
        for i in 0..self.kept.len() / 2 {
            let at = i / cpus * 2 * cpus + i % cpus;
            self.kept[i] = self.kept[at].with(self.kept[at + cpus], u16::midpoint);
        }
        self.kept.truncate(self.kept.len() / 2);
        self.shift += 1;
        self.open.iter_mut().for_each(|o| o.index >>= 1);
    }

    /// Drops everything from the start of the stretch that contains `at`, and returns that start; `None` if nothing
    /// after `at` was known.
    pub fn forget_from(&mut self, at: SimTime) -> Option<SimTime> {
        if self.known_until() <= at {
            return None;
        }
        let index = self.index(at);
        let begin = SimTime(self.start.0 + ((index as u64) << self.shift));
        self.kept.truncate(index * self.open.len());
        for (open, until) in self.open.iter_mut().zip(&mut self.until) {
            if open.index >= index {
                open.had.clear();
                open.overhead = 0;
            }
            *until = begin.min(*until);
        }
        Some(begin)
    }

    /// The stretches of a window, at most `columns` of them: start of the first, length, and for each stretch the
    /// [`WORDS`] of each CPU.
    pub fn read(&mut self, from: SimTime, to: SimTime, columns: usize) -> (SimTime, u64, Vec<u16>) {
        let cpus = self.open.len();
        (0..cpus).for_each(|cpu| self.close(cpu));
        let from = from.max(self.start);
        let to = to.min(self.known_until()).max(from);
        let shift = shift_for(to.since(from).0, columns).max(self.shift);
        let begin = SimTime(self.start.0 + (from.since(self.start).0 >> shift << shift));
        let count = to.since(begin).0.div_ceil(1 << shift);
        let each = 1_usize << (shift - self.shift);
        let first = self.index(begin);
        let mut words = Vec::new();
        for i in 0..usize::try_from(count).unwrap_or(0) {
            for cpu in 0..cpus {
                let mut s = self.merged(first + i * each, each, cpu);
                if s.busy == 0 {
                    s = EMPTY;
                }
                words.extend([
                    s.task,
                    s.task_share,
                    s.group,
                    s.group_share,
                    s.busy,
                    s.overhead,
                ]);
            }
        }
        (begin, 1 << shift, words)
    }

    /// Merges `each` stretches, from `first` on, into one; `each` is a power of two.
    fn merged(&self, first: usize, each: usize, cpu: usize) -> OccupancyBin {
        if each == 1 {
            let at = first * self.open.len() + cpu;
            return self.kept.get(at).copied().unwrap_or(EMPTY);
        }
        let half = each / 2;
        self.merged(first, half, cpu)
            .with(self.merged(first + half, half, cpu), u16::midpoint)
    }
}

/// The exponent of the smallest power of two with which `columns` stretches cover a time.
fn shift_for(ns: u64, columns: usize) -> u32 {
    ns.div_ceil(columns.max(1) as u64)
        .max(1)
        .next_power_of_two()
        .ilog2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spent(cpu: usize, from: u64, to: u64, task: usize) -> Spent {
        Spent {
            cpu,
            from: SimTime(from),
            to: SimTime(to),
            task,
            group: task % 2,
            overhead_ns: 10,
        }
    }

    #[test]
    fn shares_add_up_however_often_stretches_are_merged() {
        let mut all = Occupancy::part(2, SimTime::ZERO, 4, 8, true);
        for i in 0..4000_u64 {
            all.add(spent(0, i * 100, i * 100 + 75, 3));
        }
        let (begin, length, words) = all.read(SimTime::ZERO, SimTime(400_000), 8);
        assert_eq!(begin, SimTime::ZERO);
        let full = usize::try_from(400_000 / length).expect("few");
        for stretch in words.chunks(WORDS * 2).take(full) {
            assert_eq!((stretch[0], stretch[2]), (3, 1));
            assert!((48_900..49_400).contains(&stretch[4]), "{stretch:?}");
            assert!((6_300..6_800).contains(&stretch[5]), "{stretch:?}");
            assert_eq!(stretch[6], NOBODY);
        }
    }

    #[test]
    fn what_is_known_is_not_counted_twice() {
        let mut once = Occupancy::new(1);
        once.add(spent(0, 0, 50_000, 1));
        once.add(spent(0, 50_000, 90_000, 2));
        let mut twice = once.clone();
        twice.add(spent(0, 20_000, 50_000, 1));
        twice.add(spent(0, 50_000, 90_000, 2));
        let all = |o: &mut Occupancy| o.read(SimTime::ZERO, SimTime(90_000), 100).2;
        assert_eq!(all(&mut once), all(&mut twice));
    }

    #[test]
    fn whole_stretches_are_what_their_pieces_add_up_to() {
        let mut whole = Occupancy::part(2, SimTime::ZERO, 4, 64, true);
        let mut pieces = whole.clone();
        // The interval is longer than the room at first, so the length doubles meanwhile.
        for (from, to, task) in [(3, 250, 1), (250, 252, 2), (252, 5_000, 3)] {
            whole.add(spent(1, from, to, task));
            for at in from..to {
                pieces.add(Spent {
                    overhead_ns: (from + 10).saturating_sub(at).min(1),
                    ..spent(1, at, at + 1, task)
                });
            }
        }
        let all = |o: &mut Occupancy| o.read(SimTime::ZERO, SimTime(5_000), 1_000);
        assert_eq!(all(&mut whole), all(&mut pieces));
    }

    #[test]
    fn another_future_replaces_the_one_that_was_known() {
        let mut o = Occupancy::new(1);
        o.add(spent(0, 0, 1_000_000, 1));
        let begin = o.forget_from(SimTime(500_000)).expect("more was known");
        assert!(begin <= SimTime(500_000) && begin.0 + o.length_ns() > 500_000);
        o.add(spent(0, begin.0, 1_000_000, 2));
        let (_, _, words) = o.read(SimTime(500_000), SimTime(1_000_000), 1000);
        assert!(words.chunks(WORDS).all(|s| s[0] == 2), "{words:?}");
        assert_eq!(o.forget_from(SimTime(1_000_000)), None);
    }
}
