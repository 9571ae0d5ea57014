// What the core says about input that it refuses, for the catalogs of the page: sentences with numbered places, such as
// `must be from {0} to {1}, got {2}`. They are read from the Rust sources, so the core needs no second list of them, and what
// the command line and Python say stays as it is.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Rust files, and folders of them, that put into words what people of the page can do wrong. */
const SOURCES = [
  'config/src/edit.rs',
  'config/src/lib.rs',
  'config/src/property',
  'config/src/validate',
  'config/src/validate.rs',
  'engine/src/kernel/edits.rs',
  'ground/src/bounds.rs',
  'ground/src/error.rs',
  'ground/src/params.rs',
  'ground/src/text.rs',
  'ground/src/units.rs',
  'machine/src/check.rs',
  'measure/src/evaluate.rs',
  'measure/src/expression',
  'measure/src/functions',
  'measure/src/names.rs',
  'measure/src/quantity.rs',
  'policy/src/host',
  'policy/src/language',
  'policy/src/state.rs',
  'policy/src/words.rs',
  'policy/src/world.rs',
  'real/src/record.rs',
  'src/lesson/answer.rs',
  'src/lesson/registry.rs',
  'src/lesson/run.rs',
  'workload/src/script.rs',
  'workload/src/script',
];

/** What serde and serde_json say of a text that does not fit; where it is long, the core cuts it. And a list without entries. */
const OTHERS = [
  '{0} at line {1} column {2}',
  '{0}: {1}',
  'missing field `{0}`',
  'duplicate field `{0}`',
  'unknown field `{0}`, expected {1}',
  'unknown field `{0}…, expected {1}',
  'unknown variant `{0}`, expected {1}',
  'unknown variant `{0}…, expected {1}',
  'invalid type: {0}, expected {1}',
  'invalid type: string "{0}…, expected {1}',
  'invalid value: {0}, expected {1}',
  'invalid length {0}, expected {1}',
  'integer `{0}`',
  'floating point `{0}`',
  'boolean `{0}`',
  'string "{0}"',
  'null',
  'map',
  'sequence',
  'one of {0}',
  '`{0}` or `{1}`',
  'a string',
  'a boolean',
  'a map',
  'a sequence',
  'struct {0}',
  'struct {0} with {1} elements',
  'string or map',
  'expected value',
  'none',
  'nothing',
];

/** What workers say, whose packages are the same in every language. */
export const OF_WORKERS = [
  'The trace is longer than 256 MB. Choose a shorter time.',
  'the core did not load: {0} {1}',
  '{0} MB are in use',
];

const core = path.join(import.meta.dirname, '../../sim-core');

function* filesOf(place) {
  if (!statSync(place).isDirectory()) yield place;
  else
    for (const name of readdirSync(place).sort()) {
      const inner = path.join(place, name);
      if (statSync(inner).isDirectory() || name.endsWith('.rs')) yield* filesOf(inner);
    }
}

/** Comments, characters and texts of Rust; the last are what is looked for. */
const TOKENS = /\/\/[^\n]*|'(?:\\.|[^\\'\n])'|r(#*)"[\s\S]*?"\1|"((?:\\[\s\S]|[^"\\])*)"/g;

/** What holds no such sentences: tables and constants, and what is checked while the core is tested. */
const ASIDE =
  /^(?:pub(?:\(\w+\))? )?(?:const|static) [\s\S]*?;$|^[\w:]+! \{[\s\S]*?^\}$|(?:debug_)?assert(?:_\w+)?!\([\s\S]*?\);$/gm;

/** What stands before texts that nobody is told: calls for people who read the sources, searches in texts. */
const INTERNAL =
  /(?:expect|panic!|unreachable!|r?split_once|r?find|begins|contains|starts_with|strip_prefix|trim_start_matches)\(\s*$/;

/** How far that is looked for, in characters. */
const NEAR = 40;

/** A text as it is, with places by their numbers; places side by side are one. */
function templateOf(written) {
  const text = written
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/\\(["\\])/g, '$1')
    // The name of a thread, which a run puts in.
    .replaceAll(/\{\{task \{[^{}]*\}\}\}/g, '{}')
    .replaceAll(/(?:\{[^{}]*\})+/g, '{}');
  let place = 0;
  return text.replaceAll('{}', () => `{${place++}}`);
}

/** Whether it is said to people: words with spaces between them. Paths, ids and keys have none. */
const isSaid = (template) => /\p{L}{2}/u.test(template) && / /.test(template.trim());

/** The sentences of some Rust, in their order. */
export function messagesOf(rust) {
  const [program = ''] = rust.split(/^#\[cfg\(test\)\]$/m);
  const code = program.replaceAll(ASIDE, '');
  const found = [];
  for (const token of code.matchAll(TOKENS)) {
    const before = code.slice(Math.max(0, token.index - NEAR), token.index);
    if (token[2] === undefined || INTERNAL.test(before)) continue;
    const template = templateOf(token[2]);
    if (isSaid(template)) found.push(template);
  }
  return found;
}

/** All sentences, each once. */
export function coreMessages() {
  const ours = SOURCES.flatMap((place) => [...filesOf(path.join(core, place))]).flatMap((file) =>
    messagesOf(readFileSync(file, 'utf8')),
  );
  return [...new Set([...ours, ...OTHERS, ...OF_WORKERS])];
}

/** The file that lists them. */
export const coreMessagesFile = path.join(import.meta.dirname, 'core-messages.json');

/** Those in the file. */
export const knownCoreMessages = () => JSON.parse(readFileSync(coreMessagesFile, 'utf8'));
