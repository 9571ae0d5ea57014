// npm run frames: what a picture of the page costs the main thread while it plays, for three sizes.
//   node scripts/frames.mjs [--scheduler ID[:ERA]]     needs a built page: npm run build
// The figures are of this machine at this moment. The browser draws in software here.
import { readFileSync } from 'node:fs';
import { heading, main, note } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { browse, crowd } from './lib/page-session.mjs';
import { inRoot } from './lib/paths.mjs';

/** Real time that is measured, after some to warm up. */
const MEASURED_MS = 6_000;
const WARM_UP_MS = 1_500;

/** Twice the 32-core Opteron. */
function sixtyFour() {
  const machine = JSON.parse(readFileSync(inRoot('scenarios/machines/mc32.json'), 'utf8'));
  machine.id = 'mc64';
  machine.name = 'Twice the 32-core Opteron';
  machine.topology.packages[0].count *= 2;
  delete machine.memory.distances;
  return machine;
}

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

async function measure(session, machine, threads, scheduler) {
  const scenario = crowd(machine, threads, [scheduler]);
  const page = await session.open({ scenario, width: 1920, height: 1080 });
  await page.evaluate(() => window.__sim.seek(200e6));
  await page.evaluate(() => window.__sim.whenIdle());
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForTimeout(WARM_UP_MS);
  await page
    .context()
    .browser()
    .startTracing(page, { categories: ['devtools.timeline'] });
  await page.waitForTimeout(MEASURED_MS);
  const trace = JSON.parse((await page.context().browser().stopTracing()).toString());
  await page.close();
  // Time that the thread worked (`tdur`), not time that passed: others may use the CPUs meanwhile.
  const costs = trace.traceEvents
    .filter((e) => e.name === 'FireAnimationFrame' && e.ph === 'X')
    .map((e) => (e.tdur ?? e.dur) / 1000)
    .sort((x, y) => x - y);
  return { median: at(costs, 0.5), p95: at(costs, 0.95), n: costs.length };
}

await main(async () => {
  const [text = 'ule:11.1'] = option(process.argv.slice(2), '--scheduler', { all: true });
  const [id, era] = text.split(':');
  const scheduler = era === undefined ? { id } : { id, era };
  heading(`Main-thread work for a picture, ${text}, 1920 × 1080`);
  const session = await browse();
  for (const [name, machine, threads] of [
    ['8 CPUs × 8 threads', 'k8x4', 8],
    ['64 CPUs × 500 threads', sixtyFour(), 500],
    ['192 CPUs × 2,000 threads', 'epyc9654', 2000],
  ]) {
    const { median, p95, n } = await measure(session, machine, threads, scheduler);
    note(`${name.padEnd(26)} median ${median.toFixed(2)} ms   p95 ${p95.toFixed(2)} ms   of ${n}`);
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
});
