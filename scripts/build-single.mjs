// npm run build:single: the whole page as one HTML file for each language, dist/timeslice.html and dist/timeslice.de.html, that
// opens from a disk without server or network. `npm run build` makes them as well; the page offers its own for download.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LANGUAGES } from '../web/i18n/languages.js';
import { policyOf, singlePolicy } from '../web/csp.js';
import { buildWasm } from './build-wasm.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { NOTICES } from './lib/notices.mjs';
import { cache, dist, inRoot, singleFile } from './lib/paths.mjs';
import { mustRun, npmProgram } from './lib/run.mjs';
import { setUp } from './setup.mjs';

const folder = path.join(cache, 'single');
const made = path.join(folder, 'index.html');

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const insides = (html, tag) =>
  [...html.matchAll(new RegExp(`<${tag}\\b[^>]*>([\\s\\S]*?)</${tag}>`, 'g'))].map(
    ([, text]) => text,
  );

const asText = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Adds the page's policy, with the hashes of its content, and the notices that a site has as a file. */
function sealed(html) {
  const icon = readFileSync(inRoot('public', 'icon.svg')).toString('base64');
  const whole = html.replace('"./icon.svg"', `"data:image/svg+xml;base64,${icon}"`);
  // Scripts may contain text that looks like elements, so scripts are taken out first.
  const elements = whole.replace(/<script\b[\s\S]*?<\/script>/g, '');
  if (/(src|href)="\.?\//.test(elements))
    throw new Failure('The single file refers to another file.');
  const policy = policyOf(
    singlePolicy(insides(whole, 'script').map(sha256), insides(elements, 'style').map(sha256)),
  );
  const withPolicy = whole.replace(
    '<meta charset="utf-8" />',
    `<meta charset="utf-8" />\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
  // Scripts may contain the end tag of the body, so the last one counts.
  const end = withPolicy.lastIndexOf('</body>');
  const terms = asText(readFileSync(path.join(folder, NOTICES), 'utf8'));
  return `${withPolicy.slice(0, end)}<template id="notices">${terms}</template>\n  ${withPolicy.slice(end)}`;
}

async function buildOne(locale) {
  await mustRun([...npmProgram('vite'), 'build', '--config', 'web/vite.single.config.js'], {
    what: `The build of the single file (${locale})`,
    env: { TIMESLICE_LOCALE: locale },
  });
  writeFileSync(made, sealed(readFileSync(made, 'utf8')));
  mkdirSync(dist, { recursive: true });
  const name = singleFile(locale);
  copyFileSync(made, path.join(dist, name));
  note(`dist/${name} opens from a disk`);
}

export async function buildSingle() {
  heading('Single files');
  for (const locale of ['en', ...Object.keys(LANGUAGES)]) await buildOne(locale);
}

await runIfEntry(import.meta.url, async () => {
  await setUp();
  await buildWasm();
  await buildSingle();
});
