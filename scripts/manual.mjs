// npm run manual: the manual for users, which `npm run build` puts beside the page.
//   node scripts/manual.mjs            writes it into dist/manual/ alone, to look at while writing
//   node scripts/manual.mjs --write    renews the page about the command line from the program's own help
//   node scripts/manual.mjs --check    what a test asks: links of the built site, commands of the texts, that page
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { brokenInSite } from './lib/links.mjs';
import { Failure, note } from './lib/log.mjs';
import { blocks, helpText, tryCommands, withHelp } from './lib/manual/commands.mjs';
import { timeslice } from './lib/native.mjs';
import { dist, inRoot } from './lib/paths.mjs';
import { run } from './lib/run.mjs';

const commandLine = inRoot('docs', 'manual', 'command-line.md');
const example = inRoot('docs', 'manual', 'scenario.md');

async function write() {
  const { manualFiles } = await import('./lib/manual/site.mjs');
  const folder = path.join(dist, 'manual');
  const files = await manualFiles();
  rmSync(folder, { recursive: true, force: true });
  for (const [place, content] of files) {
    mkdirSync(path.dirname(path.join(folder, place)), { recursive: true });
    writeFileSync(path.join(folder, place), content);
  }
  note(`dist/manual: ${files.size} files`);
}

async function ask(args) {
  const { code, output, stdout } = await run(timeslice(...args));
  if (code !== 0) throw new Failure(output);
  return stdout;
}

async function pageWithHelp() {
  const page = readFileSync(commandLine, 'utf8');
  return { page, renewed: withHelp(page, await helpText(ask)) };
}

/** Prints problems, and resolves to { passed, failed }. */
export async function checkManual() {
  const problems = [];
  let passed = 0;
  const site = existsSync(path.join(dist, 'manual'))
    ? brokenInSite(dist, 'manual/')
    : { checked: 0, problems: ['There is no built manual. Type: npm run build'] };
  problems.push(...site.problems);
  passed += site.checked - site.problems.length;

  const folder = mkdtempSync(path.join(tmpdir(), 'timeslice-manual-'));
  try {
    // The example of the page about scenarios, which its commands use.
    const [json] = blocks(readFileSync(example, 'utf8'), 'json');
    writeFileSync(path.join(folder, 'my-scenario.json'), json);
    const commands = await tryCommands(timeslice, folder);
    passed += commands.passed;
    problems.push(...commands.problems);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }

  const { page, renewed } = await pageWithHelp();
  if (page === renewed) passed += 1;
  else
    problems.push(
      'docs/manual/command-line.md is not what the program says; type: npm run manual -- --write',
    );
  for (const problem of problems) console.error(`  ${problem}`);
  note(`manual: ${passed} links, commands and pages are right, ${problems.length} not`);
  return { passed, failed: problems.length };
}

await runIfEntry(import.meta.url, async (args) => {
  if (args.includes('--write')) {
    writeFileSync(commandLine, (await pageWithHelp()).renewed);
    note('docs/manual/command-line.md');
  } else if (args.includes('--check')) {
    const { passed, failed } = await checkManual();
    console.log(`\n${passed} passed, ${failed} failed`);
    if (failed > 0) throw new Failure('README or manual say what is not so.');
  } else await write();
});
