/** Places of the rows of a timeline: one per CPU, siblings adjacent, with gaps between cores, caches and nodes. */
import type { MachineTree } from '../../sim/types/MachineTree';
import { type Edit, settingOf } from '../../sim/property/edit';
import type { Scenario } from '../../sim/types/Scenario';
import { cpuOrder } from '../machine/areas';

/** Rows of a timeline in CSS pixels. */
export interface Rows {
  /** CPUs from top to bottom. */
  readonly order: readonly number[];
  /** Top of each CPU's row, by CPU; NaN for one without a row, so that nothing of it is drawn. */
  readonly top: readonly number[];
  /** Height of a row. */
  readonly height: number;
  /** Beginning of a node or an outer cache, with its name. */
  readonly marks: readonly { readonly y: number; readonly name: string }[];
}

/**
 * The CPUs on which threads of a scenario may ever run, if it names them and no edit pins threads; null for all CPUs.
 * Rows of other CPUs would be empty, and many of them would take the room.
 */
export function usedCpus({
  groups,
  background,
  edits = [],
}: Pick<Scenario, 'groups' | 'background' | 'edits'>): ReadonlySet<number> | null {
  const moves = ['allowed', 'count'];
  const isMove = (edit: Edit) =>
    edit.copy !== undefined || moves.includes(settingOf(edit)?.field ?? '');
  if (background !== undefined || edits.some(isMove)) return null;
  const allowed = groups.map((group) => group.allowed ?? []);
  return allowed.some((cpus) => cpus.length === 0) ? null : new Set(allowed.flat());
}

/** What an open answer speaks of: see `Selection.told`. */
interface Explained {
  readonly cpu: number | null;
  readonly left: number | null;
  readonly tasks: readonly number[];
}

/** The CPUs that an answer is about, with their siblings; `at`: the CPU of each thread. */
export function explainedCpus(
  tree: MachineTree,
  { cpu, left, tasks }: Explained,
  at: ArrayLike<number>,
): ReadonlySet<number> {
  const named = [cpu, left, ...tasks.map((task) => at[task])];
  const cores = new Set(named.map((one) => tree.core[one ?? -1]));
  cores.delete(undefined);
  return new Set(tree.core.flatMap((core, one) => (cores.has(core) ? [one] : [])));
}

/** Lays out rows in a height, for all CPUs or for some. */
export function rowsOf(
  tree: MachineTree,
  height: number,
  used: ReadonlySet<number> | null = null,
): Rows {
  const order = cpuOrder(tree).filter((cpu) => used?.has(cpu) ?? true);
  const cores = new Set(order.map((cpu) => tree.core[cpu])).size;
  // Gaps tell siblings from other cores; without siblings the room is for the rows.
  const widest = order.length > cores ? 3 : 2;
  const gap = height > cores * 9 ? widest : height > cores * 4 ? 1 : 0;
  const hasNodes = new Set(tree.node).size > 1;
  const outer = (cpu: number) => (hasNodes ? (tree.node[cpu] ?? 0) : (tree.llc[cpu] ?? 0));
  const groups = new Set(order.map(outer)).size;
  // Between groups of two it would be no less than a row in all.
  const isPaired = order.length <= 2 * groups && order.length === cores;
  const wide = groups > 1 && height > groups * 12 && !isPaired ? 4 : 0;
  const row = Math.max(
    0.5,
    (height - gap * (cores - 1) - wide * (groups - 1)) / Math.max(1, order.length),
  );
  const top = new Array<number>(tree.core.length).fill(Number.NaN);
  const marks: { y: number; name: string }[] = [];
  const word = hasNodes ? 'node' : 'L3';
  let y = 0;
  let last: number | undefined;
  for (const cpu of order) {
    if (last !== undefined && tree.core[cpu] !== tree.core[last]) y += gap;
    if (last !== undefined && outer(cpu) !== outer(last)) y += wide;
    if (groups > 1 && (last === undefined || outer(cpu) !== outer(last)))
      marks.push({ y, name: `${word} ${String(outer(cpu))}` });
    top[cpu] = y;
    y += row;
    last = cpu;
  }
  return { order, top, height: Math.max(0.5, row - (row > 3 ? 1 : 0)), marks };
}

/** Height of digits, and a little air, as a part of their size: below each other, and in two columns by turns. */
const DIGIT_HEIGHT = [0.9, 0.75] as const;
/** Width of a digit, as a part of its size. */
const DIGIT_WIDTH = 0.63;

/** The rows of an answer, and as many others as have room for their numbers, from the first one on. */
export function rowsAbout(
  tree: MachineTree,
  height: number,
  about: ReadonlySet<number>,
  px: number,
  width: number,
): Rows {
  const others = cpuOrder(tree).filter((cpu) => !about.has(cpu));
  for (let more = others.length; more > 0; more--) {
    const rows = rowsOf(tree, height, new Set([...about, ...others.slice(0, more)]));
    if (haveNumbers(rows, px, width)) return rows;
  }
  return rowsOf(tree, height, about);
}

/** The number of a CPU beside its row. */
export interface RowNumber {
  readonly cpu: number;
  /** How many columns of numbers stand to its right. */
  readonly column: number;
}

/** Where the number of a row stands: in its middle, but whole in the height of all rows. */
export function numberY(rows: Rows, cpu: number, px: number, below = 0): number {
  const { height, order, top } = rows;
  const last = (top[order.at(-1) ?? 0] ?? 0) + height - px * 0.36;
  return Math.max(px * 0.4, Math.min((top[cpu] ?? 0) + height / 2 + below, last));
}

/**
 * The numbers of rows in a room: below each other, else in two columns by turns. Where even these are too narrow, as
 * many as fit below each other, from the first one on.
 */
export function numbersOf(rows: Rows, px: number, width: number): readonly RowNumber[] {
  const { order } = rows;
  const digits = String(Math.max(0, ...order)).length;
  const most = Math.max(1, Math.floor(width / (digits * DIGIT_WIDTH * px)));
  const y = (cpu: number | undefined) => numberY(rows, cpu ?? -1, px);
  const fit =
    1 +
    DIGIT_HEIGHT.findIndex((part, more) =>
      order.every((cpu, i) => i <= more || y(cpu) - y(order[i - 1 - more]) >= part * px),
    );
  if (fit > 0 && fit <= most) return order.map((cpu, i) => ({ cpu, column: fit - 1 - (i % fit) }));
  let last = -Infinity;
  return order.flatMap((cpu) => {
    const at = numberY(rows, cpu, px);
    if (at - last < DIGIT_HEIGHT[0] * px) return [];
    last = at;
    return [{ cpu, column: 0 }];
  });
}

/** Whether each row has room for its number. */
export function haveNumbers(rows: Rows, px: number, width: number): boolean {
  return numbersOf(rows, px, width).length === rows.order.length;
}

/** Smallest size of the numbers. */
const LEAST_PX = 12;

/** The size of the numbers: smaller than other letters where only so each row has its own. */
export function numberSize(rows: Rows, px: number, width: number): number {
  for (let size = px; size >= LEAST_PX; size--) if (haveNumbers(rows, size, width)) return size;
  return px;
}

/** The CPU whose row is at a height; the nearest one. */
export function cpuAt(rows: Rows, y: number): number | null {
  let best: number | null = null;
  for (const cpu of rows.order) if ((rows.top[cpu] ?? 0) <= y) best = cpu;
  return best ?? rows.order[0] ?? null;
}
