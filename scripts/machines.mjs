// Writes docs/machines.md: the numbers of the machine presets, and where each comes from.
//   node scripts/machines.mjs [--check]     --check only compares, and fails on a difference
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { inRoot } from './lib/paths.mjs';

const file = inRoot('docs', 'machines.md');
const folder = inRoot('scenarios', 'machines');

const sum = (list, of) => list.reduce((total, x) => total + of(x), 0);
const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** 65536 as 64 KiB; a number that is no whole multiple of a unit is shown in the next smaller one. */
export function bytes(n) {
  for (const [unit, size] of [
    ['MiB', 2 ** 20],
    ['KiB', 2 ** 10],
  ]) {
    if (n % size === 0) return `${n / size} ${unit}`;
  }
  return `${n} bytes`;
}

/** Packages × nodes × groups × cores × contexts of a topology without mixed kinds, and the sums. */
export function counts({ topology }) {
  const cores = (pick) =>
    sum(
      topology.packages,
      (p) =>
        p.count * sum(p.nodes, (n) => n.count * sum(n.llcs, (l) => l.count * sum(l.cores, pick))),
    );
  const packages = sum(topology.packages, (p) => p.count);
  const nodes = sum(topology.packages, (p) => p.count * sum(p.nodes, (n) => n.count));
  const groups = sum(
    topology.packages,
    (p) => p.count * sum(p.nodes, (n) => n.count * sum(n.llcs, (l) => l.count)),
  );
  return {
    packages,
    nodes,
    groups,
    cores: cores((c) => c.count),
    contexts: cores((c) => c.count * c.smt),
  };
}

const ns = (ps) => `${ps / 1000}`;
const us = (value) => `${value / 1000}`;

function topologyRow(m) {
  const { packages, nodes, groups, cores, contexts } = counts(m);
  const name = `[${m.name}](#${m.id})`;
  return [
    `\`${m.id}\``,
    name,
    m.year,
    `${m.clockMhz / 1000}`,
    packages,
    nodes,
    groups,
    cores,
    contexts,
  ];
}

function cacheRows(m) {
  return m.caches.map((c) => [
    `\`${m.id}\``,
    `${c.level}${c.kinds ? ` (${c.kinds.join(', ')})` : ''}`,
    bytes(c.bytes) + (c.exclusive ? ', exclusive' : ''),
    c.per,
    c.level === 1 ? '' : (c.replacement ?? 'lru'),
    c.latencyCycles,
    c.level === 1 ? '' : ns(c.linePs) + (c.portMilli ? ` (× ${c.portMilli / 1000} shared)` : ''),
  ]);
}

const memoryRow = (m) => [
  `\`${m.id}\``,
  m.memory.localLatencyNs,
  ns(m.memory.linePs),
  (m.memory.remote ?? []).map((r) => `× ${r.milli / 1000} at ${r.distance}`).join(', '),
  m.memory.bandwidthMbPerS / 1000,
  m.memory.domain,
  m.work.loopMilliCycles / 1000,
  m.work.overlapMilli / 1000,
  m.work.lruStepMilli / 1000,
];

const costRow = (m) => [
  `\`${m.id}\``,
  us(m.costs.yieldNs),
  us(m.costs.switchNs),
  us(m.costs.tickNs),
  us(m.costs.kickNs),
  us(m.costs.idleExitNs),
  us(m.costs.idleExitDeepNs),
  [m.costs.lineTransferNs, m.costs.lineTransferFarNs].filter((n) => n !== undefined).join(' / '),
];

/** The lists of idle states, with the systems that have them. */
const IDLE_LISTS = [
  ['states', 'Linux, and all without their own'],
  ['firmwareStates', 'Linux up to 2.6.34'],
  ['freeBsdStates', 'FreeBSD'],
];

