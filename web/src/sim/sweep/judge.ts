/** The claims package: which runs an experiment needs, and what its claims make of the results. */
import init, { Judge } from '../pkg/claims_wasm';

export type { Judge } from '../pkg/claims_wasm';

/** Loads the package and gives a judge of runs with so many seeds. */
export async function makeJudge(seeds: number): Promise<Judge> {
  await init();
  return new Judge(seeds, RUN_SECONDS);
}

/** Simulated seconds that runs without an end of their own take, as on the command line. */
const RUN_SECONDS = 60;
