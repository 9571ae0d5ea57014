// Writes the manual as files: texts in Markdown, tables from the core, pictures, and a search that works without a
// network.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { build } from 'vite';
import { loadWasm } from '../load-wasm.mjs';
import { Failure } from '../log.mjs';
import { inRoot } from '../paths.mjs';
import { PAGES, SECTIONS } from './contents.mjs';
import { filledIn } from './fill-in.mjs';
import { rendered } from './render.mjs';
import { framed } from './template.mjs';

const read = (file) => readFileSync(inRoot(file), 'utf8');

/** State while pages are made: the pages, the pictures that they need, and problems. */
class Site {
  problems = [];
  pictures = new Map();

  pageOf(file) {
    return PAGES.find((page) => page.file === file);
  }

  /** Address of a repository's picture in the manual; undefined if there is none. */
  take(file) {
    if (!existsSync(inRoot(file))) return undefined;
    const place = `pictures/${path.posix.basename(file)}`;
    this.pictures.set(place, file);
    return place;
  }
}

/** One entry for each heading of each page; a long table is found by its heading. */
function entries(pages) {
  return pages.flatMap(({ id, title, parts, brief }) =>
    parts
      .filter(({ slug, text }) => slug !== '' || text !== '')
      .map(({ slug, heading, level, text }) => ({
        id: `${id}.html${level > 1 && slug ? `#${slug}` : ''}`,
        title,
        heading: level > 1 ? heading : '',
        text: brief ? '' : text,
        begin: brief ? '' : text.slice(0, 140),
      })),
  );
}

/** Texts are split into words in the same way for the index and for a search. */
export const SEARCH = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['title', 'heading', 'begin'],
};

function searchIndex(pages) {
  const search = new MiniSearch(SEARCH);
  const seen = new Set();
  for (const entry of entries(pages))
    if (!seen.has(entry.id)) {
      seen.add(entry.id);
      search.add(entry);
    }
  // A script, because a page from a disk cannot load data.
  return `globalThis.timesliceManualIndex = ${JSON.stringify(JSON.stringify(search))};\n`;
}

/** The only script of the manual, with its library. */
async function script() {
  const before = process.env.NODE_ENV;
  try {
    const [{ output }] = await build({
      configFile: false,
      logLevel: 'error',
      root: inRoot('web', 'manual'),
      define: { __SEARCH__: JSON.stringify(SEARCH) },
      build: {
        write: false,
        target: 'es2022',
        lib: { entry: inRoot('web', 'manual', 'search.js'), formats: ['iife'], name: 'manual' },
      },
    });
    return output[0].code;
  } finally {
    // Vite sets it, and a build that goes on in this process would be another one.
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** All texts with their tables, as `{ page, text }`. */
export async function texts() {
  const { catalog } = await loadWasm();
  const core = JSON.parse(catalog());
  return PAGES.map((page) => ({ page, text: filledIn(read(page.file), core) }));
}

/** All files of the manual by path; fails with a list of all broken links. */
export async function manualFiles() {
  const site = new Site();
  const pages = (await texts()).map(({ page, text }) => ({
    ...page,
    ...rendered(text, page, site),
  }));
  if (site.problems.length > 0) throw new Failure(site.problems.join('\n'));
  const titled = SECTIONS.map(({ name, pages: of }) => ({
    name,
    pages: of.map(({ id }) => pages.find((page) => page.id === id)),
  }));
  const files = new Map(
    pages.map((page, i) => [
      `${page.id}.html`,
      framed({ page, sections: titled, before: pages[i - 1], after: pages[i + 1] }),
    ]),
  );
  files.set('manual.css', read('web/manual/manual.css'));
  files.set('search.js', await script());
  files.set('search-index.js', searchIndex(pages));
  for (const [place, file] of site.pictures) files.set(place, readFileSync(inRoot(file)));
  return files;
}
