// npm run measure frames: what a picture of the page costs the main thread while it plays, for some sizes, with one and with
// more schedulers beside each other. Then the time between pictures and the time from a key on a slider to its picture, for
// the case of three lanes and for an empty page in the same browser.
//   node scripts/measure/frames.mjs [--scheduler ID[:ERA]] [--beside ID[:ERA]] [--only N]     needs a built page: npm run build
// `--only`: only the Nth row, from 1 on.
// The figures are of this machine at this moment. The browser draws in software here.
import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../lib/entry.mjs';
import { heading, note } from '../lib/log.mjs';
import { option } from '../lib/options.mjs';
import { browse, crowd, sixtyFour } from '../lib/page-session.mjs';

/** Real time to measure, after some warm-up. */
const MEASURED_MS = 6_000;
const WARM_UP_MS = 1_500;

const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];

/**
 * For each picture, the time that the page's thread worked (`tdur`), not elapsed time, as others may use the CPUs
 * meanwhile. `script`: all of the page's code between two pictures, including painting and forced layouts (a canvas
 * forces one when it changes its font). `layout`: styles and layouts, forced or not. `all`: including the browser's
 * other work, which without a graphics card includes filling the canvases' pixels.
 */
function costsOf(events) {
  const pictures = events
    .filter((e) => e.name === 'FireAnimationFrame' && e.ph === 'X')
    .sort((a, b) => a.ts - b.ts);
  const [{ pid, tid } = {}] = pictures;
  const own = events.filter((e) => e.pid === pid && e.tid === tid && e.ph === 'X');
  const perPicture = (names) => {
    const sums = new Array(pictures.length).fill(0);
    let until = -Infinity;
    let k = -1;
    for (const e of own.filter((e) => names.includes(e.name)).sort((a, b) => a.ts - b.ts)) {
      // Nested calls are part of these.
      if (e.ts < until) continue;
      until = e.ts + e.dur;
      while (k + 1 < pictures.length && pictures[k + 1].ts <= until) k += 1;
      if (k >= 0) sums[k] += (e.tdur ?? e.dur) / 1000;
    }
    sums.sort((x, y) => x - y);
    return { median: at(sums, 0.5), p95: at(sums, 0.95) };
  };
  const script = ['FireAnimationFrame', 'FunctionCall', 'RunMicrotasks', 'TimerFire'];
  return {
    picture: perPicture(['FireAnimationFrame']),
    script: perPicture(script),
    layout: perPicture(['UpdateLayoutTree', 'Layout']),
    all: perPicture(['RunTask', 'ThreadControllerImpl::RunTask']),
    n: pictures.length,
  };
}

async function measure(session, machine, threads, schedulers) {
  const scenario = crowd(machine, threads, schedulers);
  const page = await session.open({ scenario, width: 1920, height: 1080 });
  await page.evaluate(() => window.__sim.seek(200e6));
  await page.evaluate(() => window.__sim.whenIdle());
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await sleep(WARM_UP_MS);
  await page
    .context()
    .browser()
    .startTracing(page, { categories: ['devtools.timeline', 'toplevel'] });
  await sleep(MEASURED_MS);
  const trace = JSON.parse((await page.context().browser().stopTracing()).toString());
  await page.close();
  return costsOf(trace.traceEvents);
}

/** Keys that are pressed on a slider, and the time between two of them. */
const KEYS = 8;
const KEY_EVERY_MS = 500;

const says = ({ median, p95 }) => `${median.toFixed(1)} / ${p95.toFixed(1)}`;

function quantiles(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: at(sorted, 0.5), p95: at(sorted, 0.95) };
}

/** Real time between the pictures of a page. */
const betweenPictures = async (page) =>
  quantiles(
    await page.evaluate(
      (ms) =>
        new Promise((resolve) => {
          const gaps = [];
          let [first, last] = [0, 0];
          const step = (now) => {
            first ||= now;
            if (last > 0) gaps.push(now - last);
            last = now;
            if (now - first < ms) requestAnimationFrame(step);
            else resolve(gaps);
          };
          requestAnimationFrame(step);
        }),
      MEASURED_MS,
    ),
  );

/** Real time from a key on the slider of a page to the picture after it, as the browser tells it. */
async function fromKeys(page) {
  await page.evaluate(() => {
    window.keyTimes = [];
    new PerformanceObserver((list) => {
      for (const { name, duration } of list.getEntries())
        if (name === 'keydown') window.keyTimes.push(duration);
    }).observe({ type: 'event', durationThreshold: 16 });
  });
  await page.getByRole('slider').first().focus();
  for (let i = 0; i < KEYS; i += 1) {
    await page.keyboard.press(i % 2 === 0 ? 'ArrowLeft' : 'ArrowRight');
    await sleep(KEY_EVERY_MS);
  }
  const times = await page.evaluate(() => window.keyTimes);
  // The browser tells nothing of what takes less than 16 ms.
  return quantiles([...times, ...Array(Math.max(0, KEYS - times.length)).fill(8)]);
}

/** The same of a page that plays, and of one with nothing but a slider. */
async function answers(session, scenario) {
  const page = await session.open({ scenario, width: 1920, height: 1080 });
  const one = async (name) => {
    const [pictures, keys] = [await betweenPictures(page), await fromKeys(page)];
    note(`${name.padEnd(26)} between pictures ${says(pictures)}   from key ${says(keys)}`);
  };
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await sleep(WARM_UP_MS);
  await one('three lanes');
  await page.goto('about:blank');
  await page.setContent('<input type="range">');
  await one('an empty page');
  await page.close();
}

/** A scheduler in the notation of the command line. */
function schedulerOf(text) {
  const [id, era] = text.split(':');
  return era === undefined ? { id } : { id, era };
}

await main(async () => {
  const args = process.argv.slice(2);
  const [text = 'ule:11.1'] = option(args, '--scheduler', { all: true });
  const [besideText = 'cfs'] = option(args, '--beside', { all: true });
  const [only] = option(args, '--only', { all: true });
  const one = [schedulerOf(text)];
  const two = [...one, schedulerOf(besideText)];
  const three = [...two, { id: 'bfs' }];
  heading(`Main-thread work for a picture, ${text}, 1920 × 1080: median / 95th percentile in ms`);
  const rows = [
    ['8 CPUs × 8 threads', 'k8x4', 8, one],
    ['64 CPUs × 500 threads', sixtyFour(), 500, one],
    [`the same beside ${besideText}`, sixtyFour(), 500, two],
    ['192 CPUs × 2,000 threads', 'epyc9654', 2000, one],
    ['32 CPUs × 512, three lanes', 'mc32', 512, three],
  ];
  const session = await browse();
  for (const [name, machine, threads, schedulers] of only ? rows.slice(only - 1, only) : rows) {
    const { n, ...costs } = await measure(session, machine, threads, schedulers);
    const words = Object.entries(costs).map(
      ([what, { median, p95 }]) => `${what} ${median.toFixed(2)} / ${p95.toFixed(2)}`,
    );
    note(`${name.padEnd(26)} ${words.join('   ')}   of ${n}`);
  }
  if (!only || Number(only) === rows.length) {
    heading('Real time in ms: median / 95th percentile');
    await answers(session, crowd('mc32', 512, three));
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
});
