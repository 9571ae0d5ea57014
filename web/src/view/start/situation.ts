/** The content of a small drawing of a scenario: running threads by CPU, waiting threads, and shares. */
import { labelsOf } from '../../lib/thread-labels';
import { groupHue, type ThreadHue, taskHue } from '../../lib/thread-hues';
import type { MachineTree } from '../../sim/types/MachineTree';
import { nice as niceText } from '../../lib/format';
import type { Scenario } from '../../sim/types/Scenario';
import type { Shot } from '../../state/preview.svelte';

/** A thread of the workload. */
export interface Token {
  readonly task: number;
  readonly hue: ThreadHue;
  /** Its number within its group. */
  readonly label: string;
  /** Its nice value in words, where values differ. */
  readonly note?: string;
}

/** Part of the time that a thread or group has run so far. */
export interface Share {
  readonly name: string;
  readonly hue: ThreadHue;
  /** Null before it begins. */
  readonly part: number | null;
  /** When it begins, ns. */
  readonly fromNs: number;
}

/** See the module comment. Background threads are left out. */
export interface Situation {
  readonly tree: MachineTree;
  /** By CPU. */
  readonly running: readonly (Token | null)[];
  /** In the order of the queues. */
  readonly waiting: readonly Token[];
  /** By thread, or by group if there are many threads. */
  readonly shares: readonly Share[];
  /** How many threads have no bar of their own, as there are too many. */
  readonly more: number;
}

/** Most bars: more could not be compared. */
const MOST_SHARES = 5;

/** Groups, and the group of each thread. */
type Names = Parameters<typeof taskHue>[0];

/** A thread, its group by number, its part of the time, and when it begins. */
interface Part {
  readonly token: Token;
  readonly group: number;
  readonly part: number | null;
  readonly fromNs: number;
}

/** When each thread of the workload begins. */
function startsOf({ groups }: Pick<Scenario, 'groups'>): readonly number[] {
  return groups.flatMap(({ count, startNs, startSpacingNs, parent }) =>
    Array.from({ length: count }, (_, i) => startNs + (parent ? 0 : i * startSpacingNs)),
  );
}

function sharesOf(
  parts: readonly Part[],
  groups: readonly string[],
  names: Names,
): Pick<Situation, 'more' | 'shares'> {
  const present = groups.flatMap((name, group) => {
    const members = parts.filter((p) => p.group === group);
    return members.length > 0 ? [{ name, group, members }] : [];
  });
  if (parts.length > MOST_SHARES && present.length > 1)
    return {
      shares: present.slice(0, MOST_SHARES).map(({ name, group, members }) => {
        const begun = members.flatMap(({ part }) => part ?? []);
        return {
          name: members.length > 1 ? `${String(members.length)} ${name}` : name,
          hue: groupHue(names, group),
          part: begun.length > 0 ? begun.reduce((sum, part) => sum + part, 0) : null,
          fromNs: Math.min(...members.map(({ fromNs }) => fromNs)),
        };
      }),
      more: 0,
    };
  const all = present.flatMap(({ name, members }) =>
    members.map(({ token, part, fromNs }, i) => ({
      name: members.length > 1 ? `${name} ${String(i + 1)}` : name,
      hue: token.hue,
      part,
      fromNs,
    })),
  );
  // The last row counts those that have none.
  const shares = all.slice(0, all.length > MOST_SHARES ? MOST_SHARES - 1 : MOST_SHARES);
  return { shares, more: all.length - shares.length };
}

/** The threads of a scenario before its start: all of them wait. */
export function situationBefore(scenario: Scenario, tree: MachineTree): Situation {
  const groups = scenario.groups.map(({ name }) => ({ name, background: false }));
  const taskGroup = scenario.groups.flatMap(({ count }, g) => Array<number>(count).fill(g));
  const tasks = scenario.groups.flatMap(({ count, name }) =>
    Array.from({ length: count }, (_, i) => `${name}-${String(i + 1)}`),
  );
  const names = { groups, taskGroup, tasks };
  const labels = labelsOf(names);
  const nices = scenario.groups.map(({ nice }) => nice);
  const differs = new Set(nices).size > 1;
  const waiting = taskGroup.map((group, task): Token => ({
    task,
    hue: taskHue(names, task),
    label: labels[task] ?? '',
    ...(differs && { note: `nice ${niceText(nices[group] ?? 0).replace('+', '')}` }),
  }));
  const starts = startsOf(scenario);
  const parts = waiting.map((token) => ({
    token,
    group: taskGroup[token.task] ?? 0,
    part: null,
    fromNs: starts[token.task] ?? 0,
  }));
  const shares = sharesOf(
    parts,
    scenario.groups.map(({ name }) => name),
    names,
  );
  return { tree, running: tree.core.map(() => null), waiting, ...shares };
}

/** Most threads that find every CPU taken: more of them would tell more than their number. */
const MOST_LEFT = 4;

/**
 * The same with each CPU's first thread on it, where equal threads are at least as many as CPUs. Every scheduler then
 * spreads them over nodes before it fills these; a test compares the drawn ones with their run.
 */
export function situationFirst(scenario: Scenario, tree: MachineTree): Situation {
  const before = situationBefore(scenario, tree);
  const cpus = tree.core.length;
  const [group, ...others] = scenario.groups;
  const isEqual = group !== undefined && others.length === 0 && group.allowed === undefined;
  const over = before.waiting.length - cpus;
  if (!isEqual || cpus === 1 || over < 0 || over > MOST_LEFT) return before;
  const seen = new Map<number, number>();
  const rank = tree.node.map((node) => {
    const nth = seen.get(node) ?? 0;
    seen.set(node, nth + 1);
    return nth;
  });
  const order = [...tree.core.keys()].sort((a, b) => (rank[a] ?? 0) - (rank[b] ?? 0) || a - b);
  const running = tree.core.map(() => null as Token | null);
  order.forEach((cpu, i) => {
    running[cpu] = before.waiting[i] ?? null;
  });
  return { ...before, running, waiting: before.waiting.slice(cpus) };
}

/** The threads at a moment of a run. */
export function situationOf({ lane, nowNs }: Shot, scenario: Pick<Scenario, 'groups'>): Situation {
  const { frame, names, tree } = lane;
  const labels = labelsOf(names);
  const tokens = names.tasks.map((_, task): Token | null =>
    lane.isBackground(task) ? null : { task, hue: taskHue(names, task), label: labels[task] ?? '' },
  );
  const running = [...frame.cpu('curr')].map((task) => tokens[task] ?? null);
  const waiters = frame.waiters();
  const waiting = Array.from(
    { length: waiters.length },
    (_, row) => tokens[waiters.task(row)] ?? [],
  ).flat();
  const runNs = frame.task('runNs');
  const starts = [...startsOf(scenario)];
  const parts = tokens.flatMap((token, task) => {
    if (!token) return [];
    const fromNs = starts.shift() ?? 0;
    const part = nowNs > fromNs ? (runNs[task] ?? 0) / nowNs : null;
    return [{ token, group: names.taskGroup[task] ?? 0, part, fromNs }];
  });
  const shares = sharesOf(
    parts,
    names.groups.map(({ name }) => name),
    names,
  );
  return { tree, running, waiting, ...shares };
}

/** How many cores have a thread of the workload, in words. */
export function sayBusy({ tree, running }: Situation): string {
  const busy = new Set(tree.core.filter((_, cpu) => running[cpu]));
  return `${String(busy.size)} of ${String(new Set(tree.core).size)} cores busy`;
}
