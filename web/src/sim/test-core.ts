/// <reference types="node" />
/** The real core, for tests that must not rely on hand-written data. */
import { readFileSync } from 'node:fs';
import type { CoreApi, LaneApi } from './lane-api';
import type { Checked } from './types/Checked';
import type { Scenario } from './types/Scenario';
import * as core from './pkg/sim_wasm';

core.initSync({ module: readFileSync(`${import.meta.dirname}/pkg/sim_wasm_bg.wasm`) });

/** The functions of the package. */
export const realCore: CoreApi = {
  catalog: () => core.catalog(),
  check: (scenario) => core.check(scenario),
  plan: (scenario) => new core.Plan(scenario),
  digests: () => core.digests(),
};

/** The core with lanes that the test changes. */
export const withLanes = (change: (lane: LaneApi, i: number) => LaneApi): CoreApi => ({
  ...realCore,
  plan: (json) => {
    const plan = realCore.plan(json);
    return {
      scenario: () => plan.scenario(),
      machine_tree: () => plan.machine_tree(),
      lane: (i) => change(plan.lane(i), i),
      free: () => {
        plan.free();
      },
    };
  },
});

/** A scenario as the core reads it, and its problems. */
export function checked(scenario: unknown): Checked {
  return JSON.parse(realCore.check(JSON.stringify(scenario))) as Checked;
}

/** A scenario as the core reads it, whether it can run or not. */
export function normal(scenario: unknown): Scenario {
  const { scenario: read, errors } = checked(scenario);
  if (!read) throw new Error(JSON.stringify(errors));
  return read;
}
