//! The event queue: ordered by time, class and sequence; every event can be cancelled.
//!
//! Each thing that can be due (a CPU's tick, a task's timer, …) has a slot and is due at most once. The queue is
//! therefore an indexed binary heap: rescheduling moves the entry, cancelling takes it out. Ticks and phase ends use
//! their CPU as sequence number, everything else a running number. The order of simultaneous events then depends
//! neither on how many quiet ticks were skipped nor on when speeds were computed.

use serde::{Deserialize, Serialize};
use sim_contract::TickTurns;
use sim_contract::flags::{MAX_TIMERS, TimerId};
use sim_ground::ids::{CpuId, TaskId};
use sim_ground::time::SimTime;

/// Something that can be due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A tick of a clock on a CPU.
    Tick(u8, CpuId),
    /// A task's start or the end of its sleep.
    Wake(TaskId),
    /// A timer of the scheduler.
    Timer(TimerId),
    /// The running task has done the work of its phase.
    PhaseEnd(CpuId),
    /// A CPU enters the scheduler.
    Resched(CpuId),
    /// The package has become warmer or cooler.
    Heat,
    /// The next arrival of a job.
    Job,
    /// The next edit of the log.
    Edit,
}

/// Most clocks that a scheduler may have.
pub(crate) const MAX_CLOCKS: usize = 3;
const TIMERS: usize = MAX_TIMERS as usize;
/// Slots of a CPU: its tick of each clock, end of phase, reschedule, timer of the scheduler.
const PER_CPU: usize = 3 + MAX_CLOCKS;
/// Slots before those of CPUs and tasks.
const FIXED: usize = 3 + TIMERS;
const ABSENT: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    at: SimTime,
    /// Class and sequence in one word: one comparison instead of two, because the heap compares often.
    order: u64,
    slot: u32,
}

/// Position of the class in [`Entry::order`].
const CLASS: u32 = 56;
/// In the class of ticks, where CPUs tick in turns: what follows from a tick at its instant comes before the next tick.
const TURN: u64 = 1 << 55;

impl Entry {
    /// Whether it comes before another entry. No two are equal: entries of one class differ in their sequence.
    #[inline]
    fn precedes(&self, other: &Self) -> bool {
        // Without branches, because the processor cannot predict which of two events is earlier.
        let key = |e: &Self| u128::from(e.at.0) << 64 | u128::from(e.order);
        key(self) < key(other)
    }
}

/// The queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct EventQueue {
    /// Not in snapshots: the clockwork knows it.
    #[serde(skip)]
    cpus: u32,
    heap: Vec<Entry>,
    /// Position of each slot in the heap.
    positions: Vec<u32>,
    next_seq: u64,
    /// Whether the first place of the heap is free (its entry is [`FREE`]): its event is being handled. What
    /// follows usually schedules another event, which then takes one way down the heap. Never true between two events.
    #[serde(skip)]
    first_is_free: bool,
}

/// The entry of a free place: no event comes before it.
const FREE: Entry = Entry {
    at: SimTime::ZERO,
    order: 0,
    slot: 0,
};

impl EventQueue {
    pub(crate) fn new(cpus: usize) -> Self {
        let fixed = FIXED + cpus * PER_CPU;
        Self {
            cpus: u32::try_from(cpus).unwrap_or(u32::MAX),
            heap: Vec::new(),
            positions: vec![ABSENT; fixed],
            next_seq: 0,
            first_is_free: false,
        }
    }

    pub(crate) fn set_cpus(&mut self, cpus: usize) {
        self.cpus = u32::try_from(cpus).unwrap_or(u32::MAX);
    }

    fn slot(&self, event: Event) -> usize {
        let cpus = self.cpus as usize;
        let base = FIXED;
        match event {
            Event::Edit => 0,
            Event::Heat => 1,
            Event::Job => 2,
            Event::Timer(i) if i < MAX_TIMERS => 3 + usize::from(i),
            Event::Timer(i) => base + cpus * 2 + usize::from(i - MAX_TIMERS),
            Event::PhaseEnd(cpu) => base + cpu.index(),
            Event::Resched(cpu) => base + cpus + cpu.index(),
            Event::Tick(clock, cpu) => base + cpus * (3 + usize::from(clock)) + cpu.index(),
            Event::Wake(task) => base + cpus * PER_CPU + task.index(),
        }
    }

    #[inline(always)]
    fn event(&self, slot: u32) -> Event {
        let cpus = self.cpus as usize;
        let slot = slot as usize;
        if slot == 0 {
            return Event::Edit;
        }
        if slot == 1 {
            return Event::Heat;
        }
        if slot == 2 {
            return Event::Job;
        }
        let base = FIXED;
        if slot < base {
            return Event::Timer(u16::try_from(slot - 3).unwrap_or(0));
        }
        // A loop is faster than a division, because there are few rows.
        let (mut row, mut column) = (0, slot - base);
        while row < PER_CPU && column >= cpus {
            (row, column) = (row + 1, column - cpus);
        }
        match row {
            0 => Event::PhaseEnd(CpuId::new(column)),
            1 => Event::Resched(CpuId::new(column)),
            2 => Event::Timer(MAX_TIMERS + CpuId::new(column).0),
            r if r < PER_CPU => Event::Tick(u8::try_from(r - 3).unwrap_or(0), CpuId::new(column)),
            _ => Event::Wake(TaskId::new(column)),
        }
    }

