import { describe, expect, it } from 'vitest';
import { openLab } from '../../state/test-lab';
import { isFirstTurn } from './recent-moves';

describe('the first turn of a new thread', () => {
  it('is over with the next turn on its CPU, though the thread runs there again', async () => {
    const lab = await openLab('s.s3-nice');
    const firstAt = async (ns: number): Promise<boolean | null> => {
      await lab.playback.seek(ns);
      const lane = lab.run.lanes[0];
      const first = lane?.history.firstPlace;
      return lane && first ? isFirstTurn(lane.history, first) : null;
    };
    expect(await firstAt(100e6)).toBe(true);
    expect(await firstAt(300e6)).toBe(false);
  });
});
