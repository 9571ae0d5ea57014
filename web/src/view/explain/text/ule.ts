/**
 * ULE in words. The rules follow `kern/sched_ule.c`: a queue for each CPU, interactive threads before all
 * others, a calendar for those, slices that end at ticks of the statistics clock, a balancer about once a
 * second. Lower numbers are better priorities.
 */
import type { Wordings } from '../reasons';

/** Sentences by reason code. */
export const ULE: Wordings = {
  pickcpu_idle_affinity: (s) =>
    `${s.who} goes back to ${s.where}, where it last ran: that CPU is idle.`,
  pickcpu_affinity_last: (s) =>
    `${s.who} goes back to ${s.where}: it left so recently that its cache counts as warm, and its priority ${s.op('priority')} is better than all there (${s.op('lowpri')}).`,
  pickcpu_affinity: (s) =>
    `${s.who} goes to ${s.where}: among the CPUs that share a cache in which it still counts as warm this one suits best (load ${s.op('load')}).`,
  pickcpu_lowest: (s) =>
    `${s.who} goes to ${s.where}, the least loaded CPU of the machine that qualifies (load ${s.op('load')}, best priority there ${s.op('lowpri')}).`,
  pickcpu_local: (s) =>
    `${s.who} stays on ${s.where}, the CPU of whoever woke it: with priority ${s.op('priority')} it is the best there, and no CPU was found idle.`,
  pickcpu_intrbind: (s) =>
    `${s.who} is an interrupt thread and stays near ${s.where}, which took the interrupt.`,
  pinned: (s) => `${s.who} is bound to ${s.where}, or there is no other CPU.`,
  idle_mask: (s) => `${s.who} goes to ${s.where}, the first idle CPU of the mask.`,
  tryself: (s) =>
    `No CPU is idle. ${s.who} (priority ${s.op('priority')}) is better than what runs on ${s.where}, the waker's CPU, and goes there.`,
  pick_pri: (s) =>
    `No CPU is idle. ${s.who} goes to ${s.where}, which runs the worst priority (${s.op('lowpri')}).`,
  local_resched: (s) =>
    `${s.who} (priority ${s.op('its priority')}) is better than what runs on ${s.where} (${s.op('priority of what runs')}). The reschedule flag is set: the running thread leaves when it returns to user mode.`,
  owe_preempt: (s) =>
    `${s.who} (priority ${s.op('its priority')}) preempts on ${s.where} at once, even inside the kernel: it is at or below the threshold ${s.op('preempt_thresh')}, or the CPU idles.`,
  remote_idle: (s) => `${s.where} is idle and is woken for ${s.who}.`,
  remote_preempt: (s) =>
    `${s.where} gets an interrupt: ${s.who} (priority ${s.op('its priority')}) may preempt what runs there (${s.op('priority of what runs')}).`,
  not_better: (s) =>
    `${s.who} (priority ${s.op('its priority')}) is not better than what runs on ${s.where} (${s.op('priority of what runs')}). It waits.`,
  above_thresh: (s) =>
    `${s.who} (priority ${s.op('its priority')}) is better than what runs on ${s.where}, but not good enough to preempt another CPU: the threshold is ${s.op('preempt_thresh')}. It waits.`,
  ipi_pending: (s) =>
    `${s.where} has been signalled already and will see ${s.who} when the interrupt arrives.`,
  realtime_queue: (s) =>
    `${s.where} takes ${s.who} (priority ${s.op('priority')}): the queue of interactive and better threads comes before everything else.`,
  calendar: (s) =>
    `${s.where} takes ${s.who} from slot ${s.op('slot')} of the calendar, the first that is not empty from the remove hand (${s.op('ridx')}) on.`,
  idle_class: (s) => `${s.where} has nothing but the idle class and takes ${s.who}.`,
  slice_end: (s) =>
    `The slice of ${s.who} is used up: ${s.op('slice')} with ${s.op('sysload')} on ${s.where}. Its priority becomes ${s.op('user priority')}.`,
  yielded: (s) =>
    `${s.who} yields ${s.where}. With priority ${s.op('priority')} it is put into the queue like any other.`,
  yield_demoted: (s) =>
    `${s.who} yields ${s.where}. In this release that costs it the worst priority of time sharing, ${s.op('priority')}: it goes behind all others in the calendar.`,
  kept: (s) =>
    `${s.where} was told to look again and keeps ${s.who}: nobody who waits there is better than ${s.op('its priority')} (best: ${s.op('lowpri')}).`,
  forbidden_here: (s) =>
    `${s.who} may no longer use ${s.where} and has to leave it on its way back to user mode.`,
  requeued_first: (s) =>
    `${s.who} had to leave ${s.where} before its time and goes first in the slot that comes next (${s.op('slot')}).`,
  requeued: (s) =>
    `${s.who} goes to the end of its own place: priority ${s.op('priority')}, slot ${s.op('slot')}, counted from the insert hand (${s.op('idx')}).`,
  interactive: (s) =>
    `${s.who} counts as interactive now: its score ${s.op('score')} is below ${s.op('threshold')}. Priority ${s.op('priority')}.`,
  batch: (s) =>
    `${s.who} counts as batch now: its score ${s.op('score')} is not below ${s.op('threshold')}. Priority ${s.op('priority')}, from CPU use and nice.`,
  static_boost: (s) =>
    `${s.who} goes to sleep and gets priority ${s.op('priority')} for its way back, instead of ${s.op('before')}.`,
  back_to_user_priority: (s) =>
    `${s.who} is back in user mode: its priority is ${s.op('priority')} instead of ${s.op('before')}, which it had for the way here. Its score is ${s.op('score')}; below ${s.op('threshold')} counts as interactive.`,
  fork_history: (s) =>
    `${s.who} is forked and keeps at most half a second of its parent's history: ${s.op('it ran')} run and ${s.op('it slept')} slept (the parent: ${s.op('parent ran')} and ${s.op('parent slept')}).`,
  thread_history: (s) =>
    `${s.who} is a new thread of its process and begins with its creator's whole history: ${s.op('it ran')} run and ${s.op('it slept')} slept, score ${s.op('score')}.`,
  fork_charged: (s) =>
    `${s.who} has forked and is charged ${s.op('charged')} for it: ${s.op('it ran')} run and ${s.op('it slept')} slept make score ${s.op('score')}.`,
  exit_charged: (s) =>
    `A child of ${s.who} has ended and leaves it the ${s.op('charged')} that it ran: ${s.op('it ran')} run and ${s.op('it slept')} slept make score ${s.op('score')}.`,
  reniced: (s) =>
    `Nice ${s.op('nice')} gives ${s.who} priority ${s.op('priority')} (before: ${s.op('before')}). A waiting thread changes its place only if it got better.`,
  idle_steal: (s) =>
    `${s.where} is idle and takes ${s.who} from cpu ${s.op('victim')}, the most loaded CPU that it may rob: ${s.op('load of the victim')}, at least ${s.op('threshold')} are needed.`,
  trysteal: (s) =>
    `${s.where} has run out of threads and takes ${s.who} from cpu ${s.op('victim')} nearby before it goes idle (${s.op('load of the victim')} there, at least ${s.op('threshold')} are needed).`,
  steal_failed: (s) =>
    `${s.where} is idle and looked at cpu ${s.op('victim')} (${s.op('load of the victim')}), but no thread there may leave for it now.`,
  no_victim: (s) =>
    `${s.where} is idle and finds nobody to take a thread from: cpu ${s.op('most loaded')} has most (${s.op('its load')}, of which ${s.op('transferable')} wait and may move), and ${s.op('threshold')} are needed.`,
  steal_off: (s) =>
    `${s.where} is idle and takes nothing: steal_idle is 0. Cpu ${s.op('most loaded')} has ${s.op('its load')}.`,
  balance_run: (s) => `The balancer runs. The next time is in ${s.op('next in')}.`,
  balance_move: (s) =>
    `The balancer moves ${s.who} from cpu ${s.op('from')} (${s.op('its load')}) to ${s.where} (${s.op('load here')}).`,
  balance_nothing: (s) =>
    `The balancer found no thread on cpu ${s.op('from')} (${s.op('its load')}) that may move to ${s.where}.`,
  balance_even: (s) =>
    `The balancer moves nothing: cpu ${s.op('most loaded')} has most (${s.op('its load')}, of which ${s.op('transferable')} wait and may move), the least loaded CPU has ${s.op('least load')}.`,
  balance_lone: (s) =>
    `No CPU has two threads. The balancer tells ${s.who}, alone on ${s.where}, to choose a CPU again.`,
  placed: (s) => `${s.who} was placed on ${s.where} when it became runnable.`,
  stolen: (s) => `${s.where} was idle and took ${s.who}.`,
  balanced: (s) => `The balancer moved ${s.who} to ${s.where}.`,
  repicked: (s) =>
    `${s.who} was alone on its CPU; the balancer told it to choose again, and it went to ${s.where}.`,
  must_leave: (s) => `${s.who} may no longer use the CPU where it was and went to ${s.where}.`,
};
