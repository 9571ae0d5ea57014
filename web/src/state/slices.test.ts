import { expect, it } from 'vitest';
import { sliceOfGroup } from './slices';

/** A lane of one thread with a scheduler that has slices per thread. */
function laneWith(sliceNs: number, customSlice: number) {
  const columns: Readonly<Record<string, number>> = { sliceNs, customSlice };
  return {
    entry: { taskColumns: [{ id: 'customSlice' }] },
    names: { taskGroup: [0] },
    calm: { tasks: 1, taskIfAny: (id: string) => [columns[id]] },
  } as unknown as Parameters<typeof sliceOfGroup>[0][number];
}

it('shows the slice that was asked for where only a later lane grants it', () => {
  const lanes = [laneWith(3_000_000, 0), laneWith(20_000_000, 1)];
  expect(sliceOfGroup(lanes, 0)).toEqual({ sliceNs: 20_000_000, isOwn: true });
  expect(sliceOfGroup(lanes.slice(0, 1), 0)).toEqual({ sliceNs: 3_000_000, isOwn: false });
  expect(sliceOfGroup([], 0)).toBeNull();
});
