import { describe, expect, it } from 'vitest';
import { Samples } from '../../../../sim/samples';
import { waitingTable } from './table';

const span = { fromNs: 100, toNs: 200 };

describe('queue lengths as a table', () => {
  it('sums up the number of waiting threads', () => {
    // Rows of time, one cause, one group, the global queue, and the queues of two CPUs.
    const width = 6;
    const rows = [
      [90, 0, 0, 9, 9, 9],
      [100, 0, 0, 1, 0, 2],
      [150, 0, 0, 3, 0, 2],
      [200, 0, 0, 2, 0, 5],
      [210, 0, 0, 9, 9, 9],
    ];
    const data = Float64Array.from([width, ...rows.flat()]);
    const samples = new Samples(data, { causes: 1, groups: 1, cpus: 2 }, []);
    expect(waitingTable(span, samples, [0, 1], { global: true, perCpu: true }).rows).toEqual([
      ['global queue', '1', '2', '3', '2'],
      ['cpu 0', '0', '0', '0', '0'],
      ['cpu 1', '2', '3', '5', '5'],
    ]);
  });
});