    #[inline]
    fn class(event: Event) -> u8 {
        match event {
            Event::Tick(..) => 0,
            Event::Wake(_) | Event::Job => 1,
            Event::Timer(_) => 2,
            Event::PhaseEnd(_) => 3,
            Event::Resched(_) => 4,
            Event::Heat => 5,
            Event::Edit => 6,
        }
    }

    /// Makes an event due at a time, and no longer at its earlier time.
    pub(crate) fn schedule(&mut self, event: Event, at: SimTime) {
        let seq = match event {
            Event::Tick(clock, cpu) => u64::from(cpu.0) << 8 | u64::from(clock),
            Event::PhaseEnd(cpu) => u64::from(cpu.0),
            _ => self.next_number(),
        };
        self.enter(event, at, u64::from(Self::class(event)) << CLASS | seq);
    }

    /// Schedules a tick. Where CPUs tick in turns, its place among the ticks of that instant (less than 2^48) decides.
    pub(crate) fn schedule_tick(
        &mut self,
        clock: u8,
        cpu: CpuId,
        at: SimTime,
        turns: Option<TickTurns>,
    ) {
        let tick = Event::Tick(clock, cpu);
        match turns {
            Some(turns) => {
                let order = TURN | turns.place(at, cpu) << 2 | u64::from(clock);
                self.enter(tick, at, order);
            }
            None => self.schedule(tick, at),
        }
    }

    /// Schedules an event that follows from a tick at its instant: it comes before the next turn.
    pub(crate) fn schedule_in_turn(&mut self, event: Event, at: SimTime) {
        let order = self.next_number();
        self.enter(event, at, order);
    }

    /// Skips a sequence number. An event that was due at once was handled directly; later events must have the same
    /// numbers as if it had been queued.
    pub(crate) fn skip_number(&mut self) {
        self.next_number();
    }

    fn next_number(&mut self) -> u64 {
        self.next_seq += 1;
        self.next_seq
    }

    /// Whether the next event is a tick or follows from one at its instant.
    pub(crate) fn first_is_of_a_turn(&self) -> bool {
        self.top().is_some_and(|e| e.order >> CLASS == 0)
    }

    /// Whether something that follows from a tick at this instant is due before the next turn.
    pub(crate) fn has_more_of_turn(&self, now: SimTime) -> bool {
        self.top().is_some_and(|e| e.at == now && e.order < TURN)
    }

    #[inline]
    fn enter(&mut self, event: Event, at: SimTime, order: u64) {
        let slot = self.slot(event);
        if slot >= self.positions.len() {
            self.positions.resize(slot + 1, ABSENT);
        }
        let entry = Entry {
            at,
            order,
            slot: u32::try_from(slot).unwrap_or(u32::MAX),
        };
        match self.positions[slot] {
            ABSENT if self.first_is_free => {
                self.first_is_free = false;
                self.heap[0] = entry;
                self.sift_down(0);
            }
            ABSENT => {
                self.heap.push(entry);
                self.sift_up(self.heap.len() - 1);
            }
            position => {
                self.replace(position as usize, entry);
            }
        }
    }

    /// Takes an event out, if it is due at all.
    #[inline(always)]
    pub(crate) fn cancel(&mut self, event: Event) {
        let slot = self.slot(event);
        let Some(&position) = self.positions.get(slot) else {
            return;
        };
        if position != ABSENT {
            self.remove(position as usize);
        }
    }

    /// When an event is due.
    #[inline(always)]
    pub(crate) fn due(&self, event: Event) -> Option<SimTime> {
        let position = *self.positions.get(self.slot(event))?;
        (position != ABSENT).then(|| self.heap[position as usize].at)
    }

    /// When the next event is due.
    #[inline]
    pub(crate) fn next_time(&self) -> Option<SimTime> {
        self.top().map(|e| e.at)
    }

    #[inline]
    fn top(&self) -> Option<&Entry> {
        if self.first_is_free {
            let below = self.heap.iter().skip(1).take(2);
            below.reduce(|a, b| if b.precedes(a) { b } else { a })
        } else {
            self.heap.first()
        }
    }

    /// Whether every position is that of its entry, the heap is valid, and nothing is due for a missing CPU or task or
    /// in the past. A snapshot from elsewhere may violate this.
    pub(crate) fn is_consistent(&self, cpus: usize, tasks: usize, now: SimTime) -> bool {
        let fixed = FIXED + cpus * PER_CPU;
        let due = self.positions.iter().filter(|p| **p != ABSENT).count();
        self.cpus as usize == cpus
            && (fixed..=fixed + tasks).contains(&self.positions.len())
            && due == self.heap.len()
            && self.heap.iter().enumerate().all(|(i, e)| {
                let parent = i.saturating_sub(1) / 2;
                let event = self.event(e.slot);
                let class = e.order >> CLASS;
                let in_turn = class == 0 && matches!(event, Event::Resched(_) | Event::Timer(_));
                e.at >= now
                    && (class == u64::from(Self::class(event)) || in_turn)
                    && self.positions.get(e.slot as usize).map(|p| *p as usize) == Some(i)
                    && !e.precedes(&self.heap[parent])
            })
    }

