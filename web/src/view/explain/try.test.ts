/** The change that a card offers: what would have made the decision different. */
import { describe, expect, it } from 'vitest';
import { must } from '../../lib/assert';
import type { LaneState } from '../../state/lane.svelte';
import { labOfWalks, settled } from '../../state/test-lab';
import { changeAfter } from './try';

const told = (name: string, value: number) => ({
  reason: 'no_victim',
  operands: [{ name, value, unit: 'threads' }],
});

describe('after a refusal of ULE', () => {
  it('the card offers the threshold that would have let the CPU take the thread', async () => {
    const lab = await labOfWalks('l1.1');
    await settled(lab);
    const lane: LaneState = must(lab.run.lanes[0], 'a lane');
    expect(lane.scheduler).toBe('ule');
    const offer = changeAfter(lane, '2011-11', told('its load', 2));
    expect([offer?.spec.id, offer?.to]).toEqual(['stealThresh', 2]);
    // Its present value would change nothing, and not every number is a threshold.
    expect(changeAfter(lane, '2011-11', told('its load', 3))).toBeNull();
    expect(changeAfter(lane, '2011-11', told('its load', -1))).toBeNull();
    expect(changeAfter(lane, '2011-11', told('transferable', 2))).toBeNull();
    const other = must(lab.run.lanes[3], 'another lane');
    expect(changeAfter(other, undefined, told('its load', 2))).toBeNull();
  });
});
