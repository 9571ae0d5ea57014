/// <reference types="node" />
/** The real core, for tests that must not believe what somebody wrote about it. */
import { readFileSync } from 'node:fs';
import type { CoreApi } from './lane-api';
import * as core from './pkg/sim_wasm';

core.initSync({ module: readFileSync(`${import.meta.dirname}/pkg/sim_wasm_bg.wasm`) });

/** The functions of the package. */
export const realCore: CoreApi = {
  catalog: () => core.catalog(),
  check: (scenario) => core.check(scenario),
  machineTree: (scenario) => core.machine_tree(scenario),
  digests: () => core.digests(),
  lane: (scenario, lane) => new core.Lane(scenario, lane),
};
