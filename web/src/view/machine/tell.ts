/** A thread or a CPU in a few short lines, for pointer, keyboard and screen readers. */
import { bytes, duration, nice, percent, withUnit } from '../../lib/format';
import { CpuState, type Frame, TaskState } from '../../sim/frame';
import { heldBy, isHeld } from '../../state/held';
import type { LaneState } from '../../state/lane.svelte';
import { isOwnPolicy } from '../../state/policy/own-program.svelte';
import { queueOf } from '../schedulers/folder';
import { capacityOf } from './areas';
import { deadlinesOf } from './queues/input';
import { memoryOf, memoryText } from './memory';
import { levelName, MEMORY, servedBy, WARM, warmOf } from './warmth';

type View = Pick<
  LaneState,
  | 'frame'
  | 'limits'
  | 'names'
  | 'nameOf'
  | 'isBackground'
  | 'scheduler'
  | 'tree'
  | 'entry'
  | 'residents'
>;

const STATES: Readonly<Record<number, string>> = {
  [TaskState.notStarted]: 'not started',
  [TaskState.running]: 'runs',
  // @wc-context: of a thread
  [TaskState.queued]: 'waits',
  [TaskState.sleeping]: 'sleeps',
  [TaskState.finished]: 'has finished',
  [TaskState.stopped]: 'stopped',
};

/** State of a thread in a word or two. */
export function stateOf(lane: View, task: number): string {
  const state = lane.frame.task('state')[task] ?? 0;
  const cpu = lane.frame.task('cpu')[task] ?? -1;
  const word = STATES[state] ?? 'unknown';
  if (isHeld(lane.frame, task)) {
    const held = heldBy(lane, task);
    const backNs = (held?.limit.refillAtNs ?? 0) - lane.frame.nowNs;
    return held
      ? `stands still: ${held.limit.name} is back in ${duration(backNs)}`
      : 'stands still';
  }
  return state === TaskState.running ? `${word} on cpu ${String(cpu)}` : word;
}

/** A thread in a few lines. */
export function tellTask(lane: View, task: number): readonly string[] {
  const { frame } = lane;
  const lines = [`${lane.nameOf(task)} ${stateOf(lane, task)}`];
  if (lane.isBackground(task)) lines.push('background');
  const rate = frame.task('rate')[task] ?? 0;
  if (frame.task('state')[task] === TaskState.running && rate > 0)
    lines.push(`${percent(rate)} of its speed alone`);
  lines.push(...tellData(lane, task));
  const memory = memoryText(memoryOf(lane, task));
  if (memory !== null) lines.push(`memory: ${memory}`);
  const left = frame.task('sliceLeftNs')[task] ?? Number.NaN;
  if (left > 0) lines.push(`slice left ${duration(left)}`);
  const deadline = deadlinesOf(lane)?.[task];
  if (deadline !== undefined && Number.isFinite(deadline)) {
    const ahead = deadline - frame.nowNs;
    lines.push(
      ahead >= 0 ? `deadline in ${duration(ahead)}` : `deadline passed ${duration(-ahead)} ago`,
    );
  }
  lines.push(...threadFacts(lane, frame, task).map((fact) => `${fact.label} ${fact.value}`));
  lines.push(`nice ${nice(frame.task('nice')[task] ?? 0)}`);
  return lines;
}

/** Values that its scheduler keeps of a thread, as far as the pictures show them. */
export function threadFacts(
  lane: Pick<LaneState, 'entry' | 'scheduler'>,
  frame: Frame,
  task: number,
): readonly { readonly label: string; readonly value: string }[] {
  // Of a program all are shown: its writer named them.
  const own = isOwnPolicy({ id: lane.scheduler }) ? lane.entry?.taskColumns.map((c) => c.id) : null;
  return (own ?? queueOf(lane.scheduler).threadFacts ?? []).flatMap((id) => {
    const column = lane.entry?.taskColumns.find((c) => c.id === id);
    const value = frame.taskIfAny(id)?.[task] ?? Number.NaN;
    if (!column || !Number.isFinite(value)) return [];
    const text = column.unit === 'ns' ? duration(value) : withUnit(value, '');
    return [{ label: column.label, value: text }];
  });
}

