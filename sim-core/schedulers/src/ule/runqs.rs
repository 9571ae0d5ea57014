//! The queues of a CPU: real time by priority, the timeshare calendar, the idle class by priority.
//!
//! Three arrays of 64 levels with four priorities each, or parts of one array of 256 levels.

use super::calendar::Hands;
use super::eras::Era;
use crate::freebsd::ranges::PRI_MIN_IDLE;
use crate::freebsd::runq::{Place, RunQueues};
use serde::{Deserialize, Serialize};
use sim_ground::ids::{CpuId, TaskId};

/// A part of a CPU's queues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Interrupt, real-time, kernel and interactive priorities.
    Realtime,
    /// Batch priorities.
    Timeshare,
    /// Idle class.
    Idle,
}

/// How a thread is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Insert {
    /// At its own place, last.
    Normal,
    /// First among equals; in the calendar, first in the next slot (`SRQ_PREEMPTED`).
    Preempted,
    /// With a lent priority; in the calendar, last in the next slot (`SRQ_BORROWING`).
    Borrowing,
}

/// The thread that a CPU runs next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chosen {
    pub(super) task: TaskId,
    /// The part in which it waits.
    pub(super) part: Part,
    /// Its slot, if that is the calendar.
    pub(super) slot: Option<u8>,
}

/// The queues of all CPUs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Queues {
    pub(super) lists: RunQueues,
    one_array: bool,
    min_batch: u8,
    slots: u8,
}

impl Queues {
    pub(super) fn new(era: &Era, cpus: usize) -> Self {
        let (queues, levels) = if era.one_array {
            (cpus, 256)
        } else {
            (3 * cpus, 64)
        };
        Self {
            lists: RunQueues::new(queues, levels),
            one_array: era.one_array,
            min_batch: era.min_batch,
            slots: era.slots,
        }
    }

    /// The part to which a priority belongs. In 2007 priorities between the real-time and timeshare ranges do not
    /// occur.
    pub(super) fn part(&self, pri: u8) -> Part {
        if pri < self.min_batch {
            Part::Realtime
        } else if pri < PRI_MIN_IDLE {
            Part::Timeshare
        } else {
            Part::Idle
        }
    }

    /// Queue and levels of a part.
    #[inline]
    fn levels(&self, cpu: CpuId, part: Part) -> (usize, std::ops::Range<usize>) {
        if self.one_array {
            let batch = usize::from(self.min_batch);
            let idle = usize::from(PRI_MIN_IDLE);
            let range = match part {
                Part::Realtime => 0..batch,
                Part::Timeshare => batch..batch + usize::from(self.slots),
                Part::Idle => idle..256,
            };
            (cpu.index(), range)
        } else {
            (3 * cpu.index() + part as usize, 0..64)
        }
    }

    fn level(&self, pri: u8) -> usize {
        usize::from(if self.one_array { pri } else { pri / 4 })
    }

    /// The part to which a place belongs, and the level or slot there.
    #[inline]
    fn within(&self, place: Place) -> (Part, usize) {
        let (cpu, part) = if self.one_array {
            let level = u8::try_from(place.level).unwrap_or(u8::MAX);
            (place.queue, self.part(level))
        } else {
            let parts = [Part::Realtime, Part::Timeshare, Part::Idle];
            (place.queue / 3, parts[place.queue % 3])
        };
        let (_, range) = self.levels(CpuId::new(cpu), part);
        (part, place.level - range.start)
    }

    /// The slot of the calendar that a place is, if it is one.
    #[inline]
    fn slot_at(&self, place: Place) -> Option<u8> {
        let (part, slot) = self.within(place);
        (part == Part::Timeshare).then(|| u8::try_from(slot).unwrap_or(0))
    }

    /// Slot of the calendar in which a thread waits.
    pub(super) fn slot(&self, task: TaskId) -> Option<u8> {
        self.slot_at(self.lists.place(task)?)
    }

    /// Part and list of a waiting thread, as numbers.
    pub(super) fn stands(&self, task: TaskId) -> (u8, u32) {
        self.lists.place(task).map_or((0, 0), |place| {
            let (part, level) = self.within(place);
            (part as u8, u32::try_from(level).unwrap_or(0))
        })
    }

    /// First priority, number of lists, and priorities per list, for a part that is ordered by priority. If the parts
    /// are arrays of their own, each begins with priority 0.
    pub(super) fn ladder(&self, part: Part) -> (u32, u32, u32) {
        let (_, range) = self.levels(CpuId(0), part);
        let number = |x: usize| u32::try_from(x).unwrap_or(0);
        let per_list = if self.one_array { 1 } else { 4 };
        (number(range.start), number(range.len()), per_list)
    }

    /// The first slot of the calendar that is not empty, beginning at `from` and going round the ring.
    #[inline]
    pub(super) fn first_slot(&self, cpu: CpuId, from: u8) -> Option<u8> {
        let (queue, range) = self.levels(cpu, Part::Timeshare);
        let start = range.start;
        let from = start + usize::from(from);
        let level = self.lists.first_level_round(queue, range, from)?;
        u8::try_from(level - start).ok()
    }

