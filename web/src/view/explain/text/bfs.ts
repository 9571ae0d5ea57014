/**
 * BFS in words. The rules follow `kernel/sched_bfs.c`: one queue for all CPUs, the earliest virtual
 * deadline first, idle CPUs found by a ranking when a thread wakes, and nothing that would move a
 * running thread later. 0.318 counts deadlines in jiffies (ticks), later releases in ns; they are shown as times.
 */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const BFS: Wordings = {
  idle_core: (s) =>
    `${s.who} is runnable. Of ${s.op('idle CPUs allowed')} ${s.where} ranks best (${s.op('rank')}, lower is better): its whole core is idle. It is signalled, and runs whoever the queue gives it when it arrives.`,
  idle_sibling: (s) =>
    `${s.who} is runnable and no core that it may use is wholly idle. The best idle CPU is ${s.where} (rank ${s.op('rank')}), beside a busy sibling. It is signalled.`,
  last_cpu_idle: (s) =>
    `${s.who} is runnable and ${s.where}, where it last ran, is idle. It is taken at once, whatever runs beside it on the core.`,
  displaced_task_told: (s) =>
    `${s.who} has to leave its CPU. ${s.where} is idle (rank ${s.op('rank')}) and is signalled for it.`,
  unstuck_task_told: (s) =>
    `Another thread sticks to ${s.who}'s CPU now, so ${s.who} may go elsewhere: ${s.where} is idle and is signalled for it.`,
  smt_nice_refused: (s) =>
    `${s.where} is idle, but ${s.who} (bias ${s.op('its bias')}) would slow what runs beside it on the core (bias ${s.op('bias of the sibling')}). SMT nice keeps it off.`,
  already_signalled: (s) =>
    `${s.who} is runnable and ${s.where} ranks best, but it was signalled before and has not come to the queue yet. It counts as idle until then; no second signal is sent.`,
  latest_deadline_victim: (s) =>
    `No CPU that ${s.who} may use is idle. It has the earlier deadline (${s.op('its deadline')}); ${s.where} runs the thread with the latest (${s.op('deadline of the victim')}) and is told to reschedule.`,
  closest_victim: (s) =>
    `No idle CPU takes ${s.who}. ${s.where} is the closest to its last one that runs a later deadline (${s.op('deadline of the victim')} against ${s.op('its deadline')}) and is told to reschedule.`,
  higher_prio: (s) =>
    `${s.who} has the better priority (${s.op('its prio')} before ${s.op('prio of the victim')}), so ${s.where} is told to reschedule.`,
  child_runs_first: (s) =>
    `${s.who} is a new process whose parent runs on ${s.where}, and no CPU is idle: the parent is told to reschedule. Both have the same deadline, so the place in the list decides.`,
  parent_spent: (s) =>
    `The parent of ${s.who} has too little of its slice left for two: it is told to reschedule, and the child gets a slice of its own (${s.op('slice of the child')}).`,
  forbidden_here: (s) => `${s.who} may no longer use ${s.where}, which is told to reschedule.`,
  deadline_not_earlier: (s) =>
    `${s.who} is runnable, but its deadline (${s.op('its deadline')}) is not before the latest among the running threads that it could replace (${s.op('latest deadline running')}). Nobody is preempted.`,
  nobody_later: (s) =>
    `${s.who} is runnable, but no CPU that it may use runs a later deadline than its own (${s.op('its deadline')}; the closest runs ${s.op('deadline on the closest CPU')}). Nobody is preempted.`,
  idleprio_preempts_nobody: (s) =>
    `${s.who} has the idle priority and no CPU is idle. It preempts nobody and waits.`,
  lower_prio: (s) =>
    `${s.who} has the worse priority (${s.op('its prio')} against ${s.op('worst prio running')}). Nobody is preempted.`,
  sync_wakeup: (s) =>
    `The waker of ${s.who} is about to sleep (a sync wake-up) and no CPU that it may use is idle, so nobody is preempted for it.`,
  earliest_deadline: (s) =>
    `${s.where} takes ${s.who}: the earliest deadline of ${s.op('waiting')} waiting, the distance from its last CPU added. Whether the sibling of ${s.where} is busy is not asked.`,
  earliest_not_sticky: (s) =>
    `${s.where} takes ${s.who}. Somebody has an earlier deadline, but sticks to another CPU: there its deadline counts as it is, here it is doubled with each step of distance.`,
  earliest_beside_sibling: (s) =>
    `${s.where} takes ${s.who}: the earliest deadline among those that SMT nice allows beside what runs on the core's other thread.`,
  deadline_passed_fifo: (s) =>
    `${s.where} takes ${s.who}: its deadline (${s.op('deadline')}) has passed, and among such threads the first in the queue wins, however overdue the others are.`,
  realtime_queue_first: (s) =>
    `${s.where} takes ${s.who} from a more urgent list (priority ${s.op('prio')}) than the normal one.`,
  only_task: (s) => `${s.where} takes ${s.who}, the only waiting thread.`,
  nothing_allowed: (s) =>
    `${s.op('waiting')} wait, but none of them may run on ${s.where}. It goes idle and looks again only when it is signalled.`,
  sticky_elsewhere: (s) =>
    `${s.op('waiting')} wait, but they stick to other CPUs, and ${s.where} runs below full speed: it leaves them alone and goes idle.`,
  smt_nice_idle: (s) =>
    `${s.op('waiting')} wait, but SMT nice lets none of them run beside what the core's other thread runs (bias ${s.op('bias of the sibling')}). ${s.where} goes idle.`,
  slice_expired: (s) =>
    `The slice of ${s.who} was found used up (${s.op('slice left')}). It gets ${s.op('new slice')} and the deadline ${s.op('new deadline')}, and stands in the queue with everybody else.`,
  alone_on_cpu: (s) =>
    `The slice of ${s.who} was found used up (${s.op('slice left')}), but nobody waits: it goes on, with the deadline ${s.op('new deadline')}.`,
  batch_refilled: (s) =>
    `${s.who} is a batch thread: whenever it has to leave it gets a new slice and a later deadline (${s.op('new deadline')}).`,
  dithered: (s) =>
    `The slice of ${s.who} ends now with ${s.op('slice left')} left: it was switched in during the first half of a tick, and less than half a tick (${s.op('half a tick')}) would end in the second half of the next.`,
  yielded: (s) => `${s.who} gave up ${s.where}; slice and deadline stay as they are.`,
  iso_refractory: () =>
    'The isochronous threads have used their share of all CPUs (70 %) and are treated as normal ones until it has fallen again.',
  iso_allowed: (s) =>
    `The share of isochronous threads has fallen far enough (${s.op('iso_ticks')} counted): they come before normal ones again.`,
  adjust_deadline: (s) =>
    `${s.who} has nice ${s.op('nice')} instead of ${s.op('nice before')}: its deadline moves from ${s.op('deadline before')} to ${s.op('deadline')}.`,
  adjusted_in_vain: (s) =>
    `${s.who} has nice ${s.op('nice')} instead of ${s.op('nice before')}, but it is running: the deadline ${s.op('deadline')} is overwritten by the CPU's own copy of ${s.op('deadline before')}, and the new nice counts from its next slice on.`,
  slice_shared: (s) =>
    `${s.who} is forked and takes the deadline of its parent (${s.op('its deadline')}). What the parent had of its slice is divided: ${s.op('slice of the child')} for the child, ${s.op('slice of the parent')} for the parent.`,
  slice_returned: (s) =>
    `A child of ${s.who} has ended in its first slice: ${s.op('returned')} go back to ${s.who}, which has ${s.op('slice of the parent')} now.`,
  wake_placement: (s) =>
    `${s.who} now runs on ${s.where}, which was signalled for it when it woke: it was not the CPU where it last ran.`,
  global_pick: (s) =>
    `${s.where} took ${s.who} from the one queue. The queue belongs to no CPU, so a thread moves to whichever asks first; BFS never moves it back by itself.`,
};
