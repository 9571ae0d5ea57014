/** Records the first answers of the core, for the build. */
import { Host } from '../host';
import type { CoreApi } from '../lane-api';
import { written } from './recording';

/** Texts of the catalog, and of each shipped scenario where it opens, by its id. */
export interface Recorded {
  readonly catalog: string;
  readonly scenarios: Readonly<Record<string, string>>;
}

/** Records them. Its clock stands, so that the same core gives the same bytes. */
export async function record(core: CoreApi): Promise<Recorded> {
  const host = new Host(core, {
    clock: () => 0,
    breathe: () => Promise.resolve(),
    alive: () => undefined,
  });
  const scenarios: Record<string, string> = {};
  for (const { id, scenario } of host.catalog.scenarios) {
    const answer = await host.configure({ scenario, at: 'opening' });
    if ('problems' in answer)
      throw new Error(`${id} does not open: ${JSON.stringify(answer.problems)}`);
    scenarios[id] = written(answer);
  }
  return { catalog: written(host.catalog), scenarios };
}
