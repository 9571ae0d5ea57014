// npm run check: the quick loop. Two lanes side by side, one for each language.
//   node scripts/check.mjs [--no-tests] [--documentation]     without the unit tests, and with the code's documentation,
//   for CI, which runs all tests
//   node scripts/check.mjs --scheduler ID     only the tests that a change of this scheduler needs
import { existsSync } from 'node:fs';
import { wasmInputs } from './lib/inputs.mjs';
import { duration, heading, main, note, sinceStart } from './lib/log.mjs';
import { wasmPackage } from './lib/paths.mjs';
import { cargoLocked, npmProgram, run } from './lib/run.mjs';
import { ensureLints } from './lib/setup-rust.mjs';
import { isFresh } from './lib/stamp.mjs';
import * as suites from './lib/suites.mjs';
import { setUp } from './setup.mjs';

const withTests = !process.argv.includes('--no-tests');

const command =
  (...commandLine) =>
  async () => {
    const { code, output } = await run(commandLine);
    return { ok: code === 0, output };
  };
const tool = (packageName, args, program = packageName) =>
  command(...npmProgram(packageName, program), ...args);
const script = (name, ...args) => command(process.execPath, `scripts/${name}`, ...args);

const locked = cargoLocked();

/** Too slow for the quick loop. */
async function documentation() {
  const doc = ['cargo', 'doc', '--quiet', '--no-deps', '--workspace', ...locked];
  const { code, output } = await run(doc, { env: { RUSTDOCFLAGS: '-D warnings' } });
  return { ok: code === 0, output };
}

const lint = ['--cache', '--cache-location', '.cache/eslint/', '--max-warnings', '0', '.'];
const lanes = () => [
  [
    ['cargo fmt', command('cargo', 'fmt', '--all', '--check')],
    [
      'clippy',
      command(
        ...['cargo', 'clippy', '--quiet', '--workspace', '--all-targets', ...locked],
        ...['--', '-D', 'warnings'],
      ),
    ],
    ...(withTests
      ? [
          ['Rust unit tests', () => suites.rustUnits({ show: false })],
          ['claims whose inputs changed', script('claims.mjs', '--changed')],
        ]
      : []),
    ...(process.argv.includes('--documentation') ? [['documentation', documentation]] : []),
  ],
  [
    ['import directions', script('check-imports.mjs')],
    ['sizes', script('check-sizes.mjs')],
    ['machines page', script('machines.mjs', '--check')],
    ['policies', script('policy.mjs')],
    ['pictures of the manual', script('manual-pictures.mjs', '--check')],
    [
      'prettier',
      tool('prettier', ['--check', '--cache', '--cache-location', '.cache/prettier', '.']),
    ],
    // The package contains the types of the page's worker. The quick loop does not wait for a new package.
    ...(existsSync(wasmPackage)
      ? []
      : [['WebAssembly packages', script('build-wasm.mjs', '--no-setup')]]),
    ['eslint', tool('eslint', lint)],
    [
      'svelte-check',
      tool('svelte-check', [
        '--workspace',
        'web',
        '--tsconfig',
        './tsconfig.json',
        '--fail-on-warnings',
      ]),
    ],
    ['catalogs of the page', script('words.mjs', '--check')],
    ['types of the tests', tool('typescript', ['--project', 'e2e/tsconfig.json'], 'tsc')],
    ...(withTests
      ? [
          ['tooling tests', () => suites.tooling({ show: false })],
          ['web unit tests', () => suites.webUnits({ show: false })],
        ]
      : []),
  ],
];

const failures = [];

/** Runs every step of a lane, even after a failure: one run shows all problems. */
async function runLane(steps) {
  for (const [name, work] of steps) {
    const begin = Date.now();
    const { ok, output = '' } = await work();
    console.log(`  ${ok ? 'ok    ' : 'FAILED'}  ${name}  ${duration(Date.now() - begin)}`);
    if (!ok) failures.push({ name, output });
    // Warnings of a step that passes (such as a long file) are shown, too.
    else for (const line of output.match(/^warning: .*$/gm) ?? []) console.log(`          ${line}`);
  }
}

const scheduler = process.argv.indexOf('--scheduler');

await main(async () => {
  await setUp();
  if (scheduler >= 0) {
    const { ok, passed, failed } = await suites.schedulerTests(process.argv[scheduler + 1]);
    console.log(`\n${passed} passed, ${failed} failed after ${sinceStart()}`);
    process.exitCode = ok ? 0 : 1;
    return;
  }
  await ensureLints();
  if (existsSync(wasmPackage) && !isFresh('wasm', wasmInputs(), wasmPackage)) {
    note('the WebAssembly package is older than the core; to renew it: npm run build:wasm');
  }
  heading('Check');
  await Promise.all(lanes().map(runLane));
  for (const { name, output } of failures) {
    heading(`${name} failed`);
    console.log(output.trim());
  }
  console.log(
    failures.length === 0
      ? `\ncheck: everything ok after ${sinceStart()}`
      : `\ncheck: ${failures.map(({ name }) => name).join(', ')} failed`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
});
