// Tables of the manual from data of the core or its sources: a line `<!-- table NAME [ARGUMENT] -->` in a text
// becomes one.
import { readFileSync, readdirSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { conformanceTables } from './conformance.mjs';

const cell = (value) =>
  String(value ?? '')
    .replaceAll('|', '\\|')
    .replace(/\s+/g, ' ')
    .trim();

/** A table in Markdown. */
export function table(heads, rows) {
  const line = (cells) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), `|${heads.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** The folder or file of a scheduler; some ids cannot be names of modules. */
function sourceOf(id) {
  const name = id === '4bsd' ? 'fourbsd' : id;
  if (['manual', 'random'].includes(id)) return 'sim-core/schedulers/src/fifo.rs';
  return `sim-core/schedulers/src/${name}/mod.rs`;
}

/** The documentation at the head of a module, without comment marks. */
function moduleDocs(file) {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//!'));
  return lines.slice(0, end).map((line) => line.slice(3).replace(/^ /, ''));
}

/** Rows of the table `hook | kernel function | deviation`; a row without a hook gets that of the row above. */
function hooks(id) {
  const [head, , ...rows] = moduleDocs(sourceOf(id))
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((text) => text.trim().replace(/\[`(\w+)`\]/g, '`$1`')),
    );
  return { head, rows };
}

/** A value with its unit, in its shortest readable form. */
function valueOf(value, unit) {
  const [size, name] =
    unit !== 'ns' ? [1, unit] : value >= 1e6 ? [1e6, 'ms'] : value >= 1e3 ? [1e3, 'µs'] : [1, 'ns'];
  return `${value / size} ${name}`.trim();
}

function rangeOf({ kind, unit }) {
  if (kind.type === 'flag') return 'on or off';
  if (kind.type === 'choice') return kind.options.map((o) => `\`${o}\``).join(', ');
  return `${valueOf(kind.min, unit)} to ${valueOf(kind.max, unit)}`;
}

function defaultOf({ kind, unit }) {
  if (kind.type === 'flag') return kind.default ? 'on' : 'off';
  return kind.type === 'choice' ? `\`${kind.default}\`` : valueOf(kind.default, unit);
}

/** One row for each tunable; with its default in each era if these differ. */
function tunables({ eras }) {
  const found = new Map();
  for (const era of eras)
    for (const t of era.tunables) {
      const entry = found.get(t.id) ?? { first: t, defaults: new Map() };
      entry.defaults.set(era.id, defaultOf(t));
      found.set(t.id, entry);
    }
  const said = ({ defaults }) => {
    const values = [...new Set(defaults.values())];
    if (values.length === 1 && defaults.size === eras.length) return values[0];
    const withEras = (v) => [...defaults].filter(([, d]) => d === v).map(([era]) => era);
    return values.map((v) => `${v} (${withEras(v).join(', ')})`).join('; ');
  };
  return [...found.values()].map((entry) => {
    const { id, label, summary } = entry.first;
    return [`\`${id}\``, `${label}: ${summary}`, said(entry), rangeOf(entry.first)];
  });
}

/** Number of conformance cases for a scheduler, by folder. */
function cases(id) {
  const folder = inRoot('sim-core', 'tests', 'conformance');
  return readdirSync(folder)
    .filter((name) => name === id || name.startsWith(`${id}-`))
    .map((name) => {
      const files = readdirSync(`${folder}/${name}`).filter((file) => file.endsWith('.toml'));
      const count = files.reduce(
        (sum, file) =>
          sum +
          (readFileSync(`${folder}/${name}/${file}`, 'utf8').match(/^\[\[case\]\]/gm)?.length ?? 0),
        0,
      );
      return [`\`${name}\``, count];
    });
}

/** Number of reasons for each kind of decision. */
function reasons({ reasons: all }) {
  const kinds = new Map();
  for (const { kind, id } of all) kinds.set(kind, [...(kinds.get(kind) ?? []), `\`${id}\``]);
  return [...kinds].map(([kind, ids]) => [`\`${kind}\``, ids.join(', ')]);
}

