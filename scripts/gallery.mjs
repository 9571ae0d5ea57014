// Proves that the gallery shows what the command line computes:
//   - the judge and the simulation of the page give what `timeslice claims` gives, digit by digit: all claims, with one seed;
//   - every number of every claim is printed as it is, and stands in the files with all its digits (from
//     scenarios/verdicts.json, which the command line wrote with all seeds).
//   node scripts/gallery.mjs
import { readFileSync } from 'node:fs';
import { runnerImport } from 'vite';
import { buildWasm } from './build-wasm.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { loadWasm } from './lib/load-wasm.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';
import { misprint, misprintedMean, readCsv } from './lib/printed-numbers.mjs';
import { timeslice } from './lib/native.mjs';
import { run } from './lib/run.mjs';

/** Short runs: digits are compared, not verdicts. */
const SHORT = { seeds: 1, seconds: 10 };

/** Counts comparisons and collects differences. */
class Comparison {
  passed = 0;
  problems = [];

  /** An empty problem is none. */
  take(where, problem) {
    if (problem === '') this.passed += 1;
    else this.problems.push(`${where}: ${problem}`);
  }

  same(where, here, there) {
    const [a, b] = [here, there].map((x) => JSON.stringify(x));
    this.take(where, a === b ? '' : `${a} is not ${b}`);
  }
}

/** Without the order of keys, which has no meaning. */
const sorted = (value) =>
  JSON.parse(
    JSON.stringify(value, (_, v) =>
      v && typeof v === 'object' && !Array.isArray(v)
        ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
        : v,
    ),
  );