/** The source of a thread's data, and the part that is loaded. */
export function tellData(lane: Pick<View, 'frame'>, task: number): readonly string[] {
  const { frame } = lane;
  const level = servedBy(frame, task);
  const warm = warmOf(frame, task);
  const size = frame.task('workingSetBytes')[task] ?? 0;
  if (level === null || !(size > 0)) return [];
  const set = `sweeps ${bytes(size)}`;
  const name = levelName(level);
  if (level >= MEMORY) return [`${set}, too large for its caches: it comes from memory`];
  if (warm === null) return [`${set} from ${name}`];
  return [
    warm < WARM
      ? `${set}: ${percent(warm)} of it in ${name}, the rest has to be loaded first`
      : `${set}, all of it in ${name}`,
  ];
}

/** The causes that slow a running thread now, largest first: `sibling 48 %`. */
export function tellLosses(
  lane: Pick<View, 'frame'>,
  task: number,
  causes: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  return causes
    .slice(1)
    .map((c) => ({ name: c.name, part: lane.frame.task(`now:${c.id}`)[task] ?? 0 }))
    .filter((c) => c.part >= 0.005)
    .sort((a, b) => b.part - a.part)
    .map((c) => `${percent(c.part)} lost: ${c.name}`);
}

/** Values that a scheduler keeps of a CPU's queue, and of the whole lane, in a few words each. */
export function tellQueue(
  lane: Pick<LaneState, 'calm' | 'detail' | 'entry' | 'scheduler'>,
  cpu: number,
) {
  const numbers = lane.detail?.detail.numbers ?? [];
  const ofLane = numbers.map(([name, value]) => `${name} ${withUnit(value, '')}`);
  const own = isOwnPolicy({ id: lane.scheduler }) ? lane.entry?.cpuColumns.map((c) => c.id) : null;
  const ofCpu = (own ?? queueOf(lane.scheduler).facts ?? []).flatMap((id) => {
    const column = lane.entry?.cpuColumns.find((c) => c.id === id);
    const value = lane.calm.cpuIfAny(id)?.[cpu] ?? Number.NaN;
    if (!column || !Number.isFinite(value)) return [];
    return [`${column.label} ${column.unit === 'ns' ? duration(value) : withUnit(value, '')}`];
  });
  return [...ofCpu, ...ofLane];
}

/** What a CPU does now; of an idle one, the state that it is in, if that is known. */
export function tellDoing(lane: Pick<LaneState, 'calm' | 'detail' | 'nameOf'>, cpu: number) {
  const task = lane.calm.cpu('curr')[cpu] ?? -1;
  if (task >= 0) return `runs ${lane.nameOf(task)}`;
  const idle = lane.detail?.cpu === cpu ? lane.detail.detail.idle : null;
  return idle
    ? `is idle in state ${idle.state}, which takes ${duration(idle.exitNs)} to leave`
    : 'is idle';
}

/** A CPU in a few lines. */
export function tellCpu(lane: View, cpu: number): readonly string[] {
  const { frame } = lane;
  const task = frame.cpu('curr')[cpu] ?? -1;
  const state = frame.cpu('state')[cpu] ?? 0;
  const doing =
    task >= 0
      ? `runs ${lane.nameOf(task)}`
      : state === CpuState.signalled
        ? 'was signalled and wakes up'
        : 'is idle';
  const busy = frame.cpu('busyNs')[cpu] ?? 0;
  const lines = [`cpu ${String(cpu)} ${doing}`];
  if (frame.nowNs > 0) lines.push(`busy ${percent(busy / frame.nowNs)} of the time so far`);
  const { tree } = lane;
  const core = tree.core[cpu];
  const kind = tree.kinds[tree.kind[cpu] ?? 0] ?? '';
  const others = tree.core.flatMap((c, other) => (c === core && other !== cpu ? [other] : []));
  const where = `on ${kind === '' ? '' : `${kind} `}core ${String(core)}`;
  lines.push(
    others.length === 0 ? where : `${where}, which it shares with cpu ${others.join(', ')}`,
  );
  const capacity = capacityOf([cpu], tree);
  if (capacity !== null) lines.push(`capacity ${String(capacity)} of 1024, as Linux counts it`);
  const queued = frame.cpu('queued')[cpu] ?? 0;
  if (queued > 0) lines.push(queued === 1 ? 'one waits here' : `${String(queued)} wait here`);
  return lines;
}