/** Verdicts by the page of their experiment. */
function verdicts() {
  const { claims } = JSON.parse(readFileSync(inRoot('scenarios', 'verdicts.json'), 'utf8'));
  const kinds = ['holds', 'fails', 'undecided'];
  const count = (of, kind) => of.filter(({ verdict }) => verdict === kind).length;
  const row = (name, of) => [name, ...kinds.map((kind) => count(of, kind))];
  const pages = [...new Set(claims.map(({ page }) => page))];
  const rows = pages.map((page) =>
    row(
      `\`${page}\``,
      claims.filter((c) => c.page === page),
    ),
  );
  return [...rows, row('all', claims)];
}

/** When a property may be set, in words. */
const WHEN = { start: 'before the run', live: 'before and during', run: 'during the run' };

/** The tables by name; each gets the core's catalog and its argument. */
const TABLES = {
  schedulers: ({ schedulers }) =>
    table(
      ['Scheduler', 'What it does', 'Eras'],
      // The manual tells of recorded lanes elsewhere: they are no scheduler.
      schedulers
        .filter(({ family }) => family !== 'recorded')
        .map((s) => [`[${s.name}](${s.id}.md)`, s.summary, s.eras.map((e) => e.name).join('; ')]),
    ),
  eras: ({ schedulers }, id) =>
    table(
      ['Era', 'Release', 'What is its own'],
      schedulers
        .find((s) => s.id === id)
        .eras.toSorted((a, b) => a.year - b.year)
        .map((e) => [`\`${e.id}\``, e.name, e.summary]),
    ),
  tunables: ({ schedulers }, id) =>
    table(
      ['Tunable', 'What it does', 'Default', 'Range'],
      tunables(schedulers.find((s) => s.id === id)),
    ),
  hooks: (_, id) => {
    const { head, rows } = hooks(id);
    return table(head, rows);
  },
  reasons: ({ schedulers }, id) =>
    table(['Decision', 'Reasons'], reasons(schedulers.find((s) => s.id === id))),
  cases: (_, id) => table(['Cases of', 'How many'], cases(id)),
  scenarios: ({ scenarios }) =>
    table(
      ['Scenario', 'Its question', 'Id'],
      scenarios.map(({ id, scenario }) => [scenario.name, scenario.ask, `\`${id}\``]),
    ),
  machines: ({ machines }) =>
    table(
      ['Machine', 'Year', 'CPUs', 'Id'],
      machines.map(({ spec, tree }) => [
        spec.name,
        spec.year,
        tree.thread.length,
        `\`${spec.id}\``,
      ]),
    ),
  behaviours: ({ behaviours }) =>
    table(
      ['Behaviour', 'What its threads do', 'Id'],
      behaviours.filter((b) => b.offered).map((b) => [b.name, b.summary, `\`${b.id}\``]),
    ),
  properties: ({ properties }) =>
    table(
      ['Property', 'What it is', 'Default', 'When', 'Like'],
      properties.map((p) => [`\`${p.path}\``, p.summary, p.default, WHEN[p.when], p.call]),
    ),
  measures: ({ metrics }) =>
    table(
      ['Measure', 'What it is', 'Id'],
      metrics.map((m) => [m.name, m.summary, `\`${m.id}\``]),
    ),
  functions: ({ functions }, where) =>
    table(
      ['Function', 'Gives', 'What it is'],
      functions
        .filter(({ ofLessons }) => ofLessons === (where === 'lessons'))
        .map((f) => [`\`${f.usage}\``, f.gives, f.summary]),
    ),
  verdicts: () => table(['Experiment', 'Holds', 'Fails', 'Undecided'], verdicts()),
  conformance: (_, level) => conformanceTables(table, level),
};

/** The text with its tables. An unknown name is an error. */
export function filledIn(text, core) {
  return text.replace(/^<!-- table (\w+)(?: (\S+))? -->$/gm, (_, name, argument) => {
    const make = TABLES[name];
    if (!make) throw new Error(`There is no table ${name}.`);
    return make(core, argument);
  });
}
