/**
 * CFS in words. The rules follow `kernel/sched_fair.c` (2.6.34) and `kernel/sched/fair.c` (4.9): on each CPU
 * the smallest virtual runtime runs next; domains of CPUs compare loads and pull threads.
 */
import type { Said, Wordings } from '../reasons';

const loads = (s: Said) =>
  `Load of the waker's CPU ${s.op("load of the waker's CPU")}, of the previous one ${s.op('load of the previous CPU')}.`;

const pick = (s: Said) =>
  `vruntime ${s.op('vruntime ahead of min_vruntime')} ahead of min_vruntime, slice ${s.op('slice')}, ${s.op('running and waiting')} in its queue`;

const groups = (s: Said) =>
  `The busiest group has ${s.op('load of the busiest')}, the own one ${s.op('own load')}, the average is ${s.op('average')}.`;

/** Sentences by reason code. */
export const CFS: Wordings = {
  prev_cpu: (s) =>
    `${s.who} wakes on ${s.where}, where it last ran: nothing better was found near cpu ${s.op('previous CPU')}, and cpu ${s.op("waker's CPU")}, which wakes it, is not considered.`,
  prev_idle: (s) => `${s.who} wakes on ${s.where}, where it last ran: it is idle.`,
  waker_idle: (s) => `${s.who} is pulled to ${s.where}, the CPU of its waker, which is idle.`,
  idle_sibling: (s) =>
    `${s.who} goes to ${s.where}, an idle CPU that shares a cache with the target. ${loads(s)}`,
  idle_core: (s) => `${s.who} goes to ${s.where}: all threads of its core are idle.`,
  idle_cpu: (s) =>
    `${s.who} goes to ${s.where}: the first idle CPU of the target's cache group; no whole core is idle.`,
  wake_affine: (s) =>
    `${s.who} is pulled to ${s.where}, the CPU of its waker: the balance allows it. ${loads(s)}`,
  not_affine: (s) =>
    `${s.who} stays on ${s.where}: pulling it to its waker would unbalance the two CPUs. ${loads(s)}`,
  wake_wide: (s) =>
    `${s.who} stays on ${s.where}: waker and woken have so many partners (${s.op('flips of the waker')} and ${s.op('its flips')} changes of partner, ${s.op('CPUs of the cache')} in the cache group) that pulling them would crowd one CPU.`,
  target: (s) => `${s.who} goes to ${s.where}; no CPU of its cache group is idle.`,
  select_fallback_rq: (s) =>
    `${s.who} may not run where it was to go; ${s.where} is the first CPU that it may use.`,
  fork_local: (s) =>
    `The new thread ${s.who} begins on ${s.where}, its parent's CPU: no group is idler by the margin (${s.op('factor')}; own ${s.op('load of the own group')}, idlest ${s.op('load of the idlest')}).`,
  idlest_cpu: (s) =>
    `The new thread ${s.who} begins on ${s.where}, found from the widest domain down: own group ${s.op('load of the own group')}, idlest ${s.op('load of the idlest')}. Between idle groups the other one wins.`,
  exec_local: (s) =>
    `${s.who} runs a new program and stays on ${s.where}: no group is idler by the margin (${s.op('factor')}; own ${s.op('load of the own group')}, itself included, idlest ${s.op('load of the idlest')}).`,
  exec_idlest: (s) =>
    `${s.who} runs a new program and goes to ${s.where}, found from the widest domain down: own group ${s.op('load of the own group')}, itself included, idlest ${s.op('load of the idlest')}. It has nothing in caches yet, so the move is cheap.`,
  find_lowest_rq: (s) =>
    `The real-time thread ${s.who} goes to ${s.where}, where the lowest priority runs.`,
  nohz_load_balancer: (s) =>
    `${s.where} keeps its tick and balances for all ${s.op('idle CPUs')} that are idle; the others stop theirs.`,
  nohz_kick: (s) =>
    `${s.where} is woken by the tick of cpu ${s.op('kicked by CPU')} (${s.op('running and waiting')} there) to balance for ${s.op('idle CPUs')} that are idle and have no ticks.`,
  leftmost: (s) => `${s.where} runs ${s.who}: the smallest vruntime (${pick(s)}).`,
  next_buddy: (s) =>
    `${s.where} runs ${s.who}: it was named next, and is not much behind the leftmost (${pick(s)}).`,
  last_buddy: (s) =>
    `${s.where} goes back to ${s.who}, which was preempted: its cache is warm, and it is not much behind the leftmost (${pick(s)}).`,
  skip_buddy: (s) =>
    `${s.where} runs ${s.who}: the leftmost yielded and is passed over once (${pick(s)}).`,
  real_time_first: (s) => `${s.where} runs ${s.who}: real-time threads come before all others.`,
  slice_expired: (s) =>
    `${s.who} ran ${s.op('ran')}, more than its slice of ${s.op('slice')}: ${s.where} is told to reschedule.`,
  leftmost_far_behind: (s) =>
    `${s.who} is ${s.op('ahead of the leftmost')} ahead of the leftmost, more than a slice (${s.op('slice')}): ${s.where} is told to reschedule.`,
  missed_wakeup_quirk: (s) =>
    `${s.who} is behind the leftmost (${s.op('ahead of the leftmost')}), but 64-bit kernels before 2.6.38 compare this as unsigned: ${s.where} reschedules, picks it again, and its slice begins anew.`,
  round_robin: (s) => `The turn of ${s.who} is over; another of its priority waits.`,
  yielded: (s) => `${s.who} yields; ${s.op('running and waiting')} are in its queue.`,
  wakeup_preempt: (s) =>
    `${s.who} is ${s.op('behind what runs')} behind what runs on ${s.where}, more than the granularity of ${s.op('granularity')}: it preempts.`,
  idle_policy_runs: (s) =>
    `${s.who} preempts at once: what runs on ${s.where} has the idle policy.`,
  real_time: (s) => `${s.who} preempts what runs on ${s.where}: its priority is better.`,
  child_runs_first: (s) => `${s.who} runs before its parent (sched_child_runs_first).`,
  idle_cpu_woken: (s) => `${s.where} is idle and is woken for ${s.who}.`,
  reweighed: (s) =>
    `${s.who} has nice ${s.op('nice')} instead of ${s.op('nice before')}: its weight is ${s.op('weight')} instead of ${s.op('weight before')}.`,
  nice_improved: (s) =>
    `${s.who} got the better nice value ${s.op('nice')}: ${s.where} reschedules.`,
  within_granularity: (s) =>
    `${s.who} waits: it is ${s.op('behind what runs')} behind what runs on ${s.where}, not more than the granularity of ${s.op('granularity')}.`,
  batch_or_idle_policy: (s) =>
    `${s.who} waits: batch and idle threads preempt nobody when they wake.`,
  resched_pending: (s) =>
    `${s.who} is not compared with what runs on ${s.where}: that CPU has been told to reschedule already.`,
  wakeup_preemption_off: (s) =>
    `${s.who} waits on ${s.where}: preemption by wake-ups is switched off.`,
  real_time_runs: (s) =>
    `${s.who} waits on ${s.where}: a real-time thread of the same or a better priority runs there.`,
  not_in_charge: (s) =>
    `${s.where} does not balance its level ${s.op('level')}: cpu ${s.op('CPU in charge')} does that for its group.`,
  lb_nobusyg: (s) =>
    `${s.where} pulls nothing at level ${s.op('level')}: no other group has more than it should. The load of all is ${s.op('load of the domain')}, of the own group ${s.op('own load')}.`,
  not_below_average: (s) =>
    `${s.where} pulls nothing: its own group is not below the average. ${groups(s)}`,
  idle_cpus_even: (s) =>
    `${s.where} pulls nothing: its own group has ${s.op('own idle CPUs')} idle and the busiest ${s.op('idle CPUs of the busiest')}, not more than one apart, and none has too many threads.`,
  lb_nobusyq: (s) =>
    `${s.where} pulls nothing at level ${s.op('level')}: every CPU of the busiest group has one thread, whose load is more than the imbalance (${s.op('imbalance')}).`,
  lb_failed: (s) =>
    `${s.where} could move no thread from cpu ${s.op('busiest CPU')}, although ${s.op('imbalance')} of load should move: ${s.op('nr_balance_failed')} failed attempts now; beyond ${s.op('pushes beyond')} the running thread is pushed.`,
  core_busy: (s) =>
    `${s.where} counts as busy above level ${s.op('level')}: its core runs something, though this CPU does not.`,
  nr_failed_migrations_affine: (s) =>
    `${s.who} is not moved from cpu ${s.op('from CPU')}: it may not run on ${s.where}.`,
  nr_failed_migrations_running: (s) =>
    `${s.who} is not moved to ${s.where}: it runs on cpu ${s.op('from CPU')} at this moment.`,
  load_too_big: (s) =>
    `${s.who} is not moved to ${s.where}: half of its load of ${s.op('its load')} is more than what is left to move (${s.op('left to move')}).`,
  nr_forced_migrations: (s) =>
    `${s.who} is cache-hot (it ran ${s.op('since it ran')} ago) but may move to ${s.where}: ${s.op('nr_balance_failed')} attempts have failed, more than ${s.op('cache_nice_tries')}.`,
  active_balance_pending: (s) =>
    `${s.where} failed to pull ${s.op('nr_balance_failed')} times, but the stopper of cpu ${s.op('busiest CPU')} has a push to do already.`,
  busiest_group: (s) => `${s.where} pulls up to ${s.op('imbalance')} of load. ${groups(s)}`,
  within_imbalance_pct: (s) =>
    `${s.where} pulls nothing: the difference is within ${String(s.num('imbalance_pct') - 100)} %. ${groups(s)}`,
  fix_small_imbalance: (s) =>
    `${s.where} pulls nothing: less than a thread would have to move, and moving one gains nothing. ${groups(s)}`,
  nr_failed_migrations_hot: (s) =>
    `${s.who} is not moved to ${s.where}: it ran ${s.op('since it ran')} ago and counts as cache-hot (${s.op('nr_balance_failed')} failed attempts, ${s.op('cache_nice_tries')} allowed).`,
  need_active_balance: (s) =>
    `${s.where} failed to pull ${s.op('nr_balance_failed')} times: the stopper of cpu ${s.op('busiest CPU')} shall push the running thread.`,
  tasks_pulled: (s) =>
    `${s.where} pulled ${s.op('moved')} from cpu ${s.op('from CPU')}. The imbalance was ${s.op('imbalance')}, after ${s.op('nr_balance_failed')} failed attempts.`,
  all_pinned: (s) =>
    `${s.where} wanted to pull from cpu ${s.op('busiest CPU')}, but none of the ${s.op('threads there')} there may run on ${s.where}. It looks again in ${s.op('balance interval')}, times the factor of a busy CPU.`,
  active_balance_pinned: (s) =>
    `${s.where} failed to pull ${s.op('nr_balance_failed')} times, and what runs on cpu ${s.op('busiest CPU')} may not run on ${s.where}: nothing is pushed.`,
  avg_idle_too_short: (s) =>
    `${s.where} becomes idle and does not look for work: it is usually idle for ${s.op('avg_idle')} only, less than a migration costs (${s.op('sched_migration_cost')}).`,
  not_overloaded: (s) =>
    `${s.where} becomes idle and does not look for work: no CPU was seen with two threads.`,
  newidle_balance: (s) =>
    `${s.where} was about to be idle and pulled something. It is usually idle for ${s.op('avg_idle')}.`,
  periodic_balance: (s) => `${s.who} now runs on ${s.where}: a busy CPU pulled it at a tick.`,
  idle_balance: (s) => `${s.who} now runs on ${s.where}: it was pulled for an idle CPU.`,
  new_idle_balance: (s) =>
    `${s.who} now runs on ${s.where}, which pulled it when it was about to be idle.`,
  active_balance: (s) =>
    `${s.who} now runs on ${s.where}: it was running, and the stopper pushed it.`,
  wake_placement: (s) => `${s.who} now runs on ${s.where}, which was chosen when it woke.`,
  fork_placement: (s) => `${s.who} began on ${s.where}, which was chosen at fork.`,
  exec_placement: (s) =>
    `${s.who} now runs on ${s.where}, where the stopper put it when it began a new program.`,
  affinity_changed: (s) =>
    `${s.who} now runs on ${s.where}: it may no longer use the CPU where it was.`,
};
