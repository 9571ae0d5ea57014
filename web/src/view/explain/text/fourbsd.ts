/**
 * 4BSD in words. The rules follow `sched_4bsd.c`: one run queue for all CPUs, priorities from the CPU
 * time used lately (estcpu) and nice, idle CPUs signalled all at once, and a comparison only with what
 * runs on the CPU where a thread becomes runnable. Smaller priority numbers are better.
 */
import type { Said, Wordings } from '../reasons';

const many = (s: Said, name: string) => s.num(name) !== 1;

/** Sentences by reason code. */
export const FOURBSD: Wordings = {
  forward_wakeup: (s) =>
    `${s.who} (priority ${s.op('its priority')}) is queued and ${s.op('idle CPUs signalled')} ${many(s, 'idle CPUs signalled') ? 'stand' : 'stands'} idle: all of them are woken at once. ${s.where} is the first to come, and takes whoever is best then. The CPU where this happened compares nothing.`,
  all_on_their_way: (s) =>
    `${s.who} (priority ${s.op('its priority')}) is queued. All ${s.op('idle CPUs signalled')} that are idle have been woken before and are on their way: the first to come finds it.`,
  next_of_the_woken: (s) =>
    `All idle CPUs had been woken. The one that came first has taken a thread and ${s.op('waiting')} still wait: ${s.where} finds the next.`,
  left_to_clock: (s) =>
    `${s.who} is queued while ${s.op('idle CPUs')} stand idle, but waking them is switched off: they find it at their next clock interrupt.`,
  found_at_clock: (s) =>
    `A clock interrupt let idle ${s.where} look at the queues: ${s.op('waiting')} wait.`,
  sched_pickcpu: (s) =>
    `${s.who} may not use every CPU, so it waits in the queue of one of its own: ${s.where}, with ${s.op('waiting there')} waiting. Only the lengths of these queues count, not what runs.`,
  kick_idle_cpu: (s) =>
    `${s.who} (priority ${s.op('its priority')}) was queued to ${s.where}, which is idle and is woken.`,
  kick_other_cpu: (s) =>
    `${s.who} was queued to ${s.where}. Its priority ${s.op('its priority')} is better than ${s.op('priority of what runs')}, so what runs there has to leave on its way back to user mode.`,
  kick_not_better: (s) =>
    `${s.who} was queued to ${s.where}. Its priority ${s.op('its priority')} is no better than ${s.op('priority of what runs')}, so it waits.`,
  maybe_preempt: (s) =>
    `${s.who} preempts what runs on ${s.where} in the kernel: priority ${s.op('its priority')} against ${s.op('priority of what runs')}. Only interrupt threads may do that, or anybody to the idle class.`,
  maybe_resched: (s) =>
    `${s.who} has priority ${s.op('its priority')}, better than ${s.op('priority of what runs')} on ${s.where}, where it became runnable. What runs there leaves on its way back to user mode. Nobody looked at what other CPUs run.`,
  not_better: (s) =>
    `${s.who} has priority ${s.op('its priority')}, no better than ${s.op('priority of what runs')} on ${s.where}, where it became runnable. It waits, whatever other CPUs run.`,
  stays_queued: (s) =>
    `The CPUs that ${s.who} may use have changed. It waits at one of them already and stays there (priority ${s.op('its priority')}).`,
  softclock_waits: (s) =>
    `The clock's interrupt thread waits: ${s.who}, an interrupt thread too, runs on ${s.where} (priority ${s.op('priority of what runs')}), and they do not preempt each other. The woken thread has priority ${s.op('priority of the woken')}.`,
  softclock: (s) =>
    `The clock's interrupt thread preempts ${s.who} (priority ${s.op('priority of what runs')}) on ${s.where} to end a sleep. When it is done, ${s.where} takes the best thread that waits; the woken one has priority ${s.op('priority of the woken')}.`,
  schedcpu_runs: (s) =>
    `The kernel process that lets estcpu decay runs on ${s.where} once a second and preempts ${s.who} for a moment.`,
  forbidden_cpu: (s) =>
    `${s.who} may no longer use ${s.where}. The code signals the lowest forbidden CPU, which need not be its own; it leaves within ${s.op('until it leaves')}.`,
  global_queue: (s) =>
    `${s.where} takes ${s.who}: the first of the best list of the one queue (priority ${s.op('priority')}, list ${s.op('list')}, ${s.op('waiting')} waiting). Where it ran before is not asked.`,
  own_queue: (s) =>
    `${s.where} takes ${s.who} from its own queue, where limited threads wait: priority ${s.op('priority')} is better than anything in the global queue.`,
  runq_fuzz: (s) =>
    `${s.where} takes ${s.who}, number ${s.op('place in the list')} behind the head of list ${s.op('list')}: it last ran here, and runq_fuzz lets the CPU look that far.`,
  same_again: (s) =>
    `${s.where} put ${s.who} back and takes it again: nobody who waits has a better list (priority ${s.op('priority')}, ${s.op('waiting')} waiting, itself included).`,
  quantum_end: (s) =>
    `The quantum of ${s.who} is over (${s.op('used')} of ${s.op('quantum')}). It goes to the tail of its list, and the best head is taken, possibly itself. Its estcpu is ${s.op('estcpu')}.`,
  yield_to_tail: (s) =>
    `${s.who} yields ${s.where}: to the tail of list ${s.op('list')}, priority unchanged.`,
  yield_to_head: (s) =>
    `${s.who} yields ${s.where}, but in this release it goes to the head of list ${s.op('list')} because its slice is not used up: among equals the yield does nothing.`,
  back_to_head: (s) =>
    `${s.who} has to leave ${s.where} and waits at the head of list ${s.op('list')} (priority ${s.op('priority')}).`,
  back_to_tail: (s) =>
    `${s.who} has to leave ${s.where} and waits at the tail of list ${s.op('list')} (priority ${s.op('priority')}).`,
  sleep_priority: (s) =>
    `${s.who} goes to sleep and gets priority ${s.op('new priority')} for its way back, better than any thread in user mode (its own there: ${s.op('user priority')}).`,
  back_to_user_priority: (s) =>
    `${s.who} is back in user mode: priority ${s.op('new priority')} again instead of ${s.op('old priority')}, from estcpu ${s.op('estcpu')} and nice. Nothing is compared anew, so it keeps ${s.where}.`,
  interrupt_thread_restored: (s) =>
    `Interrupt thread ${s.who} is woken and has priority ${s.op('new priority')} again instead of ${s.op('old priority')}.`,
  resetpriority: (s) =>
    `${s.who} has used CPU time: estcpu ${s.op('estcpu')} makes priority ${s.op('new priority')} of ${s.op('old priority')}.`,
  sched_nice: (s) =>
    `${s.who} has nice ${s.op('nice')} now: priority ${s.op('new priority')} instead of ${s.op('old priority')}.`,
  decayed: (s) =>
    `The estcpu of ${s.who} decays from ${s.op('estcpu before')} to ${s.op('estcpu')}: priority ${s.op('new priority')} instead of ${s.op('old priority')}.`,
  updatepri: (s) =>
    `${s.who} slept through ${s.op('asleep')}: its estcpu of ${s.op('estcpu before')} is ${s.op('estcpu')} now, priority ${s.op('new priority')}.`,
  relisted: (s) =>
    `The new priority ${s.op('new priority')} moves ${s.who} from list ${s.op('old list')} to the tail of list ${s.op('new list')}.`,
  schedcpu: (s) =>
    `Once a second all estcpu decay: the more, the lower the load average (now ${(s.num('load average') / 2048).toFixed(2)}). Of ${s.op('threads')} ${s.op('priorities changed')} have a new priority; ${s.op('moved to another list')} changed their list.`,
  sched_fork: (s) =>
    `${s.who} is forked with estcpu ${s.op('its estcpu')} (its parent has ${s.op('estcpu of the parent')}) and priority ${s.op('priority')}.`,
  sched_exit: (s) =>
    `${s.who} ends and leaves its estcpu of ${s.op('its estcpu')} to its parent, which has ${s.op('estcpu of the parent')} now.`,
  interrupt_thread_worsened: (s) =>
    `Interrupt thread ${s.who} used a whole quantum: priority ${s.op('new priority')} instead of ${s.op('old priority')} until it is woken again.`,
  took_from_global: (s) =>
    `${s.where} took ${s.who} from the one queue. The queue belongs to no CPU, so a thread moves to whichever asks first.`,
  took_from_own: (s) =>
    `${s.where} took ${s.who} from its own queue, where it was put because it may not use every CPU.`,
};
