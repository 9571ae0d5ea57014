import { describe, expect, it } from 'vitest';
import type { LimitNow } from '../../../../sim/types/LimitNow';
import { budgetHeight, budgetsOf, type BudgetRow, tellBudget, untilNow } from './budget';

const MS = 1e6;
const LIMIT: LimitNow = {
  name: 'web',
  groups: [0],
  quotaNs: 50 * MS,
  periodNs: 100 * MS,
  leftNs: 0,
  filledAtNs: 200 * MS,
  refillAtNs: 300 * MS,
  held: [{ cpu: 1, sinceNs: 212 * MS }],
};

describe('what a control group had left', () => {
  // Two groups; the first has no limit.
  const rows = Float64Array.from([
    ...[0, 0, 0, 0, 0, 50 * MS, 50 * MS, 0, 0],
    ...[200 * MS, 0, 0, 0, 0, 50 * MS, 50 * MS, 0, 200 * MS],
    ...[204 * MS, 0, 0, 0, 0, 50 * MS, 34 * MS, 0, 200 * MS],
    ...[212 * MS, 0, 0, 0, 0, 50 * MS, 0, 3, 200 * MS],
  ]);

  it('is a state for each change of its own', () => {
    const [free = [], web = []] = budgetsOf(rows, 2);
    expect(free).toHaveLength(1);
    expect(web.map(({ leftNs }) => leftNs / MS)).toEqual([50, 50, 34, 0]);
    expect(web.map(({ isHeld }) => isHeld)).toEqual([false, false, false, true]);
    expect(web[1]?.filledAtNs).toBe(200 * MS);
  });

  it('ends with the present, and begins anew with a period that the answer does not know', () => {
    const web = budgetsOf(rows, 2)[1] ?? [];
    const now = untilNow(web, LIMIT, 237 * MS);
    expect(now.at(-1)).toMatchObject({ atNs: 237 * MS, leftNs: 0, isHeld: true });
    const next = {
      ...LIMIT,
      leftNs: 45 * MS,
      filledAtNs: 300 * MS,
      refillAtNs: 400 * MS,
      held: [],
    };
    const later = untilNow(web, next, 305 * MS);
    expect(later.slice(-2).map(({ atNs }) => atNs / MS)).toEqual([300, 305]);
    // What is known of the time after the present is not drawn.
    expect(untilNow(web, LIMIT, 203 * MS).map(({ atNs }) => atNs / MS)).toEqual([0, 200, 203]);
  });

  it('has a row only where the CPUs keep theirs', () => {
    expect(budgetHeight(160, 4, 0)).toBe(0);
    expect(budgetHeight(160, 4, 1)).toBeGreaterThan(50);
    expect(budgetHeight(60, 4, 1)).toBeGreaterThanOrEqual(16);
    expect(budgetHeight(60, 16, 1)).toBe(0);
  });

  it('is told in words at a place', () => {
    const states = untilNow(budgetsOf(rows, 2)[1] ?? [], LIMIT, 237 * MS);
    const row: BudgetRow = { top: 40, height: 20, states, limit: LIMIT, nowNs: 237 * MS };
    const axis = { fromNs: 0, toNs: 300 * MS, width: 500, height: 60 };
    const told = (y: number, ms: number) => tellBudget(axis, [row], y, ms * MS);
    expect(told(30, 220)).toBeNull();
    expect(told(45, 206)).toBe('control group web has 34.0 ms of 50 ms left');
    expect(told(45, 220)).toBe('control group web stands still');
    expect(told(45, 280)).toBe('control group web');
  });
});
