// npm run manual-pictures: takes the pictures of README and manual anew, light and dark, from the built page.
//   node scripts/manual-pictures.mjs [--only NAME] [--check]     --check: says whether the page has changed since
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from './build.mjs';
import { runIfEntry } from './lib/entry.mjs';
import { heading, note } from './lib/log.mjs';
import { FILM, PICTURES } from './lib/manual/pictures.mjs';
import { option } from './lib/options.mjs';
import { inRoot } from './lib/paths.mjs';
import { filesUnder, hashFiles } from './lib/stamp.mjs';
import { setUp } from './setup.mjs';

const folder = inRoot('docs', 'pictures');
const stamp = path.join(folder, 'stamp.json');

/** Inputs of the pictures: a change there may change them. */
const shown = () =>
  hashFiles(
    filesUnder(
      [
        'web/src/view',
        'web/src/styles',
        'scenarios/experiments',
        'scripts/lib/manual/pictures.mjs',
      ],
      (file) => file.endsWith('.test.ts'),
    ),
  );

/** A screenshot as WebP, encoded by the browser: a third of the size of the PNG. */
async function compressed(page, png) {
  const text = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
    canvas.getContext('2d').drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.82 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ''));
  }, png.toString('base64'));
  return Buffer.from(text, 'base64');
}

async function take(session, { name, size, fragment, act }, colorScheme) {
  const context = { colorScheme, reducedMotion: 'reduce' };
  const page = await session.open({ ...size, fragment, context });
  await page.evaluate(() => document.fonts.ready);
  await act?.(page);
  const file = `${name}-${colorScheme}.webp`;
  const png = await page.screenshot();
  // A separate page: the policy of ours forbids foreign scripts.
  writeFileSync(
    path.join(folder, file),
    await compressed(await session.view('about:blank', size), png),
  );
  await page.close();
  note(`docs/pictures/${file}`);
}

async function film(session, { name, fragment, fromMs, toMs, msPerSecond, size }) {
  const page = await session.open({ fragment, width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('tab', { name: 'Record' }).click();
  await page.getByLabel('From, ms').fill(String(fromMs));
  await page.getByLabel('To, ms').fill(String(toMs));
  await page.getByLabel('Speed, ms in a second of film').fill(String(msPerSecond));
  await page.getByLabel('File', { exact: true }).selectOption('gif');
  await page.getByRole('tabpanel').getByLabel('Size').selectOption({ label: size });
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 180_000 }),
    page.getByRole('button', { name: 'Record', exact: true }).click(),
  ]);
  await download.saveAs(path.join(folder, `${name}.gif`));
  await page.close();
  note(`docs/pictures/${name}.gif`);
}

/** Whether the page has changed since the pictures were taken. */
export function areStale() {
  try {
    return JSON.parse(readFileSync(stamp, 'utf8')).shown !== shown();
  } catch {
    return true;
  }
}

await runIfEntry(import.meta.url, async (args) => {
  if (args.includes('--check')) {
    // A warning only: changing a label does not require new pictures, but a release does.
    if (areStale())
      console.log(
        'warning: README and manual show an older page; npm run manual-pictures takes new pictures',
      );
    return;
  }
  const only = option(args, '--only');
  await setUp({ browser: true });
  await build();
  mkdirSync(folder, { recursive: true });
  const { browse } = await import('./lib/page-session.mjs');
  const session = await browse({ port: 4173 });
  heading('Pictures of README and manual');
  for (const picture of PICTURES.filter(({ name }) => !only || name === only))
    for (const scheme of ['light', 'dark']) await take(session, picture, scheme);
  if (!only || only === FILM.name) await film(session, FILM);
  await session.close();
  for (const complaint of session.complaints) note(complaint);
  if (!only) writeFileSync(stamp, `${JSON.stringify({ shown: shown() }, null, 2)}\n`);
});