const idleRows = (m) =>
  IDLE_LISTS.filter(([field]) => m.idle?.[field]).map(([field, system]) => [
    `\`${m.id}\``,
    system,
    m.idle[field]
      .map(
        (s) =>
          `${s.name} ${us(s.exitNs)} / ${us(s.residencyNs)}${s.wake === 'ipi' ? ' (IPI)' : ''}`,
      )
      .join(', '),
  ]);

/** One machine: its purpose, and the sources of its numbers. */
const sources = (m) => `### ${m.id}

${m.name}, ${m.microarchitecture}. ${m.purpose}

${table(
  ['Numbers', 'Known', 'Source or reasoning'],
  m.provenance.map((p) => [p.fields.map((f) => `\`${f}\``).join(', '), p.mark, p.source]),
)}
`;

/** The page, from the presets in the order of the registry. */
export function page(machines) {
  const section = (title, text, head, rows) => `## ${title}\n\n${text}\n\n${table(head, rows)}\n`;
  return [
    `# Machines

Written by \`npm run machines\` from \`scenarios/machines/\`; do not edit. [model.md](model.md) says how the
numbers are used. A number is *measured*, on such hardware, by whom the source names. It is *published* in a specification, a
paper, the code of a kernel, or as a common value. Or it is *assumed*: inferred or chosen, with the reasoning. The constants that belong to no machine are in [constants.md](constants.md).
`,
    section(
      'Topology',
      'Packages, NUMA nodes, groups of cores with a common last-level cache, cores, contexts.',
      ['Id', 'Machine', 'Year', 'GHz', 'Packages', 'Nodes', 'Groups', 'Cores', 'Contexts'],
      machines.map(topologyRow),
    ),
    section(
      'Caches',
      'The last column is what a thread pays: ns to stream 64 bytes from this level, writing back included. Cycles of latency are what the kernel pays for its own data.',
      ['Id', 'Level', 'Size', 'One for each', 'Replacement', 'Cycles', 'ns a line'],
      machines.flatMap(cacheRows),
    ),
    section(
      'Memory and work',
      'A line costs its latency when the kernel looks for its own data, and ns a line when a thread streams. Bandwidth is what is sustained, for each domain.',
      [
        'Id',
        'ns',
        'ns a line',
        'Remote',
        'GB/s',
        'Domain',
        'Cycles of `loop`',
        'Overlap',
        'LRU step',
      ],
      machines.map(memoryRow),
    ),
    section(
      'Direct costs',
      'In µs, the transfer of a line between cores in ns (near / far). The idle exit is that of a CPU beside a busy one of its core. The deep one holds where a scenario sets one of them, or a machine names no idle states.',
      ['Id', 'Yield', 'Switch', 'Tick', 'Signal', 'Idle exit', 'Idle exit, deep', 'Line, ns'],
      machines.map(costRow),
    ),
    section(
      'Idle states',
      'In µs: the time to leave a state, and the length of idleness from which on it is worth while. Where a state says IPI, another CPU sends an interrupt to wake it; else a store is enough.',
      ['Id', 'System', 'States'],
      machines.flatMap(idleRows),
    ),
    `## Sources\n\n${machines.map(sources).join('\n')}`,
  ].join('\n');
}

/** The presets, in the order of the registry. */
function presets() {
  const registry = readFileSync(inRoot('sim-core', 'machine', 'src', 'registry.rs'), 'utf8');
  const order = [...registry.matchAll(/preset!\("(\w+)"\)/g)].map(([, id]) => id);
  const files = readdirSync(folder).map((name) => path.parse(name).name);
  const missing = files.filter((id) => !order.includes(id));
  if (missing.length > 0) throw new Failure(`Not in the registry: ${missing.join(', ')}`);
  return order.map((id) => JSON.parse(readFileSync(path.join(folder, `${id}.json`), 'utf8')));
}

await runIfEntry(import.meta.url, (args) => {
  const text = page(presets());
  if (!args.includes('--check')) {
    writeFileSync(file, text);
    note('docs/machines.md written');
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    throw new Failure('docs/machines.md does not say what the presets say. Type: npm run machines');
  } else {
    note('docs/machines.md is up to date');
  }
});
