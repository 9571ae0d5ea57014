// npm run test:browsers [-- chromium firefox webkit]: the built page in three engines. What a visit
// needs: it starts, plays, comes back from its link and without a network, runs as one file from a
// disk, and computes the digests of the native core for every shipped scenario. With --if-possible an
// engine that cannot be installed here is named and left out.
// With --no-build the page that is there is looked at.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { engines } from './lib/engines.mjs';
import { main } from './lib/entry.mjs';
import { complain, duration, Failure, heading, note } from './lib/log.mjs';
import { dist } from './lib/paths.mjs';
import { timeslice } from './lib/native.mjs';
import { run } from './lib/run.mjs';
import { serve } from './lib/server.mjs';
import { setUpEngine } from './lib/setup-engines.mjs';
import { setUp } from './setup.mjs';

const IDLE = `for (let i = 0; !window.__sim && i < 600; i++) await new Promise((r) => setTimeout(r, 50));
  await window.__sim.whenIdle();`;
const STATE = `${IDLE} return JSON.stringify([window.__sim.nowNs(), window.__sim.digests()]);`;
const START = 'v=2&x=bfs-smt&k=6&t=25';

const button = (name) =>
  `[...document.querySelectorAll('button')].find((b) => (b.ariaLabel ?? b.getAttribute('aria-label') ?? b.textContent).trim() === '${name}')`;

function same(what, found, wanted) {
  if (found !== wanted) throw new Failure(`${what}: ${found}\n  instead of ${wanted}`);
}

/** The checks, in the order of a visit. They share `page`. */
const checks = [
  [
    'starts at the moment of a link',
    async (engine, page) => {
      await engine.open(`${page.url}#${START}`);
      page.state = await engine.run(STATE);
      if (!page.state.startsWith('[25000000,["')) throw new Failure(page.state);
    },
  ],
  [
    'plays and pauses',
    async (engine) => {
      await engine.run(`${button('Play')}.click();
        for (let i = 0; window.__sim.nowNs() <= 30e6 && i < 600; i++) await new Promise((r) => setTimeout(r, 50));
        ${button('Pause')}.click(); ${IDLE}`);
      const now = await engine.run('return window.__sim.nowNs();');
      if (!(now > 30e6)) throw new Failure(`stands at ${now} ns`);
    },
  ],
  [
    'comes back from its own link',
    async (engine, page) => {
      const before = await engine.run(STATE);
      const link = await engine.run('return location.href;');
      await engine.open('about:blank');
      await engine.open(link);
      same('state', await engine.run(STATE), before);
      page.link = link;
    },
  ],
  [
    'computes the digests of the native core',
    async (engine, page) => {
      const found = await engine.run('return await window.__sim.shippedDigests();');
      same('digests', JSON.stringify(JSON.parse(found)), page.native);
    },
  ],
  [
    'opens without a network',
    async (engine, page) => {
      await engine.run('await navigator.serviceWorker.ready;');
      page.close();
      await engine.open('about:blank');
      await engine.open(`${page.url}#${START}`);
      same('state', await engine.run(STATE), page.state);
    },
  ],
  [
    'runs as one file from a disk',
    async (engine, page) => {
      const file = pathToFileURL(path.join(dist, 'timeslice.html')).href;
      await engine.open('about:blank');
      await engine.open(`${file}#${START}`);
      same('state', await engine.run(STATE), page.state);
    },
  ],
];

async function nativeDigests() {
  const { code, output } = await run(timeslice('digest', '--json'));
  if (code !== 0) throw new Failure(output);
  return JSON.stringify(JSON.parse(output));
}

/** An engine that runs, or the reason for its absence. */
async function start(name) {
  const reason = await setUpEngine(name);
  if (reason) return { reason };
  try {
    return { engine: await engines[name]() };
  } catch (error) {
    return { reason: `it does not start here: ${String(error.message ?? error)}` };
  }
}

async function visit(engine, native) {
  const begin = Date.now();
  heading(`${engine.name} ${engine.version}`);
  const { url, close } = await serve({ port: 4640 });
  const page = { url, close, native };
  let failed = 0;
  try {
    for (const [what, check] of checks) {
      try {
        await check(engine, page);
        note(`ok      ${what}`);
      } catch (error) {
        failed += 1;
        note(`FAILED  ${what}: ${String(error.message ?? error).slice(0, 600)}`);
      }
    }
  } finally {
    await engine.close();
    close();
  }
  note(`${engine.name}: ${duration(Date.now() - begin)}`);
  return failed;
}

await main(async () => {
  const chosen = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  const names = chosen.length > 0 ? chosen : Object.keys(engines);
  const unknown = names.find((name) => !(name in engines));
  if (unknown) throw new Failure(`${unknown} must be one of ${Object.keys(engines).join(', ')}.`);
  if (!process.argv.includes('--no-build')) {
    await setUp({ browser: true });
    await build();
  }
  const native = await nativeDigests();
  const left = process.argv.includes('--if-possible') ? 0 : 1;
  let [passed, failed] = [0, 0];
  for (const name of names) {
    const { engine, reason } = await start(name);
    if (reason) complain(`${name} was not tested: ${reason}`);
    const wrong = engine ? await visit(engine, native) : left;
    passed += engine ? checks.length - wrong : 0;
    failed += wrong;
  }
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Failure('Not every engine does everything.');
});
