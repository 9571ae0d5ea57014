import { describe, expect, it } from 'vitest';
import { wayUp } from './why-way';

const thread = { x: 100, y: 50, w: 40, h: 40 };

describe('the line from an answer to its thread', () => {
  it('goes straight up where nobody stands in its way', () => {
    expect(wayUp(200, thread, [{ x: 0, y: 100, w: 60, h: 40 }])).toEqual([
      [120, 200],
      [120, 90],
    ]);
    // Beside it in the machine, not below it.
    expect(wayUp(200, thread, [{ x: 110, y: 0, w: 40, h: 40 }])).toHaveLength(2);
  });

  it('passes beside the threads that wait below, and still ends at its own', () => {
    const waiting = [
      { x: 60, y: 110, w: 40, h: 40 },
      { x: 100, y: 110, w: 40, h: 40 },
    ];
    const way = wayUp(200, thread, waiting);
    expect(way).toEqual([
      [146, 200],
      [146, 100],
      [120, 100],
      [120, 90],
    ]);
  });

  it('keeps to the page', () => {
    const way = wayUp(200, { x: 2, y: 50, w: 30, h: 30 }, [{ x: 4, y: 110, w: 40, h: 40 }]);
    expect(way[0]).toEqual([50, 200]);
  });
});
