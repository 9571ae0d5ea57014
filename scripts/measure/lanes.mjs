// npm run measure lanes: four lanes on one clock in the page, as fast as they go, with one worker and with a worker for each core.
//   node scripts/measure/lanes.mjs [--rounds N]     needs a built page: npm run build
// The figures are of this machine at this moment; the fastest of some rounds, one after the other in turn. Where Linux counts
// it, the share of a processor is shown that workers, the page, the filling of pixels, and the rest of the browser used.
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../lib/entry.mjs';
import { heading, note } from '../lib/log.mjs';
import { option } from '../lib/options.mjs';
import { browse, crowd } from '../lib/page-session.mjs';
import { countThreads } from '../lib/thread-times.mjs';

/** Real time to measure, after some warm-up. */
const MEASURED_MS = 5_000;
const WARM_UP_MS = 2_000;
/** The longest possible run. */
const END_NS = 4 * 3600 * 1e9;

const each = (id) => [{ id }, { id }, { id }, { id }];
const ROWS = [
  ['16 CPUs × 64 threads, 4 × CFS', 'v890', 64, each('cfs')],
  ['16 CPUs × 64 threads, 4 × BFS', 'v890', 64, each('bfs')],
  [
    '16 CPUs × 64 threads, CFS, BFS, ULE, 4BSD',
    'v890',
    64,
    [{ id: 'cfs' }, { id: 'bfs' }, { id: 'ule' }, { id: '4bsd' }],
  ],
  ['8 CPUs × 24 threads, 4 × CFS', 'i7860', 24, each('cfs')],
];

/** Simulated seconds per second, time between pictures, and number of workers. */
async function measure(session, [, machine, threads, schedulers], cores) {
  const page = await session.open({
    scenario: { ...crowd(machine, threads, schedulers), end: { atNs: END_NS } },
    width: 1280,
    height: 800,
    script: `Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { get: () => ${cores} });`,
  });
  await page.getByRole('button', { name: 'max', exact: true }).click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await sleep(WARM_UP_MS);
  // The first announced moment slows time.
  await page.waitForFunction(
    () => !document.querySelector('.achieved')?.textContent.includes('slow'),
  );
  const used = countThreads();
  const got = await page.evaluate(async (ms) => {
    const began = performance.now();
    const fromNs = window.__sim.nowNs();
    let pictures = 0;
    while (performance.now() - began < ms) {
      await new Promise(requestAnimationFrame);
      pictures += 1;
    }
    const passed = performance.now() - began;
    return { rate: (window.__sim.nowNs() - fromNs) / 1e6 / passed, gap: passed / pictures };
  }, MEASURED_MS);
  const [shares, workers] = [used(), page.workers().length];
  await page.close();
  return { ...got, workers, shares };
}

await main(async () => {
  const [rounds = '3'] = option(process.argv.slice(2), '--rounds', { all: true });
  const cores = availableParallelism();
  heading(`Lanes × 4 on one clock, simulated seconds per second; ${cores} cores`);
  const session = await browse();
  for (const row of ROWS) {
    const best = new Map();
    for (let round = 0; round < Number(rounds); round++)
      for (const n of [1, cores]) {
        const got = await measure(session, row, n);
        if (got.rate > (best.get(n)?.rate ?? 0)) best.set(n, got);
      }
    const words = [...best.values()].map(
      ({ rate, gap, workers }) =>
        `${workers} worker${workers > 1 ? 's' : ''} ${rate.toFixed(rate < 10 ? 1 : 0)} (a picture every ${gap.toFixed(0)} ms)`,
    );
    const gain = best.get(cores).rate / best.get(1).rate;
    note(`${row[0].padEnd(44)} ${words.join('   ')}   ×${gain.toFixed(2)}`);
    for (const { workers, shares } of best.values()) {
      const parts = Object.entries(shares).map(([kind, part]) => `${kind} ${part.toFixed(2)}`);
      note(`${''.padEnd(44)} with ${workers}: ${parts.join(', ')} processors`);
    }
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
});
