// Inputs of `npm run measure loads`: files and links of the largest size, valid or not. One entry is one row of its table:
// `name`, and either `file`, a function that makes its text, or `link`, one that makes a fragment.
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { inRoot } from './paths.mjs';

const MB = 1024 * 1024;

/** The name of each scenario, which shows when it is open. */
export const LOAD = 'A load';

const scenario = (change) =>
  JSON.stringify({
    version: 2,
    name: LOAD,
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: 'a', count: 3, behaviour: { kind: 'dhrystone' } }],
    end: { atNs: 1_000_000_000 },
    ...change,
  });

const edits = (n, edit) => Array.from({ length: n }, (_, i) => ({ atNs: i, ...edit, lane: 0 }));
const nobody = { set: { 'groups.nobody.count': 1 } };
const nested = (levels) => '['.repeat(levels) + ']'.repeat(levels);
const packed = (text) => `v=2&z=${deflateRawSync(text).toString('base64url')}`;

/** As many threads as a scenario may have, in lanes of four schedulers. */
const LANES = [{ id: 'ule' }, { id: '4bsd' }, { id: 'cfs' }, { id: 'bfs' }];
const THREADS = ['a', 'b'].map((name) => ({
  name,
  count: 5_000,
  startSpacingNs: 0,
  behaviour: { kind: 'dhrystone' },
}));

/** 64 groups with names of 80 letters, of 10,000 threads together. */
const GROUPS = Array.from({ length: 64 }, (_, i) => ({
  name: `${'n'.repeat(77)}${String(i).padStart(3, '0')}`,
  count: i < 63 ? 156 : 172,
  behaviour: { kind: 'dhrystone' },
}));

/** A machine of 1,024 CPUs: 512 cores of two contexts. */
function largestMachine() {
  const machine = JSON.parse(readFileSync(inRoot('scenarios', 'machines', 'i7860.json'), 'utf8'));
  const cores = [{ count: 16, smt: 2 }];
  const llcs = [{ count: 4, cores }];
  machine.topology.packages = [{ count: 4, nodes: [{ count: 2, llcs }] }];
  return {
    ...machine,
    id: 'largest',
    name: '1,024 CPUs',
    memory: { ...machine.memory, distances: [] },
  };
}

/** Everything at its largest at once. */
const largest = () =>
  scenario({
    notes: 'x'.repeat(4_000),
    machine: largestMachine(),
    schedulers: LANES,
    groups: GROUPS,
    edits: edits(10_000, { set: { 'groups.*.nice': 1 } }),
  });

export const loads = [
  {
    name: '10,000 wrong edits',
    file: () => JSON.stringify(JSON.parse(scenario({ edits: edits(10_000, nobody) })), null, 1),
  },
  { name: '4 MB of commas', file: () => ','.repeat(4 * MB) },
  { name: '60 kB of commas in lines', file: () => ',\n'.repeat(30_000) },
  {
    name: '3,000 unknown keys',
    file: () => scenario(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x${i}`, i]))),
  },
  {
    name: '5,000 levels',
    file: () => scenario({}).replace('"A load"', `"A load","timing":${nested(5_000)}`),
  },
  { name: '2 million levels', file: () => nested(2 * MB) },
  { name: '4 MB of numbers', file: () => `[${'1,'.repeat(2 * MB - 2)}1]` },
  {
    name: '4 MB of empty edits',
    file: () => scenario({ edits: Array.from({ length: 200_000 }, () => ({ atNs: 1, edit: {} })) }),
  },
  { name: '4 MB in one key', file: () => scenario({ ['x'.repeat(4 * MB - 1_000)]: 1 }) },
  {
    name: '10,000 valid edits',
    file: () => scenario({ edits: edits(10_000, { set: { 'groups.*.nice': 1 } }) }),
  },
  {
    name: '64 groups with long names',
    file: () => scenario({ groups: GROUPS }),
  },
  {
    name: '1,024 CPUs',
    file: () => scenario({ machine: largestMachine() }),
  },
  {
    name: 'link of 4 × 10,000 threads',
    link: () =>
      packed(scenario({ schedulers: LANES, groups: THREADS, end: { atNs: 60_000_000_000 } })),
  },
  { name: 'the largest of everything', file: largest },
  {
    name: 'link of 3,000 wrong edits',
    link: () => packed(scenario({ edits: edits(3_000, nobody) })),
  },
  {
    name: 'link of 120,000 levels',
    link: () => packed(nested(120_000)),
  },
];
