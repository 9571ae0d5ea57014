/** The rule behind a decision as a formula with its operands filled in, and where the model departs from the kernel. */
import type { DecisionView } from '../../sim/types/DecisionView';
import { saidOf, type Wording, type Wordings } from './reasons';

const better: Wording = (s) =>
  `priority ${s.op('its priority')} < ${s.op('priority of what runs')} of what runs`;
const notBetter: Wording = (s) =>
  `priority ${s.op('its priority')} ≥ ${s.op('priority of what runs')} of what runs`;
const estcpuRule: Wording = (s) =>
  `PUSER + estcpu / INVERSE_ESTCPU_WEIGHT + NICE_WEIGHT × (nice + 20) = ${s.op('new priority')}, estcpu ${s.op('estcpu')}`;

const RULES: Readonly<Record<string, Wordings>> = {
  bfs: {
    idle_core: (s) => `lowest rank of ${s.op('idle CPUs allowed')} idle: ${s.op('rank')}`,
    idle_sibling: (s) => `lowest rank of ${s.op('idle CPUs allowed')} idle: ${s.op('rank')}`,
    latest_deadline_victim: (s) =>
      `deadline ${s.op('its deadline')} < ${s.op('deadline of the victim')} of the victim`,
    higher_prio: (s) => `prio ${s.op('its prio')} < ${s.op('prio of the victim')} of the victim`,
    deadline_not_earlier: (s) =>
      `deadline ${s.op('its deadline')} ≥ ${s.op('latest deadline running')}, the latest that runs`,
    lower_prio: (s) => `prio ${s.op('its prio')} > ${s.op('worst prio running')}`,
    earliest_deadline: (s) =>
      `min(deadline + distance) over ${s.op('waiting')}: deadline ${s.op('deadline')}`,
    deadline_passed_fifo: (s) => `deadline ${s.op('deadline')} < now, ${s.op('now')}`,
    slice_expired: (s) =>
      `deadline = now + prio_ratio × rr_interval = ${s.op('new deadline')}, now ${s.op('now')}`,
    adjust_deadline: (s) => `deadline + D(new nice) − D(old nice) = ${s.op('deadline')}`,
    slice_shared: (s) => `slice / 2 = ${s.op('slice of the child')}`,
    alone_on_cpu: (s) =>
      `deadline = now + prio_ratio × rr_interval = ${s.op('new deadline')}, now ${s.op('now')}`,
  },
  cfs: {
    leftmost: (s) =>
      `min(vruntime): ${s.op('vruntime ahead of min_vruntime')} ahead of min_vruntime`,
    slice_expired: (s) => `ran ${s.op('ran')} > slice ${s.op('slice')}`,
    leftmost_far_behind: (s) =>
      `vruntime − leftmost = ${s.op('ahead of the leftmost')} > slice ${s.op('slice')}`,
    wakeup_preempt: (s) =>
      `vruntime of what runs − its own = ${s.op('behind what runs')} > granularity ${s.op('granularity')}`,
    within_granularity: (s) =>
      `vruntime of what runs − its own = ${s.op('behind what runs')} ≤ granularity ${s.op('granularity')}`,
    fork_local: (s) =>
      `100 × ${s.op('load of the own group')} < ${s.op('factor')} of ${s.op('load of the idlest')}`,
    within_imbalance_pct: (s) =>
      `100 × ${s.op('load of the busiest')} ≤ ${s.op('imbalance_pct')} × ${s.op('own load')}`,
    busiest_group: (s) =>
      `load ${s.op('load of the busiest')} of the busiest > ${s.op('average')} on average; to move: ${s.op('imbalance')}`,
    wake_wide: (s) =>
      `min(flips) ≥ cache CPUs and max(flips) ≥ min(flips) × cache CPUs: ${s.op('flips of the waker')}, ${s.op('its flips')}, ${s.op('CPUs of the cache')}`,
    exec_local: (s) =>
      `100 × ${s.op('load of the own group')} < ${s.op('factor')} of ${s.op('load of the idlest')}`,
    exec_idlest: (s) =>
      `100 × ${s.op('load of the own group')} ≥ ${s.op('factor')} of ${s.op('load of the idlest')}`,
    idlest_cpu: (s) =>
      `100 × ${s.op('load of the own group')} ≥ ${s.op('factor')} of ${s.op('load of the idlest')}`,
    real_time: (s) => `rank ${s.op('rank')} < ${s.op('rank of what runs')} of what runs`,
    real_time_runs: (s) => `rank ${s.op('rank')} ≥ ${s.op('rank of what runs')} of what runs`,
    reweighed: (s) => `weight ${s.op('weight before')} → ${s.op('weight')}`,
    not_below_average: (s) =>
      `own ${s.op('own load')} ≥ busiest ${s.op('load of the busiest')} or ≥ average ${s.op('average')}`,
    idle_cpus_even: (s) =>
      `idle here ${s.op('own idle CPUs')} ≤ ${s.op('idle CPUs of the busiest')} + 1`,
    load_too_big: (s) => `load ${s.op('its load')} / 2 > ${s.op('left to move')} left to move`,
    lb_failed: (s) =>
      `nr_balance_failed ${s.op('nr_balance_failed')} ≤ cache_nice_tries + 2 = ${s.op('pushes beyond')}`,
    nr_forced_migrations: (s) =>
      `failed ${s.op('nr_balance_failed')} > cache_nice_tries ${s.op('cache_nice_tries')}`,
    nr_failed_migrations_hot: (s) =>
      `ran ${s.op('since it ran')} ago < sched_migration_cost ${s.op('sched_migration_cost')}, and failed ${s.op('nr_balance_failed')} ≤ cache_nice_tries ${s.op('cache_nice_tries')}`,
  },
  '4bsd': {
    maybe_preempt: better,
    maybe_resched: better,
    kick_other_cpu: better,
    not_better: notBetter,
    kick_not_better: notBetter,
    quantum_end: (s) => `used ${s.op('used')} ≥ quantum ${s.op('quantum')}`,
    resetpriority: estcpuRule,
    sched_nice: estcpuRule,
    decayed: (s) =>
      `estcpu × 2·load / (2·load + 1): ${s.op('estcpu before')} → ${s.op('estcpu')}, priority ${s.op('new priority')}`,
    updatepri: (s) =>
      `estcpu decayed once for each second asleep (${s.op('asleep')}): ${s.op('estcpu before')} → ${s.op('estcpu')}`,
    schedcpu: (s) => `load average ${s.num('load average') >= 0 ? s.op('load average') : '0'}`,
    back_to_user_priority: (s) =>
      `priority := user priority: ${s.op('old priority')} → ${s.op('new priority')}`,
    sleep_priority: (s) => `priority := PWAIT: ${s.op('old priority')} → ${s.op('new priority')}`,
    sched_exit: (s) =>
      `min(${s.op('before')} + ${s.op('its estcpu')}, ESTCPULIM) = ${s.op('estcpu of the parent')}`,
    runq_fuzz: (s) => `place ${s.op('place in the list')} in list ${s.op('list')}`,
  },
  ule: {
    local_resched: better,
    owe_preempt: better,
    remote_preempt: better,
    not_better: notBetter,
    above_thresh: (s) =>
      `priority ${s.op('its priority')} > preempt_thresh ${s.op('preempt_thresh')}`,
    pickcpu_lowest: (s) => `lowest load: ${s.op('load')}, lowpri ${s.op('lowpri')}`,
    calendar: (s) => `first slot in use from ridx ${s.op('ridx')} on: ${s.op('slot')}`,
    slice_end: (s) => `slice used up: ${s.op('slice')} at a load of ${s.op('sysload')}`,
    interactive: (s) => `score ${s.op('score')} < threshold ${s.op('threshold')}`,
    batch: (s) => `score ${s.op('score')} ≥ threshold ${s.op('threshold')}`,
    idle_steal: (s) => `load ${s.op('load of the victim')} ≥ threshold ${s.op('threshold')}`,
    trysteal: (s) => `load ${s.op('load of the victim')} ≥ threshold ${s.op('threshold')}`,
    kept: (s) => `priority ${s.op('its priority')} ≤ lowpri ${s.op('lowpri')}`,
    back_to_user_priority: (s) =>
      `priority := user priority: ${s.op('before')} → ${s.op('priority')}`,
    no_victim: (s) =>
      `load ${s.op('its load')} < threshold ${s.op('threshold')}, or nothing that may move (${s.op('transferable')})`,
    balance_even: (s) =>
      `load ${s.op('its load')} = ${s.op('least load')}, or nothing may move (${s.op('transferable')})`,
    balance_move: (s) => `load ${s.op('its load')} there > ${s.op('load here')} here`,
    balance_nothing: (s) => `load ${s.op('its load')} there, ${s.op('load here')} here`,
  },
};

