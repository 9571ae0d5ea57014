import { expect, it } from 'vitest';
import { must } from '../lib/assert';
import type { LaneApi } from './lane-api';
import { findOpening } from './opening';
import { realCore } from './test-core';
import type { Catalog } from './types/Catalog';
import type { Scenario } from './types/Scenario';

const catalog = JSON.parse(realCore.catalog()) as Catalog;
const { scenario } = must(catalog.scenarios[0], 'a scenario');

/** A lane that works and works and does not get on. */
const busy = {
  now: () => -1,
  end_ns: () => 1e12,
  is_finished: () => false,
  advance: () => -1,
  step: () => undefined,
  task_groups: () => '{"groups": []}',
} as unknown as LaneApi;

it.each(['steal', 'wait', 'sharedCore', undefined] as const)(
  'a search for a moment ends, however much happens before: %s',
  (moment) => {
    const sought: Scenario = { ...scenario, opening: moment ? { moment } : {} };
    const search = findOpening(busy, catalog, sought, [0, 1]);
    let pieces = 0;
    let next = search.next();
    for (; next.done !== true && pieces < 10_000; pieces += 1) next = search.next();
    expect(next.done).toBe(true);
    expect(pieces).toBeGreaterThan(50);
    // Any other time would have to be reached first.
    expect(next.value).toBe(0);
  },
);
