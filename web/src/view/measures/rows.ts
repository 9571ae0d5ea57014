/** Rows of tables of measures: a value for each lane, with its definition. */
import type { LaneState } from '../../state/lane.svelte';
import type { Catalog } from '../../sim/types/Catalog';
import type { CauseEntry } from '../../sim/types/CauseEntry';
import type { MetricEntry } from '../../sim/types/MetricEntry';
import { TaskState } from '../../sim/frame';

/** A measure of every lane; NaN where there is no value. */
export interface Row {
  readonly entry: MetricEntry;
  readonly values: readonly number[];
}

/** The part of a lane that rows are made of. */
export type Measured = Pick<LaneState, 'calm' | 'metrics' | 'names' | 'isBackground' | 'nameOf'>;

/** All measures of the core; measures of arriving jobs only if there are such jobs. */
export function measureRows(catalog: Catalog | null, lanes: readonly Measured[]): readonly Row[] {
  const rows = (catalog?.metrics ?? []).map((entry, i) => ({
    entry,
    values: lanes.map((lane) => lane.metrics[i] ?? Number.NaN),
  }));
  return rows.filter(
    ({ entry, values }) => !entry.id.startsWith('job') || !values.every(Number.isNaN),
  );
}

/** Threads of the workload of a lane that have begun. */
function tasksOf(lane: Measured): readonly number[] {
  const state = lane.calm.task('state');
  return Array.from({ length: lane.calm.tasks }, (_, task) => task).filter(
    (task) => !lane.isBackground(task) && state[task] !== TaskState.notStarted,
  );
}

/** CPU time of each group, in CPUs. */
export function groupRows(lanes: readonly Measured[]): readonly Row[] {
  const sums = lanes.map((lane) => {
    const sum = new Map<string, number>();
    for (const task of tasksOf(lane)) {
      const name = lane.names.groups[lane.names.taskGroup[task] ?? -1]?.name ?? '';
      sum.set(name, (sum.get(name) ?? 0) + (lane.calm.task('runNs')[task] ?? 0));
    }
    return sum;
  });
  return [...new Set(sums.flatMap((sum) => [...sum.keys()]))].map((name) => ({
    entry: {
      id: name,
      name,
      unit: 'cpus',
      summary: 'How many CPUs it used on average',
      better: 'none',
    },
    values: lanes.map((lane, l) => (sums[l]?.get(name) ?? Number.NaN) / lane.calm.nowNs),
  }));
}

/** Share of a CPU that each thread had since it began. */
export function threadRows(lanes: readonly Measured[]): readonly Row[] {
  const shares = lanes.map((lane) => {
    const [ran, waited, slept] = ['runNs', 'waitNs', 'sleepNs'].map((id) => lane.calm.task(id));
    return new Map(
      tasksOf(lane).map((task) => {
        const run = ran?.[task] ?? 0;
        return [lane.nameOf(task), run / (run + (waited?.[task] ?? 0) + (slept?.[task] ?? 0))];
      }),
    );
  });
  return [...new Set(shares.flatMap((share) => [...share.keys()]))].map((name) => ({
    entry: { id: name, name, unit: 'share', summary: '', better: 'none' },
    values: shares.map((share) => share.get(name) ?? Number.NaN),
  }));
}

/** The causes that took the CPU time of all workload threads. */
export function causeRows(
  causes: readonly CauseEntry[],
  lanes: readonly Measured[],
): readonly Row[] {
  const all = lanes.map((lane) => {
    const tasks = tasksOf(lane);
    return (column: string) =>
      tasks.reduce((sum, task) => sum + (lane.calm.task(column)[task] ?? 0), 0);
  });
  return causes.map(({ id, name, summary }) => ({
    entry: { id, name, summary, unit: 'share', better: 'none' },
    values: all.map((sum) => sum(`sum:${id}`) / sum('runNs')),
  }));
}

const DISTANCES = [
  ['within a core', 'Within the core; its caches stay warm'],
  ['within a cache group', 'To a core with the same outer cache'],
  ['within a node', 'To another cache group with the same memory'],
  ['between nodes', 'To a CPU with other memory'],
] as const;

/** Migrations of a lane as the core gives them, with the meaning of their reasons. */
export interface MovesOf {
  readonly reasons: LaneState['reasons'];
  /** Rows of reason, distance and count. */
  readonly rows: Float64Array;
}

/** Migrations by reason, or by distance. */
export function moveRows(by: 'reason' | 'distance', lanes: readonly MovesOf[]): readonly Row[] {
  const found = new Map<string, { words: Set<string>; values: number[]; order: number }>();
  lanes.forEach(({ reasons, rows: row }, lane) => {
    for (let i = 0; i + 2 < row.length; i += 3) {
      const key = row[by === 'reason' ? i : i + 1] ?? 0;
      const reason = reasons.of(key);
      const [name, words] =
        by === 'distance'
          ? (DISTANCES[key] ?? ['', ''])
          : [
              (reason?.id ?? '').replaceAll('_', ' '),
              reason?.kernel ? `In the kernel: ${reason.kernel}` : '',
            ];
      // Several schedulers may have a reason with the same name.
      const made = found.get(name) ?? {
        words: new Set<string>(),
        values: lanes.map(() => 0),
        order: key,
      };
      made.words.add(words);
      made.values[lane] = (made.values[lane] ?? 0) + (row[i + 2] ?? 0);
      found.set(name, made);
    }
  });
  const all = [...found].map(([name, { words, values, order }]) => ({
    entry: { id: name, name, summary: [...words].join('; '), unit: 'count', better: 'none' },
    values,
    order,
  }));
  return by === 'distance'
    ? all.sort((a, b) => a.order - b.order)
    : all.sort((a, b) => a.entry.name.localeCompare(b.entry.name));
}