/** The rule of a decision with its numbers; null where the sentence is all there is. */
export function ruleOf(scheduler: string, decision: DecisionView): string | null {
  const rule = RULES[scheduler]?.[decision.reason];
  return rule ? rule(saidOf(decision)) : null;
}

/** Reasons that have a rule, by scheduler, for tests. */
export function ruled(scheduler: string): readonly string[] {
  return Object.keys(RULES[scheduler] ?? {});
}

const NO_TIME = 'Balancing takes no time here, so what the kernel knows of its cost is 0.';
const NO_STOPPER = 'The stopper that moves a running thread takes no time here and is no thread.';
const REAL_TIME =
  'Of real time there are only lists by priority: no pushing, no pulling, no limit of 95 %.';
const INTERRUPTS = 'The clock’s interrupt thread takes no time here.';

const DEVIATIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  bfs: {
    slice_expired:
      'A clock that is read twice in one simulated instant charges nothing; the code would charge half a tick.',
    child_runs_first:
      'A thread whose parent is not simulated starts with a full slice and a fresh deadline.',
  },
  cfs: {
    busiest_group: NO_TIME,
    newidle_balance: NO_TIME,
    periodic_balance: NO_TIME,
    idle_balance: NO_TIME,
    new_idle_balance: NO_TIME,
    within_imbalance_pct: NO_TIME,
    need_active_balance: NO_STOPPER,
    active_balance: NO_STOPPER,
    exec_placement: NO_STOPPER,
    real_time_first: REAL_TIME,
    real_time: REAL_TIME,
  },
  '4bsd': {
    forward_wakeup: 'Of the CPUs that are woken in vain only the winner of the race is simulated.',
    next_of_the_woken:
      'Of the CPUs that are woken in vain only the winner of the race is simulated.',
    schedcpu: '`schedcpu` takes no time here.',
    schedcpu_runs: '`schedcpu` takes no time here.',
    softclock: INTERRUPTS,
  },
  ule: {
    idle_steal: 'Idle CPUs do not spin here: the machine says what leaving idleness costs.',
    trysteal: 'Idle CPUs do not spin here: the machine says what leaving idleness costs.',
  },
};

/** How the model departs from the kernel function in this decision; null if it does not. */
export function deviationOf(scheduler: string, reason: string): string | null {
  return DEVIATIONS[scheduler]?.[reason] ?? null;
}

/** Reasons with a deviation, by scheduler, for tests. */
export function deviating(scheduler: string): readonly string[] {
  return Object.keys(DEVIATIONS[scheduler] ?? {});
}