    /// The slots of the calendar that are not empty, beginning at `from` and going round the ring.
    pub(super) fn slots_round(&self, cpu: CpuId, from: u8) -> impl Iterator<Item = u8> + '_ {
        let (queue, range) = self.levels(cpu, Part::Timeshare);
        let (start, from) = (range.start, range.start + usize::from(from));
        let levels = self.lists.levels_in(queue, from, range.end);
        let before = self.lists.levels_in(queue, start, from);
        levels
            .chain(before)
            .map(move |level| u8::try_from(level - start).unwrap_or(0))
    }

    /// The threads of a slot.
    pub(super) fn in_slot(&self, cpu: CpuId, slot: u8) -> impl Iterator<Item = TaskId> + '_ {
        let (queue, range) = self.levels(cpu, Part::Timeshare);
        self.lists.level(queue, range.start + usize::from(slot))
    }

    /// The threads of a part that is ordered by priority, best first.
    pub(super) fn by_priority(&self, cpu: CpuId, part: Part) -> impl Iterator<Item = TaskId> + '_ {
        let (queue, range) = self.levels(cpu, part);
        self.lists.iter(queue, range.start, range.end)
    }

    /// `tdq_runq_add`. Returns the slot if the thread is in the calendar.
    pub(super) fn add(
        &mut self,
        era: &Era,
        hands: &Hands,
        cpu: CpuId,
        task: TaskId,
        pri: u8,
        how: Insert,
    ) -> Option<u8> {
        let part = self.part(pri);
        let (queue, range) = self.levels(cpu, part);
        if part == Part::Timeshare {
            let slot = hands.slot_for(era, pri, how);
            let level = range.start + usize::from(slot);
            if how == Insert::Preempted {
                self.lists.push_head(queue, level, task);
            } else {
                self.lists.push_tail(queue, level, task);
            }
            return Some(slot);
        }
        let level = self.level(pri);
        if how == Insert::Preempted {
            self.lists.push_head(queue, level, task);
        } else {
            self.lists.push_tail(queue, level, task);
        }
        None
    }

    /// `tdq_runq_rem`; the remove hand moves on if its slot has become empty.
    pub(super) fn remove(&mut self, era: &Era, hands: &mut Hands, cpu: CpuId, task: TaskId) {
        let place = self.lists.remove(task);
        if let Some(slot) = place.and_then(|place| self.slot_at(place)) {
            hands.removed(era, slot, |from| self.first_slot(cpu, from));
        }
    }

    /// Number of threads that wait for a CPU.
    pub(super) fn waiting(&self, cpu: CpuId) -> u64 {
        let first = self.levels(cpu, Part::Realtime).0;
        let queues = if self.one_array { 1 } else { 3 };
        (first..first + queues)
            .map(|queue| self.lists.len(queue) as u64)
            .sum()
    }

    /// `tdq_choose`: the thread that runs next.
    pub(super) fn choose(&self, hands: &Hands, cpu: CpuId) -> Option<Chosen> {
        self.best(cpu, Part::Realtime)
            .or_else(|| self.first_in_calendar(cpu, hands.ridx))
            .or_else(|| self.best(cpu, Part::Idle))
    }

    /// The first thread of a part that is ordered by priority.
    #[inline]
    fn best(&self, cpu: CpuId, part: Part) -> Option<Chosen> {
        let (queue, range) = self.levels(cpu, part);
        let level = self.lists.first_level(queue, range.start, range.end)?;
        let task = self.lists.head(queue, level)?;
        Some(Chosen {
            task,
            part,
            slot: None,
        })
    }

    /// The first thread of the calendar, beginning at a slot and going round the ring.
    #[inline]
    fn first_in_calendar(&self, cpu: CpuId, from: u8) -> Option<Chosen> {
        let (queue, range) = self.levels(cpu, Part::Timeshare);
        let start = range.start;
        let from = start + usize::from(from);
        let level = self.lists.first_level_round(queue, range, from)?;
        let task = self.lists.head(queue, level)?;
        Some(Chosen {
            task,
            part: Part::Timeshare,
            slot: u8::try_from(level - start).ok(),
        })
    }

    /// All threads that wait for a CPU, in the order in which it would take them if nothing changed.
    pub(super) fn all(&self, hands: &Hands, cpu: CpuId) -> impl Iterator<Item = TaskId> + '_ {
        let (ridx, slots) = (u32::from(hands.ridx), u32::from(self.slots));
        let calendar = (0..slots).flat_map(move |step| {
            let slot = u8::try_from((ridx + step) % slots).unwrap_or(0);
            self.in_slot(cpu, slot)
        });
        self.by_priority(cpu, Part::Realtime)
            .chain(calendar)
            .chain(self.by_priority(cpu, Part::Idle))
    }
}
