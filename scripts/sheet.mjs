// npm run sheet [-- FOLDER] [--only TEXT] [--light]: the states of the page on one sheet, light and dark, each beside the
// picture of the same name in a folder of drafts, if there is one. Into screenshots/sheet/ (ignored by git): index.html to
// look through, sheet.png as a whole. Needs a built page: npm run build
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { main } from './lib/entry.mjs';
import { Failure, heading, note } from './lib/log.mjs';
import { option } from './lib/options.mjs';
import { browse } from './lib/page-session.mjs';
import { inRoot } from './lib/paths.mjs';
import { states } from './lib/sheet-states.mjs';

const folder = inRoot('screenshots', 'sheet');
/** Width of a picture on the complete sheet. */
const WIDTH = 640;

/** A row of the sheet: the draft, then the built page. */
function rowOf({ name, size }, pictures) {
  const cells = pictures.map(
    ({ file, says }) =>
      `<figure><a href="${file}"><img src="${file}" alt="${name}, ${says}"></a><figcaption>${says}</figcaption></figure>`,
  );
  return `<section><h2>${name} · ${size.width} × ${size.height}</h2><div>${cells.join('')}</div></section>`;
}

const page = (rows) => `<!doctype html><meta charset="utf-8"><title>Sheet</title><style>
body { margin: 16px; font: 14px sans-serif; background: #777; color: #fff }
h2 { font-size: 16px; margin: 18px 0 6px }
div { display: grid; grid-template-columns: repeat(3, ${WIDTH}px); gap: 12px; align-items: start }
figure { margin: 0 } img { display: block; max-width: 100%; max-height: 900px } figcaption { padding: 2px }
</style>${rows.join('\n')}`;

async function take(session, state, colorScheme) {
  const { deviceScaleFactor = 1, ...size } = state.size;
  const file = `${state.name}-${colorScheme}.png`;
  const context = { colorScheme, deviceScaleFactor, reducedMotion: 'reduce' };
  const tab = await session.open({ ...size, fragment: state.fragment, context });
  await tab.evaluate(() => document.fonts.ready);
  await state.act?.(tab);
  await tab.screenshot({ path: path.join(folder, file) });
  await tab.close();
  return { file, says: `built, ${colorScheme}` };
}

await main(async () => {
  const args = process.argv.slice(2);
  const only = option(args, '--only');
  const drafts = args.find((arg, i) => !arg.startsWith('--') && args[i - 1] !== '--only');
  if (drafts && !existsSync(drafts)) throw new Failure(`There is no folder ${drafts}.`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const session = await browse({ port: 4407 });
  const rows = [];
  heading('Sheet');
  for (const state of states.filter(({ name }) => !only || name.includes(only))) {
    const pictures = [];
    for (const ending of drafts ? ['png', 'webp'] : []) {
      const draft = path.join(drafts, `${state.name}.${ending}`);
      if (!existsSync(draft)) continue;
      const file = `${state.name}-draft.${ending}`;
      copyFileSync(draft, path.join(folder, file));
      pictures.push({ file, says: 'draft' });
    }
    for (const scheme of args.includes('--light') ? ['light'] : ['light', 'dark'])
      pictures.push(await take(session, state, scheme));
    rows.push(rowOf(state, pictures));
    note(state.name);
  }
  const html = path.join(folder, 'index.html');
  writeFileSync(html, page(rows));
  const sheet = await session.view(pathToFileURL(html).href, {
    width: 3 * WIDTH + 60,
    height: 900,
  });
  await sheet.screenshot({ path: path.join(folder, 'sheet.png'), fullPage: true });
  await session.close();
  for (const complaint of session.complaints) note(complaint);
  note('screenshots/sheet/index.html and sheet.png');
});
