// Holds source files to a length that can be read in one go, and the built page to its budget.
//   node scripts/check-sizes.mjs [--bundle]     --bundle: a built page must be there
import { existsSync, readFileSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { dist, inRoot } from './lib/paths.mjs';
import { lengthProblem } from './lib/source-length.mjs';
import { filesUnder } from './lib/stamp.mjs';

const kilobyte = 1000;

/** Compressed. The first is loaded at the start, the second on demand. */
const budgets = [
  // Code that the first picture does not need comes later: words of decisions, panels, the queue of one CPU.
  { name: 'JavaScript at first', limit: 180 * kilobyte, has: isJavaScript(true) },
  // Lessons with their evaluation are a ninth of it, recording films and presenting another ninth, and the words of
  // decisions a seventeenth.
  { name: 'JavaScript later', limit: 225 * kilobyte, has: isJavaScript(false) },
  // The whole page again, with the words of a language. Only readers who chose it load it, and only as much as they
  // need.
  { name: 'JavaScript in German', limit: 445 * kilobyte, has: isOther },
  // Every reader waits for it. Code that reads and writes JSON is a twelfth of it: the first place to save.
  { name: 'WebAssembly', limit: 600 * kilobyte, has: isPackage('sim_wasm') },
  // Loaded only with a lesson. It contains the simulation again, so that a lesson's worker needs no other package.
  { name: 'lessons', limit: 620 * kilobyte, has: isPackage('lessons_wasm') },
  // They are compressed already.
  { name: 'fonts', limit: 120 * kilobyte, has: (file) => file.endsWith('.woff2') },
  // Loaded only with the published claims.
  { name: 'judge of the claims', limit: 100 * kilobyte, has: isPackage('claims_wasm') },
  { name: 'data of the claims', limit: 30 * kilobyte, has: isClaims },
  // Stored for use without a network with everything else; half of it are pictures.
  { name: 'manual', limit: 2200 * kilobyte, has: isManual },
  // Verdicts and numbers, which Start shows, too.
  { name: 'verdicts of the release', limit: 60 * kilobyte, has: isVerdicts },
];

/** Whether a file is one of the WebAssembly packages. */
function isPackage(name) {
  return (file) => file.endsWith('.wasm') && file.includes(name);
}

function isVerdicts(file) {
  return /\/verdicts-[^/]*\.json$/.test(file);
}

function isClaims(file) {
  return /\/claims-[^/]*\.json$/.test(file);
}

/** Whether a file is JavaScript that the page loads at its start, or later. */
function isJavaScript(atFirst) {
  return (file, first, english) =>
    file.endsWith('.js') && !isManual(file) && english.has(file) && first.has(file) === atFirst;
}

/** Whether a file is JavaScript of another language only. */
function isOther(file, _, english) {
  return file.endsWith('.js') && !isManual(file) && !english.has(file);
}

/** The manual beside the page: texts, pictures and search, which delay no reader of the page. */
function isManual(file) {
  return file.startsWith('dist/manual/');
}

/**
 * Files that the page loads at its start: its entry with its imports, the script for a failed start, the worker, and
 * the list of lessons.
 */
function loadedAtFirst(files) {
  const textOf = (file) => readFileSync(inRoot(file), 'utf8');
  const [entry] = /assets\/[\w.-]+\.js/.exec(textOf('dist/index.html')) ?? [];
  // The entry chooses the language; its imports are the page.
  const [, page] = /import\(\s*["'`]\.\/(main-[\w-]+\.js)["'`]/.exec(textOf(`dist/${entry}`)) ?? [];
  const open = [
    `dist/${entry}`,
    ...(page ? [`dist/assets/${page}`] : []),
    'dist/start.js',
    ...files.filter((file) => /\/(worker|lessons-en)-[^/]*\.js$/.test(file)),
  ];
  const found = new Set();
  for (let file = open.pop(); file; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, name] of textOf(file).matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g))
      open.push(`dist/assets/${name}`);
  }
  return found;
}

/** Files of the English page: everything that it mentions, except the entries of other languages. */
function ofEnglish(files, first) {
  const names = new Map(files.map((file) => [file.replace(/.*\//, ''), file]));
  const found = new Set(['dist/sw.js']);
  const open = [...first];
  for (let file = open.pop(); file; file = open.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    if (!file.endsWith('.js')) continue;
    for (const [name] of readFileSync(inRoot(file), 'utf8').matchAll(/[\w.-]+\.js\b/g)) {
      const other = names.get(name);
      if (other && !/^boot-/.test(name)) open.push(other);
    }
  }
  return found;
}

const sourceFolders = ['sim-core', 'web', 'e2e', 'scripts'];
const isGenerated = (file) => file === 'web/src/sim/pkg' || file === 'web/src/sim/types';

function checkSources() {
  const problems = filesUnder(sourceFolders, isGenerated)
    .map((file) => lengthProblem(file, () => readFileSync(inRoot(file), 'utf8')))
    .filter(Boolean);
  for (const { message, fatal } of problems) {
    if (fatal) console.error(`  ${message}`);
    else console.log(`warning: ${message}`);
  }
  return problems.filter(({ fatal }) => fatal).length;
}

/** Every version of a test's pictures stays in the repository for ever. */
function checkPictures() {
  const pictures = filesUnder(['e2e/pictures']).map((file) => [file, statSync(inRoot(file)).size]);
  const large = pictures.filter(([, size]) => size > 400 * kilobyte);
  for (const [file, size] of large)
    console.error(`  ${file} has ${(size / kilobyte).toFixed(0)} kB (limit 400)`);
  return large.length;
}

function checkBundle() {
  const files = filesUnder(['dist']);
  const first = loadedAtFirst(files);
  const english = ofEnglish(files, first);
  let over = 0;
  for (const { name, has, limit } of budgets) {
    const size = files
      .filter((file) => has(file, first, english))
      .reduce((sum, file) => sum + gzipSync(readFileSync(inRoot(file)), { level: 9 }).length, 0);
    const figure = `${name}: ${(size / kilobyte).toFixed(1)} kB gz of ${limit / kilobyte} kB`;
    note(figure);
    if (size === 0 || size > limit) {
      console.error(`  ${figure}: ${size === 0 ? 'nothing was built' : 'over the budget'}`);
      over += 1;
    }
  }
  return over;
}

await runIfEntry(import.meta.url, (args) => {
  let problems = checkSources() + checkPictures();
  if (existsSync(dist)) problems += checkBundle();
  else if (args.includes('--bundle')) throw new Failure('There is no built page to measure.');
  if (problems > 0) throw new Failure(`${problems} sizes over the limit.`);
});
