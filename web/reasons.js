// The reasons of decisions, as the page needs them: from the files beside the code that decides. Names come with the page,
// because pictures need them; texts are large and come later.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inRoot = (file) => fileURLToPath(new URL(`../${file}`, import.meta.url));

const SOURCES = ['sim-core/schedulers/src/', 'sim-core/policy/src/'];
const NAME = '/reasons.json';

/** Fields that are read, in the order in which catalogs list them. */
export const TEXTS = ['sentence', 'formula', 'deviation'];
/** Fields that pictures and cards act on. */
const NAMES = ['mover', 'waitsOn', 'try'];

/** The files, from the root of the repository on. Nobody sees the scheduler that is there to be copied. */
export const reasonFiles = () =>
  SOURCES.flatMap((folder) =>
    readdirSync(inRoot(folder), { recursive: true })
      .map((file) => `${folder}${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith(NAME) && !file.endsWith(`/skeleton${NAME}`))
      .sort(),
  );

/** `[scheduler, reasons]` for each, in order. A row has what it takes from a shared one. */
export function reasonTables() {
  const files = reasonFiles().map((file) => {
    const folder = SOURCES.reduce((name, from) => name.replace(from, ''), file).replace(NAME, '');
    return { folder, schedulers: [folder], ...JSON.parse(readFileSync(inRoot(file), 'utf8')) };
  });
  return files.flatMap(({ schedulers, shared, reasons }) => {
    const base = files.find(({ folder }) => folder === shared)?.reasons;
    const rows = reasons.map((row) => ({ ...base?.find(({ id }) => id === row.shared), ...row }));
    return schedulers.map((id) => [id, rows]);
  });
}

/** Some fields of all reasons that have one of them, by scheduler and reason. */
function parts(fields, made = (value) => value) {
  const of = (row) =>
    Object.fromEntries(fields.filter((f) => row[f]).map((f) => [f, made(row[f])]));
  const byId = (rows) =>
    rows.map((row) => [row.id, of(row)]).filter(([, own]) => Object.keys(own).length > 0);
  return Object.fromEntries(
    reasonTables().map(([id, rows]) => [id, Object.fromEntries(byId(rows))]),
  );
}

/** Modules with these parts, for the page; `say` translates. */
export const reasonModules = (say) => ({
  name: 'reasons-of-decisions',
  resolveId: {
    filter: { id: /^virtual:reasons\/(names|texts)$/ },
    handler: (id) => `\0${id}`,
  },
  load: {
    filter: { id: /^\0virtual:reasons\// },
    handler(id) {
      for (const file of reasonFiles()) this.addWatchFile(inRoot(file));
      const told = id.endsWith('/texts') ? parts(TEXTS, say) : parts(NAMES);
      return `export default ${JSON.stringify(told)};`;
    },
  },
});
