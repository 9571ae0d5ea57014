/**
 * BFS in words. The rules follow `kernel/sched_bfs.c`: one queue for all CPUs, the earliest virtual
 * deadline first, idle CPUs found by a ranking when a thread wakes, and nothing that would move a
 * running thread later. Deadlines are counted in jiffies (ticks) in the 0.31x releases.
 */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const BFS: Wordings = {
  idle_core: (s) =>
    `${s.who} is runnable. Of ${s.op('idle CPUs allowed')} ${s.where} ranks best (${s.op('rank')}, lower is better): its whole core is idle. It is signalled, and runs whoever the queue gives it when it arrives.`,
  idle_sibling: (s) =>
    `${s.who} is runnable and no core that it may use is wholly idle. The best idle CPU is ${s.where} (rank ${s.op('rank')}), beside a busy sibling. It is signalled.`,
  already_signalled: (s) =>
    `${s.who} is runnable and ${s.where} ranks best, but it was signalled before and has not come to the queue yet. It counts as idle until then; no second signal is sent.`,
  latest_deadline_victim: (s) =>
    `No CPU that ${s.who} may use is idle. It has the earlier deadline (${s.op('its deadline')}); ${s.where} runs the thread with the latest (${s.op('deadline of the victim')}) and is told to reschedule.`,
  higher_prio: (s) =>
    `${s.who} has the better priority (${s.op('its prio')} before ${s.op('prio of the victim')}), so ${s.where} is told to reschedule.`,
  child_runs_first: (s) =>
    `${s.who} was forked by a parent whose slice was used up: the parent is told to reschedule and the child comes first.`,
  deadline_not_earlier: (s) =>
    `${s.who} is runnable, but its deadline (${s.op('its deadline')}) is not before the latest among the running threads that it could replace (${s.op('latest deadline running')}). Nobody is preempted.`,
  lower_prio: (s) =>
    `${s.who} has the worse priority (${s.op('its prio')} against ${s.op('worst prio running')}). Nobody is preempted.`,
  sync_wakeup: (s) =>
    `The waker of ${s.who} is about to sleep (a sync wake-up) and no CPU that it may use is idle, so nobody is preempted for it.`,
  earliest_deadline: (s) =>
    `${s.where} takes ${s.who}: the earliest deadline of ${s.op('waiting')} waiting, the distance from its last CPU added. Whether the sibling of ${s.where} is busy is not asked.`,
  deadline_passed_fifo: (s) =>
    `${s.where} takes ${s.who}: its deadline (${s.op('deadline')}) has passed, and among such threads the first in the queue wins, however overdue the others are.`,
  realtime_queue_first: (s) =>
    `${s.where} takes ${s.who} from a more urgent list (priority ${s.op('prio')}) than the normal one.`,
  only_task: (s) => `${s.where} takes ${s.who}, the only waiting thread.`,
  nothing_allowed: (s) =>
    `${s.op('waiting')} wait, but none of them may run on ${s.where}. It goes idle and looks again only when it is signalled.`,
  slice_expired: (s) =>
    `The slice of ${s.who} was found used up (${s.op('slice left')}). It gets ${s.op('new slice')} and the deadline ${s.op('new deadline')}, and stands in the queue with everybody else.`,
  alone_on_cpu: (s) =>
    `The slice of ${s.who} was found used up (${s.op('slice left')}), but nobody waits: it goes on, with the deadline ${s.op('new deadline')}.`,
  yielded: (s) => `${s.who} gave up ${s.where}; slice and deadline stay as they are.`,
  iso_refractory: () =>
    'The isochronous threads have used their share of all CPUs (70 %) and are treated as normal ones until it has fallen again.',
  wake_placement: (s) =>
    `${s.who} now runs on ${s.where}, which was signalled for it when it woke: it was not the CPU where it last ran.`,
  global_pick: (s) =>
    `${s.where} took ${s.who} from the one queue. The queue belongs to no CPU, so a thread moves to whichever asks first; BFS never moves it back by itself.`,
};
