// Texts of the core's catalog, and of lists of scenarios and lessons, for the catalogs of the page.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Fields that hold words, by the last two names of their path. */
const FIELDS = new Set([
  'schedulers.name',
  'schedulers.summary',
  'eras.name',
  'eras.summary',
  'tunables.label',
  'tunables.summary',
  'tunables.unit',
  'tunables.mark',
  'tunables.source',
  'taskColumns.label',
  'taskColumns.unit',
  'cpuColumns.label',
  'cpuColumns.unit',
  'reasons.operands',
  'spec.purpose',
  'behaviours.name',
  'behaviours.summary',
  'params.label',
  'params.summary',
  'params.unit',
  'params.mark',
  'params.source',
  'metrics.name',
  'metrics.unit',
  'metrics.summary',
  'causes.name',
  'causes.summary',
  'bounds.unit',
  'functions.summary',
  'properties.label',
  'properties.default',
  'scenario.name',
  'scenario.ask',
  'scenario.notes',
]);

/** Units beside numbers that are nowhere in the catalog; with their singulars. */
const COUNTED = [
  ...['candidates', 'candidate'],
  ...['cpus', 'cpu', 'CPU', 'thread', 'threads', 'instance', 'tick', 'event', 'events', 'level'],
];

/** Names of queues and of what they count, which each run tells: the catalog does not have them. A test finds others. */
const QUEUES = [
  ...['real time and interactive', 'calendar of batch threads', 'idle class', 'real time'],
  ...['interactivity score and nice', 'interactive', 'batch', 'one queue, by virtual deadline'],
  ...['one queue for all CPUs, by priority', 'limited to some CPUs', 'estcpu decays'],
  ...['tree of virtual runtimes', 'line of virtual time'],
];

const schedulers = path.join(import.meta.dirname, '../../sim-core/schedulers/src');

/** What the scores of candidates consist of, which each decision tells: read from the calls of the schedulers. */
function* notes() {
  for (const file of readdirSync(schedulers, { recursive: true }).sort()) {
    if (!file.endsWith('.rs')) continue;
    const [program = ''] = readFileSync(path.join(schedulers, file), 'utf8').split('#[cfg(test)]');
    for (const [said] of program.matchAll(/(?:\.candidate\w*\(|\blet note = )[^;]*;/g))
      for (const [, text] of said.matchAll(/"([^"]+)"/g)) yield text;
  }
}

function* leaves(value, path) {
  if (typeof value === 'string') {
    if (FIELDS.has(path)) yield value;
  } else if (Array.isArray(value)) for (const one of value) yield* leaves(one, path);
  else if (value !== null && typeof value === 'object')
    for (const [name, one] of Object.entries(value))
      yield* leaves(one, `${path.split('.').at(-1)}.${name}`);
}

/** All of them, each once: from the core's catalog and the list of lessons, both as JSON. */
export function coreWords(catalog, lessons) {
  const all = [
    ...leaves(JSON.parse(catalog), ''),
    ...leaves(JSON.parse(lessons), ''),
    ...COUNTED,
    ...QUEUES,
    ...notes(),
  ];
  return [...new Set(all)].filter((text) => /\p{L}{2}/u.test(text));
}

/** The file that lists them. */
export const coreWordsFile = new URL('core-words.json', import.meta.url);

/** Those in the file. */
export const knownCoreWords = () => JSON.parse(readFileSync(coreWordsFile, 'utf8'));
