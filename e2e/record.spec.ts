import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, type Lab, test } from './fixtures';
import { type Film, readFilm } from './read-film';

/** Two lanes, four jobs on four cores with siblings. */
const RUN = 'bfs-smt&t=8';

async function openRecord(lab: Lab, page: Page): Promise<void> {
  await lab.open(RUN);
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('tab', { name: 'Record' }).click();
  await page.getByLabel('From, ms').fill('8');
  await page.getByLabel('To, ms').fill('48');
  await page.getByLabel('Speed, ms in a second of film').fill('20');
}

async function record(page: Page, format: Film['kind']): Promise<Buffer> {
  await page.getByLabel('File', { exact: true }).selectOption(format);
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 50_000 }),
    page.getByRole('button', { name: 'Record', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
  return await readFile(await download.path());
}

/** Decodes all pictures with the browser: the time of each in µs, and a hash of all its pixels. */
function decoded(page: Page, film: Film): Promise<{ atUs: number; sum: number }[]> {
  return page.evaluate(
    async ({ codec, setup, samples }) => {
      const bytes = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const found: { atUs: number; sum: number }[] = [];
      // Small, as every pixel is read.
      const canvas = new OffscreenCanvas(320, 180);
      const ctx = canvas.getContext('2d', { willReadFrequently: true });
      const decoder = new VideoDecoder({
        output(picture) {
          ctx?.drawImage(picture, 0, 0, canvas.width, canvas.height);
          const { data } = ctx?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
          let sum = 0;
          for (const value of data) sum = (Math.imul(sum, 31) + value) | 0;
          found.push({ atUs: picture.timestamp, sum });
          picture.close();
        },
        error(error) {
          throw error;
        },
      });
      decoder.configure({ codec, ...(setup === '' ? {} : { description: bytes(setup) }) });
      for (const { data, isKey, atUs } of samples)
        decoder.decode(
          new EncodedVideoChunk({
            type: isKey ? 'key' : 'delta',
            timestamp: atUs,
            data: bytes(data),
          }),
        );
      await decoder.flush();
      return found;
    },
    {
      codec: film.codec,
      setup: film.setup?.toString('base64') ?? '',
      samples: film.samples.map(({ data, isKey }, i) => ({
        data: data.toString('base64'),
        isKey,
        atUs: Math.round((film.timesMs[i] ?? 0) * 1000),
      })),
    },
  );
}

for (const format of ['mp4', 'webm'] as const) {
  test(
    `two seconds of the stage are saved as ${format}, with every picture`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      await openRecord(lab, page);
      await expect(page.getByText('A film of 2.0 s')).toContainText('60 pictures');
      const option = page.getByLabel('File', { exact: true }).locator(`option[value=${format}]`);
      test.skip(await option.isDisabled(), `this browser compresses nothing for ${format}`);
      const film = readFilm(await record(page, format));
      expect(film).toMatchObject({ kind: format, width: 1280, height: 720 });
      expect(film.timesMs).toHaveLength(60);
      expect(film.timesMs[0]).toBe(0);
      expect(film.timesMs.at(-1)).toBeCloseTo(59_000 / 30, -0.3);
      const pictures = await decoded(page, film);
      expect(pictures).toHaveLength(60);
      expect(pictures[0]?.sum).not.toBe(pictures[59]?.sum);
      await expect(
        page.getByRole('status').filter({ hasText: 'Saved: 60 pictures' }),
      ).toBeVisible();
    },
  );
}

