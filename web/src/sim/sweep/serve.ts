/** Carries out whole runs, one after the other. */
import { messageOf } from '../../lib/assert';
import { breakageOf } from '../broken';
import { type InitOutput, run } from '../pkg/sim_wasm';
import type { Job, Outcome } from './protocol';

/** Answers jobs as soon as the core is there. */
export function serveRuns(ready: Promise<InitOutput>): void {
  async function answer({ id, scenario, probe, at, measure }: Job): Promise<Outcome> {
    try {
      await ready;
      const { columns, values } = run(scenario, probe, Float64Array.from(at), measure);
      return { id, columns, values };
    } catch (error) {
      const exports = await ready.catch(() => null);
      const breakage = breakageOf(error, exports?.memory.buffer.byteLength ?? 0);
      return { id, error: breakage?.message ?? messageOf(error), broken: breakage !== null };
    }
  }
  self.onmessage = async (event: MessageEvent<Job>) => {
    const outcome = await answer(event.data);
    const transfer = 'values' in outcome ? [outcome.values.buffer] : [];
    self.postMessage(outcome, { transfer });
  };
}