    /// The next event.
    pub(crate) fn first(&self) -> Option<(SimTime, Event)> {
        self.top().map(|e| (e.at, self.event(e.slot)))
    }

    /// Takes the next event. When it has been handled, [`EventQueue::close`] has to follow.
    pub(crate) fn pop(&mut self) -> Option<(SimTime, Event)> {
        self.close();
        let first = *self.heap.first()?;
        self.positions[first.slot as usize] = ABSENT;
        self.heap[0] = FREE;
        self.first_is_free = true;
        Some((first.at, self.event(first.slot)))
    }

    /// Fills the place of the event that was taken, if no new event has taken the place.
    #[inline]
    pub(crate) fn close(&mut self) {
        if std::mem::take(&mut self.first_is_free)
            && let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.heap[0] = last;
            self.sift_down(0);
        }
    }

    fn remove(&mut self, position: usize) {
        let removed = self.heap[position].slot;
        self.positions[removed as usize] = ABSENT;
        if let Some(last) = self.heap.pop()
            && position < self.heap.len()
        {
            self.replace(position, last);
        }
    }

    /// Puts an entry in the place of another, then moves it to where it belongs.
    fn replace(&mut self, position: usize, entry: Entry) {
        let later = self.heap[position].precedes(&entry);
        self.heap[position] = entry;
        if later {
            self.sift_down(position);
        } else {
            self.sift_up(position);
        }
    }

    #[inline]
    fn put(&mut self, position: usize, entry: Entry) {
        self.heap[position] = entry;
        self.positions[entry.slot as usize] = u32::try_from(position).unwrap_or(ABSENT);
    }

    /// Moves an entry up. The entry is written once, at the end; until then its place is a hole.
    fn sift_up(&mut self, mut position: usize) {
        let entry = self.heap[position];
        while position > 0 {
            let parent = (position - 1) / 2;
            let above = self.heap[parent];
            if !entry.precedes(&above) {
                break;
            }
            self.put(position, above);
            position = parent;
        }
        self.put(position, entry);
    }

    fn sift_down(&mut self, mut position: usize) {
        let entry = self.heap[position];
        loop {
            let right = 2 * position + 2;
            let child = if right < self.heap.len() {
                right - usize::from(self.heap[right - 1].precedes(&self.heap[right]))
            } else if right == self.heap.len() {
                right - 1
            } else {
                break;
            };
            let below = self.heap[child];
            if !below.precedes(&entry) {
                break;
            }
            self.put(position, below);
            position = child;
        }
        self.put(position, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_ground::rng::Rng;

    /// Co-simulation with a sorted vector.
    #[test]
    fn events_come_in_the_order_of_time_class_and_sequence() {
        let mut rng = Rng::stream(5, "events", 0);
        let mut queue = EventQueue::new(4);
        let mut naive: Vec<(SimTime, u8, u64, Event)> = Vec::new();
        let mut seq = 0;
        for _ in 0..20_000 {
            let cpu = CpuId(u16::try_from(rng.below(4)).expect("small"));
            let event = match rng.below(9) {
                0 => Event::Tick(1, cpu),
                1 => Event::Wake(TaskId(rng.below(9))),
                2 => Event::Timer(1),
                3 => Event::PhaseEnd(cpu),
                4 => Event::Resched(cpu),
                5 => Event::Timer(MAX_TIMERS + cpu.0),
                6 => Event::Heat,
                7 => Event::Job,
                _ => Event::Edit,
            };
            match rng.below(4) {
                0 => {
                    let expected = naive.iter().min_by_key(|e| (e.0, e.1, e.2)).copied();
                    let got = queue.pop();
                    assert_eq!(got, expected.map(|e| (e.0, e.3)));
                    naive.retain(|e| Some(e.3) != got.map(|g| g.1));
                }
                1 => {
                    queue.cancel(event);
                    naive.retain(|e| e.3 != event);
                }
                _ => {
                    let at = SimTime(u64::from(rng.below(50)));
                    queue.schedule(event, at);
                    naive.retain(|e| e.3 != event);
                    let key = if let Event::Tick(_, cpu) | Event::PhaseEnd(cpu) = event {
                        u64::from(cpu.0)
                    } else {
                        seq += 1;
                        seq
                    };
                    naive.push((at, EventQueue::class(event), key, event));
                    assert_eq!(queue.due(event), Some(at));
                }
            }
            let next = naive.iter().min_by_key(|e| (e.0, e.1, e.2));
            assert_eq!(queue.first(), next.map(|e| (e.0, e.3)));
            if rng.below(3) == 0 {
                queue.close();
                // Random times may lie before events that were already taken.
                assert!(queue.is_consistent(4, 9, SimTime::ZERO));
            }
        }
    }
}
