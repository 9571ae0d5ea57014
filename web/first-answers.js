// Records the first answers of the core while the page is built; web/src/sim/first says what they are for.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';
import { loadWasm } from '../scripts/lib/load-wasm.mjs';

const here = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/** A file beside the page, with its content in its name. */
function fileOf(name, source) {
  const hash = createHash('sha256').update(source).digest('hex').slice(0, 8);
  return { type: 'asset', fileName: `assets/first-${name}-${hash}.json`, source };
}

/** The files, and where the page finds them. */
export async function recordFirstAnswers() {
  const core = await loadWasm();
  const { module } = await runnerImport(here('src/sim/first/record.ts'), { configFile: false });
  const recorded = await module.record({
    catalog: () => core.catalog(),
    check: (json) => core.check(json),
    plan: (json) => new core.Plan(json),
    digests: () => core.digests(),
  });
  const catalog = fileOf('catalog', recorded.catalog);
  const scenarios = Object.entries(recorded.scenarios).map(([id, text]) => [id, fileOf(id, text)]);
  return {
    files: [catalog, ...scenarios.map(([, file]) => file)],
    places: {
      catalog: catalog.fileName,
      scenarios: Object.fromEntries(scenarios.map(([id, { fileName }]) => [id, fileName])),
    },
  };
}

/** Puts the files beside the page. */
export const firstAnswersBeside = (first) => ({
  name: 'first-answers-beside-the-page',
  apply: 'build',
  generateBundle() {
    for (const file of first?.files ?? []) this.emitFile(file);
  },
});
