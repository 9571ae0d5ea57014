/** Counts of reasons as rows of a table: lane beside lane, kind by kind. */
import type { LaneState } from '../../state/lane.svelte';
import { kindName, reasonName } from '../explain/reasons';
import type { Row } from './rows';

/** Counts of a lane as the core gives them, in rows of reason, CPU, thread and count. */
export interface CountsOf {
  readonly lane: Pick<LaneState, 'idOf' | 'reasons'>;
  readonly rows: Float64Array;
}

/** The subject of counts; both null for the whole run. */
export interface Subject {
  readonly cpu: number | null;
  readonly thread: string | null;
}

const WIDTH = 4;

/** A row for each reason that was given in any lane, under the sum of all. */
export function reasonRows(lanes: readonly CountsOf[], { cpu, thread }: Subject): readonly Row[] {
  const found = new Map<string, { row: Row; values: number[]; kernels: Set<string> }>();
  const all = lanes.map(() => 0);
  lanes.forEach(({ lane, rows }, l) => {
    const task = thread === null ? -1 : lane.idOf.get(thread);
    // This lane does not have the thread.
    if (task === undefined) return;
    for (let i = 0; i + WIDTH <= rows.length; i += WIDTH) {
      const [code = -1, onCpu = -1, ofTask = -1, n = 0] = rows.subarray(i, i + WIDTH);
      if (onCpu !== (cpu ?? -1) || ofTask !== task) continue;
      const reason = lane.reasons.of(code);
      if (!reason) continue;
      const name = `${kindName(reason.kind)}: ${reasonName(reason.id)}`;
      let made = found.get(name);
      if (!made) {
        const values = lanes.map(() => 0);
        const entry = { id: name, name, summary: '', unit: 'count', better: 'none' };
        found.set(name, (made = { row: { entry, values }, values, kernels: new Set() }));
      }
      made.kernels.add(reason.kernel);
      made.values[l] = (made.values[l] ?? 0) + n;
      all[l] = (all[l] ?? 0) + n;
    }
  });
  if (found.size === 0) return [];
  const rows = [...found.values()].map(({ row, kernels }) => ({
    ...row,
    entry: { ...row.entry, summary: `In the kernel: ${[...kernels].join('; ')}` },
  }));
  const sum = { id: 'all', name: 'all', summary: '', unit: 'count', better: 'none' };
  return [
    { entry: sum, values: all },
    ...rows.sort((a, b) => a.entry.name.localeCompare(b.entry.name)),
  ];
}
