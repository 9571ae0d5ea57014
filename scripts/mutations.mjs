// npm run mutations [-- GUARD …]: proves that each guard of this project can fail. It changes one line (the rows of
// scripts/lib/mutation-list.mjs), runs the command that must notice it, and takes the change back. A guard that notices
// nothing is a failure. What each command said is in .cache/reports/mutations.
//   node scripts/mutations.mjs [--list] [--set check|test|nightly] [GUARD …]
// It works in the sources themselves, so that only what changed is compiled again. Therefore it wants everything to be
// committed, and restores a file also when it is interrupted.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { mutations } from './lib/mutation-list.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, complain, duration, heading, note, sinceStart } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { inRoot, reports } from './lib/paths.mjs';
import { ask } from './lib/run.mjs';
import { carryOut } from './lib/step-runner.mjs';
import { steps } from './steps.mjs';

/** The text of a file with its mutation. */
export function mutated(text, { file, from, to }) {
  const parts = text.split(from);
  if (parts.length !== 2)
    throw new Failure(`${file} has ${parts.length - 1} times: ${from}\nA mutation needs it once.`);
  return parts.join(to);
}

let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    restore();
    process.exit(1);
  });

/** Whether the command notices the changed line, and what was said; a preparation that fails proves nothing. */
async function tried(mutation) {
  const file = inRoot(mutation.file);
  const before = readFileSync(file, 'utf8');
  restore = () => writeFileSync(file, before);
  try {
    writeFileSync(file, mutated(before, mutation));
    for (const command of mutation.prepare ?? []) {
      const { code, output } = await carryOut(command, mutation.env);
      if (code !== 0) return { isNoticed: false, command, output };
    }
    const { code, output } = await carryOut(mutation.command, mutation.env);
    // A runner may colour its words.
    const plain = stripVTControlCharacters(output);
    const isNoticed = code !== 0 && (mutation.says ?? /./).test(plain);
    return { isNoticed, command: mutation.command, output };
  } finally {
    restore();
    restore = () => {};
  }
}

await runIfEntry(import.meta.url, async (args) => {
  const set = option(args, '--set');
  const named = args.filter((arg, i) => !arg.startsWith('--') && args[i - 1] !== '--set');
  const setOf = ({ step }) =>
    steps.find(({ name }) => name === step).sets.includes('test') ? 'test' : 'nightly';
  const chosen = mutations.filter(
    (one) => (named.length === 0 || named.includes(one.guard)) && (!set || set === setOf(one)),
  );
  if (chosen.length === 0) throw new Failure('No mutation has such a name.');
  if (args.includes('--list')) {
    for (const one of chosen) note(`${one.guard.padEnd(24)} ${setOf(one).padEnd(8)} ${one.step}`);
    return;
  }
  if (ask('git', ['status', '--porcelain', '--untracked-files=no']))
    throw new Failure('There are changes that are not committed. Commit or stash them first.');
  heading(`${chosen.length} mutations`);
  const folder = path.join(reports, 'mutations');
  mkdirSync(folder, { recursive: true });
  let failed = 0;
  for (const one of chosen) {
    const begin = Date.now();
    const { isNoticed, command, output } = await tried(one);
    const after = duration(Date.now() - begin);
    note(
      `${isNoticed ? 'noticed' : 'NOT NOTICED'}  ${one.guard}  (${setOf(one)}: ${one.step})  ${after}`,
    );
    writeFileSync(path.join(folder, `${one.guard}.log`), `${command}\n${output}`);
    if (isNoticed) continue;
    failed += 1;
    complain(`${command}\n${output.slice(-2_000)}`);
  }
  note(`after ${sinceStart()}`);
  console.log(`\n${chosen.length - failed} passed, ${failed} failed`);
  if (failed > 0) process.exitCode = 1;
});