/** A module of the page, compiled as for the page. */
export async function pageModule(file) {
  const options = { configFile: false, root: inRoot('web'), logLevel: 'error' };
  const before = process.env.NODE_ENV;
  try {
    const { module } = await runnerImport(
      inRoot('web', 'src', 'view', 'replications', file),
      options,
    );
    return module;
  } finally {
    // Vite writes "development" there; a page that this process builds later would then be one for development.
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

async function fromCommandLine({ seeds, seconds }) {
  const { code, output, stdout } = await run(
    timeslice('claims', '--json', '--seeds', String(seeds), '--seconds', `${seconds}s`),
    { quiet: true },
  );
  const start = stdout.search(/^[[{]/m);
  // A failing claim is a result; the command's exit code says that.
  if (start < 0) throw new Failure(`${output}\ntimeslice claims printed no list (code ${code}).`);
  const given = JSON.parse(stdout.slice(start));
  return Array.isArray(given) ? given : given.claims;
}

/** Verdicts of a page, from the package that the page loads. */
async function fromPackage(page, { seeds, seconds }) {
  const core = await loadWasm();
  const judge = new core.Judge(seeds, seconds);
  for (const { key, scenario, columns, at } of JSON.parse(judge.runs(page, ''))) {
    const seen = core.run(scenario, columns, Float64Array.from(at));
    judge.add(key, seen.columns.join('\n'), seen.values);
  }
  return JSON.parse(judge.evaluate(page));
}

/** The claims of all pages, by the page's package and by the command line. */
async function compareComputed(comparison, released) {
  const native = await fromCommandLine(SHORT);
  for (const page of new Set(released.claims.map((c) => c.page))) {
    const there = native.filter((c) => c.page === page);
    const here = await fromPackage(page, SHORT);
    const ids = (claims) => claims.map((c) => c.id);
    comparison.same(`${page}, claims`, ids(here), ids(there));
    for (const claim of there) {
      const other = here.find((c) => c.id === claim.id);
      comparison.same(`${claim.id}, page and command line`, sorted(other), sorted(claim));
    }
  }
  const all = native.length === released.claims.length;
  comparison.take('all claims', all ? '' : `${native.length} of ${released.claims.length}`);
}

/** Tables of claims, and their file. */
function comparePrintedClaims(comparison, { claims }, { measureRows, claimsCsv }, words) {
  const lines = readCsv(claimsCsv(claims)).slice(1);
  for (const claim of claims) {
    for (const m of claim.measures) {
      const where = `${claim.id}, ${m.name}`;
      const [[name, value, published, bound, verdict], ...supposed] = measureRows(m);
      comparison.same(where, [name, bound, verdict], [m.name, m.text, words[m.verdict]]);
      comparison.take(`${where}, value`, misprintedMean(value, m.value, m.half));
      comparison.take(`${where}, published`, misprint(published, m.published));
      supposed.forEach((row, i) => {
        comparison.take(`${where}, ${row[0]}`, misprint(row[1], m.band[i].value));
      });
      const line = lines.shift() ?? [];
      const digits = [line[4], line[5], line[7]].map((cell) => (cell === '' ? null : Number(cell)));
      comparison.same(`${where}, file`, digits, [m.value, m.half, m.published]);
    }
  }
}

/** The page of all numbers, and its file. */
function comparePrintedNumbers(comparison, released, { printedNumbers, numbersCsv }) {
  const { claims, numbers, meanErrors } = released;
  const lines = readCsv(numbersCsv(released, claims)).slice(1);
  const percent = (part) => (part === null ? null : 100 * part);
  const isMeasured = (text) => text.replace(/ %$/, '').replace(/^\+/, '');
  for (const { id, rows, mean } of printedNumbers(released, claims)) {
    comparison.take(`${id}, mean`, misprint(isMeasured(mean), percent(meanErrors[id] ?? null)));
    numbers
      .filter((n) => n.source === id)
      .forEach((n, i) => {
        const where = `${n.claim}, ${n.name}`;
        const row = rows[i];
        comparison.same(where, [row.claim, row.name], [n.claim, n.name]);
        const claim = claims.find((c) => c.id === n.claim);
        const half = claim?.measures.find((m) => m.name === n.name)?.half ?? null;
        comparison.take(`${where}, published`, misprint(row.published, n.published));
        comparison.take(`${where}, simulated`, misprintedMean(row.simulated, n.simulated, half));
        const error = percent(n.relativeError);
        comparison.take(`${where}, error`, misprint(isMeasured(row.error), error));
      });
  }
  const inFile = lines.map((line) => line.slice(5).map((x) => (x === '' ? null : Number(x))));
  const wanted = numbers.map((n) => [n.published, n.simulated, n.relativeError]);
  comparison.same('the file of all numbers', inFile, wanted);
}

/** The text of the cards. */
function compareCards(comparison, { claims }, { judgement }) {
  for (const page of new Set(claims.map((c) => c.page))) {
    const of = claims.filter((c) => c.page === page && c.verdict !== 'unavailable');
    const hold = of.filter((c) => c.verdict === 'holds').length;
    const said = judgement(of);
    const counts = /(\d+) of (\d+)$/.exec(said.words);
    const wanted = hold > 0 && hold < of.length ? [hold, of.length] : null;
    comparison.same(`${page}, card`, counts && [Number(counts[1]), Number(counts[2])], wanted);
    for (const text of [said.found, said.why].filter((t) => t !== '')) {
      const isWhole = /^[^a-z]/.test(text) && /[.!?]$/.test(text) && !/…|\.\.\.$/.test(text);
      comparison.take(`${page}, card`, isWhole ? '' : `no whole sentence: ${text}`);
    }
  }
}

/** Prints what differs, and resolves to { passed, failed }. */
export async function checkGallery() {
  const released = JSON.parse(readFileSync(inRoot('scenarios', 'verdicts.json'), 'utf8'));
  const printed = await pageModule('printed.ts');
  const verdicts = await pageModule('verdicts.ts');
  const comparison = new Comparison();
  comparePrintedClaims(comparison, released, printed, verdicts.VERDICT_WORDS);
  comparePrintedNumbers(comparison, released, printed);
  compareCards(comparison, released, verdicts);
  await compareComputed(comparison, released);
  for (const problem of comparison.problems) console.error(`  DIFFERENT  ${problem}`);
  const { passed, problems } = comparison;
  note(
    `${passed} comparisons of the gallery with the command line are equal, ${problems.length} not`,
  );
  return { passed, failed: problems.length };
}

await runIfEntry(import.meta.url, async () => {
  await buildWasm();
  const { passed, failed } = await checkGallery();
  console.log(`\n${passed} passed, ${failed} failed`);
  if (failed > 0) throw new Failure('The gallery does not show what the command line computes.');
});
