import { describe, expect, it } from 'vitest';
import type { MachineTree } from '../../sim/types/MachineTree';
import type { Scenario } from '../../sim/types/Scenario';
import {
  cpuAt,
  haveNumbers,
  numberSize,
  numbersOf,
  numberY,
  rowsAbout,
  rowsOf,
  explainedCpus,
  usedCpus,
} from './rows';

const zeros = [0, 0, 0, 0, 0, 0, 0, 0];
const tree = {
  core: [0, 1, 2, 3, 0, 1, 2, 3],
  thread: [0, 0, 0, 0, 1, 1, 1, 1],
  node: zeros,
  llc: zeros,
  package: zeros,
  cluster: zeros,
  kind: zeros,
  kinds: [''],
  caches: [],
} as unknown as MachineTree;

type Used = Pick<Scenario, 'groups' | 'background' | 'edits'>;
const scenario = (allowed: readonly (number[] | undefined)[], fields: string[] = []) =>
  ({
    groups: allowed.map((cpus) => ({ allowed: cpus })),
    edits: fields.map((field) => ({ atNs: 0, set: { [`groups.*.${field}`]: 1 } })),
  }) as unknown as Used;

describe('rows of timelines', () => {
  it('are those of CPUs on which threads may run, if the scenario names them', () => {
    expect(usedCpus(scenario([[0], [0, 4]]))).toEqual(new Set([0, 4]));
    expect(usedCpus(scenario([[0], []]))).toBeNull();
    expect(usedCpus(scenario([[0], undefined]))).toBeNull();
    expect(usedCpus(scenario([[0]], ['nice']))).toEqual(new Set([0]));
    expect(usedCpus(scenario([[0]], ['nice', 'allowed']))).toBeNull();
    const daemons = { background: {} } as unknown as Used;
    expect(usedCpus({ ...scenario([[0]]), ...daemons })).toBeNull();
  });

  it('share the height among the CPUs that have a row', () => {
    const all = rowsOf(tree, 160);
    expect(all.order).toEqual([0, 4, 1, 5, 2, 6, 3, 7]);
    const some = rowsOf(tree, 160, new Set([3, 7]));
    expect(some.order).toEqual([3, 7]);
    expect(some.height).toBeGreaterThan(70);
    expect(some.top).toHaveLength(8);
    expect(cpuAt(some, 10)).toBe(3);
    expect(cpuAt(some, 150)).toBe(7);
  });

  it('are those of an answer where all of them are too low for letters', () => {
    const at = [6, 1, 2];
    const told = { cpu: 1, left: 7, tasks: [0, 1] };
    expect([...explainedCpus(tree, told, at)]).toEqual([1, 2, 3, 5, 6, 7]);
    const about = explainedCpus(tree, { ...told, tasks: [] }, at);
    expect([...about]).toEqual([1, 3, 5, 7]);
    expect(explainedCpus(tree, { cpu: null, left: null, tasks: [] }, at).size).toBe(0);
    // Digits of 20 px need 15 px from one row to the next but one.
    expect(haveNumbers(rowsOf(tree, 100), 20, 34)).toBe(true);
    expect(haveNumbers(rowsOf(tree, 60), 20, 34)).toBe(false);
    expect(rowsAbout(tree, 40, about, 20, 34).order).toEqual([1, 5, 3, 7]);
    // As many others as have room.
    expect(rowsAbout(tree, 60, about, 20, 34).order).toEqual([0, 4, 1, 5, 3, 7]);
    expect(haveNumbers(rowsAbout(tree, 60, about, 20, 34), 20, 34)).toBe(true);
  });

  it('have no numbers over each other in the highest rows', () => {
    // Rows of 7 px: the first number stands lower than the middle of its row, to be whole.
    const rows = rowsOf(tree, 58);
    const px = numberSize(rows, 20, 33);
    const left = numbersOf(rows, px, 33).filter(({ column }) => column === 1);
    const at = left.map(({ cpu }) => numberY(rows, cpu, px));
    expect(at).toHaveLength(4);
    for (const [i, y] of at.slice(1).entries()) expect(y - (at[i] ?? 0)).toBeGreaterThan(0.72 * px);
  });

  it('are higher where no sibling has to be told apart', () => {
    const alone = { ...tree, core: [0, 1, 2, 3, 4, 5, 6, 7] };
    const rows = rowsOf(alone, 207);
    // As high as letters of 20 px need, on eight CPUs in front of a class.
    expect(rows.height).toBeGreaterThanOrEqual(23);
    expect((rows.top[1] ?? 0) - rows.height).toBeLessThanOrEqual(3);
  });

  it('have a number each beside a presented reason, and in three lanes', () => {
    const all = (height: number, px: number) => numbersOf(rowsOf(tree, height), px, 30);
    // Rows of 15 px and digits of 20 px, which are 15 px high: two columns by turns.
    expect(all(134, 20).map(({ cpu }) => cpu)).toEqual([0, 4, 1, 5, 2, 6, 3, 7]);
    expect(all(134, 20).map(({ column }) => column)).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    // Rows of 18 px.
    expect(new Set(all(160, 20).map(({ column }) => column))).toEqual(new Set([0]));
    expect(all(72, 12).map(({ column }) => column)).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
    // Too low for both.
    expect(all(30, 12).length).toBeLessThan(8);
  });

  it('are smaller in front of a class where only so each row has its own', () => {
    const many = rowsOf({ ...tree, core: [...Array(16).keys()] } as unknown as MachineTree, 110);
    expect(numbersOf(many, 20, 33).length).toBeLessThan(16);
    const px = numberSize(many, 20, 33);
    expect(px).toBeLessThan(20);
    expect(numbersOf(many, px, 33).length).toBe(16);
    expect(numberSize(rowsOf(tree, 160), 20, 33)).toBe(20);
    // Where even the smallest do not fit, those that fit are as large as other letters.
    expect(numberSize(rowsOf(tree, 20), 20, 33)).toBe(20);
  });

  it('are left out where they would be printed over each other at the edges', () => {
    const many = rowsOf({ ...tree, core: [...Array(16).keys()] } as unknown as MachineTree, 96);
    const at = numbersOf(many, 20, 30).map(({ cpu }) => numberY(many, cpu, 20));
    expect(at.length).toBeGreaterThan(2);
    for (const [i, y] of at.slice(1).entries()) expect(y - (at[i] ?? 0)).toBeGreaterThan(17);
  });
});