test(
  'the same is saved as a GIF, in which each picture follows the one before',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await openRecord(lab, page);
    const size = page.getByRole('tabpanel').getByLabel('Size');
    await size.selectOption({ label: '960 × 540' });
    const file = await record(page, 'gif');
    const film = readFilm(file);
    expect(film).toMatchObject({ kind: 'gif', width: 960, height: 540 });
    expect(film.timesMs).toHaveLength(40);
    expect([film.timesMs[0], film.timesMs.at(-1)]).toEqual([0, 1950]);
    // The browser's first and last pictures: both are mostly paper, and they differ.
    const pictures = await page.evaluate(async (text) => {
      const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type: 'image/gif' });
      await decoder.completed;
      const canvas = new OffscreenCanvas(960, 540);
      const ctx = canvas.getContext('2d', { willReadFrequently: true });
      const found: number[][] = [];
      for (const frameIndex of [0, 39]) {
        const { image } = await decoder.decode({ frameIndex });
        ctx?.drawImage(image, 0, 0);
        image.close();
        found.push([...(ctx?.getImageData(0, 0, 960, 540).data ?? [])]);
      }
      const [first = [], last = []] = found;
      const differing = first.filter((value, i) => value !== last[i]).length;
      return {
        frames: decoder.tracks.selectedTrack?.frameCount,
        corner: first.slice(0, 4),
        differing,
      };
    }, file.toString('base64'));
    expect(pictures.frames).toBe(40);
    expect(pictures.corner).toEqual([0xfc, 0xfb, 0xf9, 0xff]);
    expect(pictures.differing).toBeGreaterThan(1000);
  },
);

test('the stage is saved as a film and as a picture; a film can be given up', async ({
  lab,
  page,
}) => {
  await openRecord(lab, page);
  const file = page.getByLabel('File', { exact: true });
  await test.step('a cancelled film saves nothing', async () => {
    await page.getByLabel('To, ms').fill('1008');
    await expect(page.getByText('1500 pictures')).toBeVisible();
    // By keyboard: Record and Cancel stand in one place, and the focus stays there.
    await page.getByRole('button', { name: 'Record', exact: true }).press('Enter');
    await expect(page.getByRole('progressbar', { name: 'Pictures made' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeFocused();
    await expect(page.getByText('Given up. Nothing was saved.')).toBeVisible();
  });
  await test.step('a wrong end is refused', async () => {
    await page.getByLabel('To, ms').fill('2000000');
    await expect(page.getByRole('alert')).toContainText('To: after the begin, up to 65.0 s');
    await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeDisabled();
  });
  await page.getByLabel('To, ms').fill('12');
  await test.step('a fifth of a second has every picture', async () => {
    const mp4 = file.locator('option[value=mp4]');
    const webm = file.locator('option[value=webm]');
    const format = !(await mp4.isDisabled()) ? 'mp4' : !(await webm.isDisabled()) ? 'webm' : null;
    // Without either, the browser still makes a GIF.
    if (format === null) return;
    const film = readFilm(await record(page, format));
    expect(film).toMatchObject({ kind: format, width: 1280, height: 720 });
    expect(film.timesMs).toHaveLength(6);
    expect(film.timesMs[0]).toBe(0);
    const pictures = await decoded(page, film);
    expect(pictures).toHaveLength(6);
    expect(pictures[0]?.sum).not.toBe(pictures[5]?.sum);
    await expect(page.getByRole('status').filter({ hasText: 'Saved: 6 pictures' })).toBeVisible();
  });
  await test.step('as a GIF, too', async () => {
    const film = readFilm(await record(page, 'gif'));
    expect(film.timesMs).toHaveLength(4);
  });
  await test.step('a picture has all lanes, a legend, and the link', async () => {
    await page.getByRole('tab', { name: 'Data' }).click();
    await page.getByLabel('Picture of', { exact: true }).selectOption({ index: 0 });
    await page.getByLabel('As', { exact: true }).selectOption('svg');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ]);
    const svg = await readFile(await download.path(), 'utf8');
    for (const words of ['BFS', 'Random placement', 'dhry-1', 'dhry-4', '8.000 ms', 'bfs-smt'])
      expect(svg).toContain(words);
    // For each lane the machine in two layers and the past; one axis; a disc for each thread.
    expect(svg.match(/<image /g)).toHaveLength(3 * 3 + 1);
    expect(svg.match(/<circle /g)).toHaveLength(4);
  });
  await test.step('without compression in the browser, the page says so and makes a GIF', async () => {
    await page.evaluate(() => Reflect.deleteProperty(window, 'VideoEncoder'));
    await page.getByRole('tab', { name: 'Record' }).click();
    await expect(page.getByText('cannot compress pictures for MP4 or WebM')).toBeVisible();
    await expect(file).toHaveValue('gif');
    await expect(file.locator('option[value=mp4]')).toBeDisabled();
  });
});
