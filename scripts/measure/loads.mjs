// npm run measure loads: how the page takes the largest files and links, valid or not, as a table.
//   node scripts/measure/loads.mjs [PART OF A NAME]     needs a built page: npm run build
//   node scripts/measure/loads.mjs --play [MINUTES [MACHINE THREADS]]   the memory of a page that plays so long (30), once
//                                               a minute, when garbage has been collected. On a small machine all
//                                               histories are full within minutes: i7860 60
// The inputs are the list in scripts/lib/loads.mjs. The figures are of this machine at this moment:
// `answer`: until the page stands still again, with a scenario or with the list of what is wrong;
// `longest`: the longest task of the page's thread, in which nothing that a person does is answered;
// `nodes`: elements of the page; `memory`: of the process that holds page and worker, where the system tells (Linux),
// at its highest, without the browser's own program, which all pages share.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { main } from '../lib/entry.mjs';
import { heading, note } from '../lib/log.mjs';
import { LOAD, loads } from '../lib/loads.mjs';
import { browse, crowd } from '../lib/page-session.mjs';

/** Longest wait for one input. */
const GIVEN_UP_MS = 120_000;

/** Memory of a page's process in MB, now and at its peak; null if the system does not tell. */
async function memoryOf(page) {
  const session = await page.context().browser().newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const sizes = processInfo
    .filter(({ type }) => type === 'renderer')
    .flatMap(({ id }) => {
      try {
        const status = readFileSync(`/proc/${id}/status`, 'utf8');
        const [highest, now, program] = ['VmHWM', 'VmRSS', 'RssFile'].map((field) =>
          Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]),
        );
        if (Number.isNaN(highest - now - program)) return [];
        return [{ now: (now - program) / 1024, highest: (highest - program) / 1024 }];
      } catch {
        return [];
      }
    });
  return sizes.sort((a, b) => b.highest - a.highest)[0] ?? null;
}

/** Records the longest task of the page's thread from now on. */
const watchTasks = (page) =>
  page.evaluate(() => {
    window.longestTask = 0;
    window.tasksFrom = performance.now();
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries())
        if (startTime >= window.tasksFrom)
          window.longestTask = Math.max(window.longestTask, duration);
    }).observe({ entryTypes: ['longtask'] });
  });

/** Drops a file on the page, and waits for the page's reaction. */
async function openFile(page, text) {
  // A separate call, so that transferring the text is not measured.
  await page.evaluate((content) => {
    window.load = new File([content], 'load.json');
  }, text);
  await watchTasks(page);
  return page.evaluate(async (expected) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(window.load);
    const began = performance.now();
    const drop = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('drop', drop));
    const isAnswered = () =>
      document.querySelector('dialog[open] #file-problems') ||
      document.querySelector('option')?.textContent === expected;
    while (!isAnswered()) await new Promise(requestAnimationFrame);
    await window.__sim.whenIdle();
    return performance.now() - began;
  }, LOAD);
}

async function openLink(page, fragment) {
  await watchTasks(page);
  return page.evaluate(
    async ([hash, expected]) => {
      const began = performance.now();
      location.hash = hash;
      const isAnswered = () =>
        document.querySelector('.notice') ||
        document.querySelector('option')?.textContent === expected;
      while (!isAnswered()) await new Promise(requestAnimationFrame);
      await window.__sim.whenIdle();
      return performance.now() - began;
    },
    [fragment, LOAD],
  );
}

async function measure(session, { file, link }) {
  const page = await session.open({ width: 1280, height: 800 });
  page.setDefaultTimeout(GIVEN_UP_MS);
  try {
    const answer = await (file ? openFile(page, file()) : openLink(page, link()));
    // A task is reported after its end, so wait for the next one.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    const longest = await page.evaluate(() => window.longestTask);
    const nodes = await page.evaluate(() => document.getElementsByTagName('*').length);
    return { answer, longest, nodes, memory: await memoryOf(page) };
  } finally {
    await page.close();
  }
}

/** The memory of a page that plays three lanes as fast as it can, minute by minute. */
async function play(minutes, machine, threads) {
  const session = await browse();
  const scenario = crowd(machine, threads, [{ id: 'ule' }, { id: 'cfs' }, { id: 'bfs' }]);
  const page = await session.open({ scenario, width: 1280, height: 800 });
  const cdp = await page.context().newCDPSession(page);
  await page.locator('.speed button[aria-pressed]').click();
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  heading(`Memory of three lanes of ${machine} and ${threads} threads, while they play`);
  note(cells('minute', 'process', 'script', 'simulated'));
  for (let minute = 0; minute <= minutes; minute++) {
    if (minute > 0) await pause(60_000);
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const { now } = await memoryOf(page);
    const simulated = await page.evaluate(() => window.__sim.nowNs());
    note(
      cells(
        String(minute),
        `${Math.round(now)} MB`,
        `${Math.round(usedSize / 1024 / 1024)} MB`,
        `${(simulated / 1e6).toFixed(1)} ms`,
      ),
    );
  }
  await session.close();
  for (const complaint of session.complaints) note(complaint);
}

const cells = (name, ...rest) => name.padEnd(28) + rest.map((cell) => cell.padStart(12)).join('');

await main(async () => {
  const [part = '', minutes = '30', machine = 'epyc9654', threads = '1500'] = process.argv.slice(2);
  if (part === '--play') {
    await play(Number(minutes), machine, Number(threads));
    return;
  }
  heading('The largest inputs');
  note(cells('input', 'answer', 'longest', 'nodes', 'memory'));
  for (const load of loads.filter(({ name }) => name.includes(part))) {
    // A new browser each time: memory that one input leaves does not count for the next.
    const session = await browse();
    const { answer, longest, nodes, memory } = await measure(session, load);
    await session.close();
    note(
      cells(
        load.name,
        `${Math.round(answer)} ms`,
        longest === 0 ? '< 50 ms' : `${Math.round(longest)} ms`,
        nodes.toLocaleString('en'),
        memory === null ? '?' : `${Math.round(memory.highest)} MB`,
      ),
    );
    for (const complaint of session.complaints) note(complaint);
  }
});
