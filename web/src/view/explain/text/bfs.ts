/**
 * BFS in words. The rules follow `kernel/sched_bfs.c`: one queue for all CPUs, the earliest virtual
 * deadline first, idle CPUs found by a ranking when a thread wakes, and nothing that would move a
 * running thread later.
 */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const BFS: Wordings = {
  idle_core: (s) =>
    `${s.who} wakes. ${s.where} is the best idle CPU: no other thread of its core is busy. It is signalled; whoever is first in the queue when it arrives will run there.`,
  idle_sibling: (s) =>
    `${s.who} wakes. No core is wholly idle, so an idle CPU beside a busy sibling must do: ${s.where} is signalled.`,
  global_queue: (s) =>
    `${s.who} wakes and no CPU that it may use is idle. It waits in the one queue.`,
  pinned: (s) => `${s.who} may only run on ${s.where}.`,
  only_task: (s) => `${s.who} was the only waiting thread that ${s.where} may run.`,
  earliest_deadline: (s) =>
    `Of all waiting threads ${s.who} has the earliest virtual deadline, the distance to its last CPU included, so ${s.where} takes it. Whether the sibling is busy is not asked here.`,
  deadline_passed_fifo: (s) =>
    `The deadline of ${s.who} has passed. Among such threads the first in the queue is taken at once, whoever is more overdue; ${s.where} takes it.`,
  realtime_queue_first: (s) =>
    `${s.who} is in a more urgent list than the normal one; ${s.where} looks there first.`,
  idle: (s) =>
    `The queue holds nothing that ${s.where} may run, so it goes idle. It will not look for work again until it is signalled.`,
  latest_deadline_victim: (s) =>
    `${s.who} wakes with an earlier deadline than every running thread’s latest: ${s.where}, whose thread has the latest deadline, is told to reschedule.`,
  higher_prio: (s) => `${s.who} has the better priority, so ${s.where} is told to reschedule.`,
  deadline_not_earlier: (s) =>
    `${s.who} wakes, but its deadline is not before the latest deadline among the running threads (${s.where}). Nobody is preempted.`,
  lower_prio: (s) => `${s.who} has the worse priority. Nobody is preempted.`,
  sync_wakeup: (s) =>
    `The waker of ${s.who} is about to sleep (a sync wake-up) and no CPU is idle, so nobody is preempted for it.`,
  already_signalled: (s) =>
    `${s.where} is signalled already and counts as idle until it has rescheduled. No second signal is sent for ${s.who}.`,
  slice_expired: (s) =>
    `The slice of ${s.who} was used up when the tick came. It gets a full slice and a new deadline, and must stand in the queue like everybody else.`,
  alone_on_cpu: (s) =>
    `The slice of ${s.who} was used up, but the queue holds nobody for ${s.where}: it goes on with a new deadline.`,
  yielded: (s) => `${s.who} gave up ${s.where}; slice and deadline stay as they are.`,
  global_pick: (s) =>
    `${s.where} took ${s.who} from the one queue. The queue belongs to no CPU, so the thread moves to whichever asks first. BFS never moves it back by itself.`,
  wake_placement: (s) =>
    `${s.who} woke and was given to ${s.where}, not to the CPU where it last ran.`,
};
