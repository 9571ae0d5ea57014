import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, counts, page } from '../machines.mjs';

const machine = {
  id: 'toy',
  name: 'Toy',
  year: 2000,
  microarchitecture: 'none',
  purpose: 'To see the page.',
  clockMhz: 1500,
  topology: {
    packages: [
      {
        count: 2,
        nodes: [
          {
            count: 2,
            llcs: [
              {
                count: 1,
                cores: [
                  { count: 3, smt: 2 },
                  { count: 4, smt: 1 },
                ],
              },
            ],
          },
        ],
      },
    ],
  },
  work: { loopMilliCycles: 1000, overlapMilli: 800, lruStepMilli: 300 },
  caches: [
    { level: 1, bytes: 32768, per: 'core', latencyCycles: 4, linePs: 0 },
    { level: 2, bytes: 5240832, per: 'llc', latencyCycles: 9, linePs: 2400, portMilli: 1150 },
  ],
  memory: {
    localLatencyNs: 90,
    linePs: 12800,
    bandwidthMbPerS: 17000,
    domain: 'node',
    remote: [{ distance: 16, milli: 1500 }],
  },
  costs: {
    ...{ yieldNs: 300, switchNs: 1500, tickNs: 3000, kickNs: 1000 },
    ...{ idleExitNs: 0, idleExitDeepNs: 200000, lineTransferNs: 24, lineTransferFarNs: 94 },
  },
  provenance: [{ fields: ['year', 'topology'], mark: 'assumed', source: 'made up' }],
};

test('parts are counted through all levels', () => {
  assert.deepEqual(counts(machine), { packages: 2, nodes: 4, groups: 4, cores: 28, contexts: 40 });
});

test('sizes are shown in the largest unit that divides them', () => {
  assert.equal(bytes(8 * 2 ** 20), '8 MiB');
  assert.equal(bytes(5240832), '5118 KiB');
  assert.equal(bytes(1000), '1000 bytes');
});

test('the page has the numbers and their sources', () => {
  const text = page([machine]);
  for (const row of [
    '| `toy` | [Toy](#toy) | 2000 | 1.5 | 2 | 4 | 4 | 28 | 40 |',
    '| `toy` | 2 | 5118 KiB | llc | lru | 9 | 2.4 (× 1.15 shared) |',
    '| `toy` | 90 | 12.8 | × 1.5 at 16 | 17 | node | 1 | 0.8 | 0.3 |',
    '| `toy` | 0.3 | 1.5 | 3 | 1 | 0 | 200 | 24 / 94 |',
    '| `year`, `topology` | assumed | made up |',
  ]) {
    assert.ok(text.includes(row), row);
  }
});
