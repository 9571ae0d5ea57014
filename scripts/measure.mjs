// npm run measure NAME [-- OPTIONS]: what something costs on this machine at this moment. Without a name, the list.
import { spawn } from 'node:child_process';
import { main } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { environment } from './lib/run.mjs';

/** Each measurement: its script with options, and what it tells. */
const MEASUREMENTS = {
  bench: ['measure/bench.mjs', 'native and WebAssembly speed in one table'],
  'first-picture': [
    'measure/first-picture.mjs',
    'what a visitor waits for: the first picture of a run, cold and warm, slow line and processor',
  ],
  frames: ['measure/frames.mjs', 'what a picture costs the thread of the page while it plays'],
  instructions: ['measure/instructions.mjs', 'instructions per event; fails where they grow'],
  lanes: ['measure/lanes.mjs', 'four lanes on one clock, with one worker and with several'],
  loads: ['measure/loads.mjs', 'how the page takes the largest files and links'],
  policies: [
    'measure/policies.mjs',
    'what own policies cost, native and WebAssembly, and what a real lane beside one loses',
  ],
  profile: ['build-native.mjs --compare', 'what a profile gives the native program'],
  python: [
    'python.mjs --measure',
    'what the Python package costs; renews a part of docs/python.md',
  ],
  scaling: ['measure/scaling.mjs', 'how the time for an event grows; writes docs/scaling.md'],
  seeks: ['measure/seeks.mjs', 'how long a jump to any moment of a run takes'],
  traces: ['measure/traces.mjs', 'how fast a trace is read, and with how much memory'],
};

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  const known = Object.hasOwn(MEASUREMENTS, name ?? '') ? MEASUREMENTS[name] : undefined;
  if (!known) {
    for (const [id, [, what]] of Object.entries(MEASUREMENTS)) note(`${id.padEnd(14)} ${what}`);
    if (name !== undefined) throw new Failure(`There is no measurement ${name}.`);
    return;
  }
  const [script, ...options] = known[0].split(' ');
  process.exitCode = await new Promise((resolve) => {
    spawn(process.execPath, [inRoot('scripts', script), ...options, ...args], {
      cwd: root,
      env: environment(),
      stdio: 'inherit',
    }).on('close', (code) => resolve(code ?? 1));
  });
});
