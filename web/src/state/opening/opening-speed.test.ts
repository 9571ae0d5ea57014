import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from '../../sim/frame';
import { Host } from '../../sim/host';
import { realCore } from '../../sim/test-core';
import { openingSpeed } from './opening-speed';
import { DEFAULT_SPEED } from '../playback.svelte';

const host = new Host(realCore, {
  clock: () => performance.now(),
  breathe: () => Promise.resolve(),
  alive: () => undefined,
});

async function speedOf(id: string): Promise<number> {
  const scenario = host.catalog.scenarios.find((s) => s.id === id)?.scenario;
  if (!scenario) throw new Error(`no scenario ${id}`);
  // Scenarios that name no opening moment.
  const silent: unknown = { ...scenario, opening: undefined };
  const result = await host.configure({ scenario: silent, at: 'opening' });
  if ('problems' in result) throw new Error('refused');
  return openingSpeed(
    result.moment.lanes.map(
      (l, i) => new Frame(new FrameSchema(host.catalog, scenario.schedulers[i]?.id ?? ''), l.frame),
    ),
  );
}

describe('the speed at which a scenario opens', () => {
  it('is the usual one where slices are long', async () => {
    expect(await speedOf('bfs-smt')).toBe(DEFAULT_SPEED);
  });

  it('is low enough to see switches that come every few microseconds', async () => {
    const speed = await speedOf('s1-yield-storm');
    expect(speed).toBeGreaterThanOrEqual(1_000);
    expect(speed).toBeLessThanOrEqual(50_000);
  });
});
