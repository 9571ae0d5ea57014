import { describe, expect, it } from 'vitest';
import { tellQueue } from './tell';

describe('the card of a queue', () => {
  it('has the numbers that a program keeps of the CPU, then those of the whole lane', () => {
    const floor = { id: 'own:floor', label: 'floor', unit: '' };
    const lane = {
      scheduler: 'own',
      entry: { cpuColumns: [floor] },
      calm: { cpuIfAny: (id: string) => (id === floor.id ? [7, 8] : undefined) },
      // Of another CPU: numbers of the lane are the same there.
      detail: { cpu: 0, detail: { numbers: [['turn', 345]] } },
    } as unknown as Parameters<typeof tellQueue>[0];
    expect(tellQueue(lane, 1)).toEqual(['floor 8', 'turn 345']);
    expect(tellQueue({ ...lane, detail: null }, 1)).toEqual(['floor 8']);
  });
});
