// Writes what the claims give: docs/claims.md for people, scenarios/verdicts.json for the page, and
// scenarios/verdicts.lock.json, the hashes of what each verdict was made from.
//   node scripts/claims.mjs             evaluates all and writes
//   node scripts/claims.mjs --check     evaluates all, and fails on a difference
//   node scripts/claims.mjs --changed   evaluates those whose inputs changed since the last writing, and fails on a difference
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { claimHash, everything } from './lib/claims-code.mjs';
import { compare, lock, markdown, verdicts } from './lib/claims-text.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { cache, inRoot } from './lib/paths.mjs';
import { timeslice as native } from './lib/native.mjs';
import { run } from './lib/run.mjs';

const EFFORT = { seeds: 5, seconds: 60 };
const verdictsFile = inRoot('scenarios', 'verdicts.json');
const lockFile = inRoot('scenarios', 'verdicts.lock.json');
const readJson = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null);

/** The JSON output of `timeslice claims`. */
async function timeslice(...args) {
  // A failing claim is a result, so that exit code is no failure.
  const { code, stdout, output } = await run(
    native(
      ...['claims', '--json', '--seeds', String(EFFORT.seeds)],
      ...['--seconds', `${EFFORT.seconds}s`, ...args],
    ),
    { quiet: true },
  );
  const start = stdout.search(/^[[{]/m);
  if (code > 1 || start < 0) throw new Failure(`timeslice claims failed.\n${output}`);
  return JSON.parse(stdout.slice(start));
}

/** All claims and the published numbers; each run is made once. */
async function evaluateAll() {
  mkdirSync(cache, { recursive: true });
  const results = path.join(cache, `results-${process.pid}.json`);
  try {
    const claims = await timeslice('--save', results);
    return { ...EFFORT, claims, ...(await timeslice('--numbers', '--results', results)) };
  } finally {
    rmSync(results, { force: true });
  }
}

/** The hash of each claim's inputs, by id. */
async function hashes(claims) {
  const known = new Set(claims.map((c) => c.id));
  const inputs = await timeslice('--inputs');
  return Object.fromEntries(
    // A claim that nobody has evaluated yet differs from every lock.
    inputs.map((i) => [i.id, known.has(i.id) ? claimHash(i) : 'new']),
  );
}

function refuse(differences) {
  const lines = differences.map((d) => `  ${d}`).join('\n');
  throw new Failure(
    `scenarios/verdicts.json does not say what the claims give now. Type: npm run claims\n${lines}`,
  );
}

/** Fails where claims give another verdict than they are expected to. */
function refuseUnexpected(claims) {
  const unexpected = claims.filter((c) => c.verdict !== c.expectedVerdict);
  if (unexpected.length === 0) return;
  const lines = unexpected.map(
    (c) => `  ${c.id}: expected ${c.expectedVerdict}, found ${c.verdict}. ${c.found}`,
  );
  throw new Failure(`Claims give other verdicts than they say.\n${lines.join('\n')}`);
}

/** Fails where docs/claims.md says something else than these verdicts. */
function refuseOtherPage(verdictsOfAll) {
  if (readFileSync(inRoot('docs', 'claims.md'), 'utf8') !== markdown(verdictsOfAll))
    refuse(['docs/claims.md: other numbers or words']);
}

/** Evaluates the claims whose inputs differ from the lock. */
async function checkChanged() {
  const known = readJson(lockFile);
  const written = readJson(verdictsFile);
  if (written) refuseOtherPage(written);
  if (known?.everything === everything()) {
    note('claims: nothing changed');
    return 0;
  }
  const before = written?.claims ?? [];
  const now = await hashes(before);
  const changed = Object.keys(now).filter((id) => now[id] !== known?.claims[id]);
  const gone = before.filter((c) => !(c.id in now)).map((c) => `${c.id}: is no more`);
  const found = changed.length > 0 ? await timeslice(...changed) : [];
  const differences = [
    ...gone,
    ...compare(
      before.filter((c) => changed.includes(c.id)),
      found,
    ),
  ];
  refuseUnexpected(found);
  if (differences.length > 0) refuse(differences);
  note(
    `claims: ${changed.length} of ${Object.keys(now).length} have other inputs and give the same`,
  );
  return changed.length;
}

/** Evaluates all claims and compares. Resolves to their number. */
export async function checkClaims() {
  const now = await evaluateAll();
  refuseUnexpected(now.claims);
  const before = readJson(verdictsFile) ?? { claims: [] };
  const differences = compare(before.claims, now.claims);
  if (differences.length > 0) refuse(differences);
  if (!isDeepStrictEqual(before, now)) refuse(['published numbers differ']);
  refuseOtherPage(now);
  return now.claims.length;
}

async function write() {
  const now = await evaluateAll();
  writeFileSync(inRoot('docs', 'claims.md'), markdown(now));
  writeFileSync(verdictsFile, verdicts(now));
  writeFileSync(lockFile, lock(everything(), await hashes(now.claims)));
  note('docs/claims.md, scenarios/verdicts.json and scenarios/verdicts.lock.json written');
}

await runIfEntry(import.meta.url, async (args) => {
  if (args.includes('--changed')) await checkChanged();
  else if (args.includes('--check')) {
    const claims = await checkClaims();
    note(`${claims} claims give what is written down`);
    console.log(`\n${claims} passed, 0 failed`);
  } else await write();
});
