// The queue of EEVDF with 1, 5, 40 and 500 threads of real runs, for scripts/states.mjs.

/** A scenario with a number of threads on CPU 0: hogs, a fifth of them nice 5, and a fifth that sleep now and then. */
export function onOneCpu(threads, tunables = {}) {
  const few = Math.floor(threads / 5);
  const group = (name, count, behaviour, more = {}) => ({
    ...{ name, count, behaviour, allowed: [0] },
    ...more,
  });
  const often = { computeUs: 900, sleepUs: 4000 };
  return {
    version: 1,
    name: `EEVDF, ${threads} threads on a CPU`,
    seed: 1,
    machine: 'i7860',
    schedulers: [
      { id: 'eevdf', era: '6.12', tunables: { groupPerApplication: false, ...tunables } },
    ],
    groups: [
      group('hog', threads - 2 * few, { kind: 'compute' }),
      group('nice', few, { kind: 'compute' }, { nice: 5 }),
      group('type', few, { kind: 'interactive', params: often }),
    ].filter(({ count }) => count > 0),
    end: { atNs: 60e9 },
  };
}

/**
 * Threads, and a moment in ms at which a sleeping thread has yet to leave, or all threads have had their first turns.
 * @type {readonly (readonly [number, number])[]}
 */
export const LINES = [
  [1, 900],
  [5, 5763.8],
  [40, 1797],
  [500, 5000],
];
