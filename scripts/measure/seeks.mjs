// npm run measure seeks: how long a jump to any moment of a run takes, once the run is known.
//   node scripts/measure/seeks.mjs [--scheduler ID[:ERA]] [--seconds N]     needs a built page: npm run build
// The figures are of this machine at this moment. Ten minutes (--seconds 600) of the largest take that long to run.
import { main } from '../lib/entry.mjs';
import { heading, note } from '../lib/log.mjs';
import { option } from '../lib/options.mjs';
import { browse, crowd, sixtyFour } from '../lib/page-session.mjs';

const JUMPS = 40;

/** Times all over the run in a fixed order that looks random: the golden ratio leaves no gaps. */
const moments = (endNs) =>
  Array.from({ length: JUMPS }, (_, i) => Math.floor(((i * 0.618034) % 1) * endNs));

async function measure(session, scenario, seconds) {
  const endNs = seconds * 1e9;
  const page = await session.open({ scenario, width: 1280, height: 800 });
  const jump = (ns) =>
    page.evaluate(async (to) => {
      const began = performance.now();
      await window.__sim.seek(to);
      return performance.now() - began;
    }, ns);
  const first = (await jump(endNs)) / 1000;
  const took = [];
  for (const ns of moments(endNs)) took.push(await jump(ns));
  await page.close();
  took.sort((a, b) => a - b);
  return { first, median: took[JUMPS / 2], p90: took[Math.floor(0.9 * JUMPS)], max: took.at(-1) };
}

await main(async () => {
  const args = process.argv.slice(2);
  const [text = 'ule:11.1'] = option(args, '--scheduler', { all: true });
  const [seconds = '60'] = option(args, '--seconds', { all: true });
  const [id, era] = text.split(':');
  const scheduler = era === undefined ? { id } : { id, era };
  heading(`Jumps to ${JUMPS} moments of ${seconds} s, ${text}, in ms`);
  const session = await browse();
  for (const [name, machine, threads] of [
    ['8 CPUs × 24 threads', 'i7860', 24],
    ['64 CPUs × 500 threads', sixtyFour(), 500],
    ['192 CPUs × 2,000 threads', 'epyc9654', 2000],
  ]) {
    const { first, ...ms } = await measure(
      session,
      crowd(machine, threads, [scheduler]),
      Number(seconds),
    );
    const words = Object.entries(ms).map(([what, value]) => `${what} ${Math.round(value)}`);
    note(
      `${name.padEnd(26)} ${words.join('   ')}   (run for the first time: ${first.toFixed(1)} s)`,
    );
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
});
