/** A code that can be scanned from the last row: in a small and blurred screenshot it still gives the link beside it. */
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import jsqr from 'jsqr';
import { expect, idle, type Lab, test } from './fixtures';

/** A page at a short address, as on a server. */
const ADDRESS = 'https://timeslice.example/';
const LEAST_CELL_PX = 12;
const MOST_CELLS = 33;
const CLEAR_CELLS = 4;

/** The page at another address. */
async function at(page: Page, address: string, own: string): Promise<void> {
  await page.route(`${address}**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const response = await route.fetch({ url: new URL(`.${pathname}`, own).href });
    await route.fulfill({ response });
  });
}

/**
 * The page at the short address in its own browser context, a function that waits until it is idle, and one that
 * closes it.
 */
async function atShortAddress(
  browser: Browser,
  own: string | undefined,
  options: BrowserContextOptions = {},
) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
    ...options,
  });
  const page = await context.newPage();
  await at(page, ADDRESS, own ?? '');
  const close = async () => {
    // The page may still be loading parts.
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  };
  return { page, idle: () => idle(page), close };
}

/** A screenshot as a cheap camera would see it: a quarter of its size, and not sharp. */
function seenFromAfar(page: Page, png: Buffer, scale: number, blurPx: number) {
  return page.evaluate(
    async ([base64, part, blur]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = new OffscreenCanvas(
        Math.round(image.width * part),
        Math.round(image.height * part),
      );
      const ctx = canvas.getContext('2d');
      if (!ctx) throw new Error('no canvas');
      ctx.imageSmoothingQuality = 'high';
      ctx.filter = `blur(${String(blur)}px)`;
      ctx.drawImage(image, 0, 0, canvas.width, canvas.height);
      const { data, width, height } = ctx.getImageData(0, 0, canvas.width, canvas.height);
      return { data: [...data], width, height };
    },
    [png.toString('base64'), scale, blurPx] as const,
  );
}

const read = async (page: Page, scale = 0.25) => {
  const { data, width, height } = await seenFromAfar(page, await page.screenshot(), scale, 1);
  return jsqr(Uint8ClampedArray.from(data), width, height);
};

/** As a hand that moves: some addresses make a code that the reader misses at one size. One picture that is read is enough. */
async function scan(page: Page): Promise<string | undefined> {
  for (const scale of [0.25, 0.27, 0.3]) {
    const found = await read(page, scale);
    if (found) return found.data;
  }
  return undefined;
}

/** Number of cells of the drawing, including the clear ones, and the size of one on the screen. */
function cells(page: Page, name: string) {
  return page.getByRole('img', { name, exact: true }).evaluate((svg: SVGSVGElement) => {
    const path = svg.querySelector('path')?.getBBox();
    const all = svg.viewBox.baseVal.width;
    return {
      all,
      cellPx: svg.getBoundingClientRect().width / all,
      clear: path ? [path.x, path.y, all - path.x - path.width, all - path.y - path.height] : [],
    };
  });
}

async function share(lab: Lab): Promise<void> {
  await lab.page.getByRole('button', { name: 'Share', exact: true }).click();
  await expect(lab.page.getByLabel(/^Link, \d+ characters$/)).toHaveValue(/#/);
}

test('the code of a scenario is read from a small and blurred picture, and opens it', async ({
  lab,
  browser,
  baseURL,
}) => {
  const { page, idle, close } = await atShortAddress(browser, baseURL);
  await page.goto(`${ADDRESS}#s.bfs-smt`);
  await idle();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const field = page.getByLabel(/^Link, \d+ characters$/);
  await expect(field).toHaveValue(`${ADDRESS}#s.bfs-smt`);
  const link = await field.inputValue();
  expect(link.length).toBeLessThanOrEqual(40);

  const name = 'QR code of the link';
  const { all, cellPx, clear } = await cells(page, name);
  expect(all - 2 * CLEAR_CELLS).toBeLessThanOrEqual(MOST_CELLS);
  expect(cellPx).toBeGreaterThanOrEqual(LEAST_CELL_PX);
  expect(clear).toEqual([CLEAR_CELLS, CLEAR_CELLS, CLEAR_CELLS, CLEAR_CELLS]);
  expect((await read(page))?.data).toBe(link);

  // In full screen it can be read in a picture of half that size.
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: /^Fill the screen/ }).click();
  const large = await cells(page, `${name}, large`);
  expect(large.cellPx * large.all).toBeGreaterThanOrEqual(0.8 * 800 - 1);
  const found = await read(page, 0.15);
  expect(found?.data).toBe(link);

  await page.goto('about:blank');
  await page.goto(found?.data ?? '');
  await idle();
  await expect(page.getByRole('button', { name: /^Scenario:/ })).toContainText(
    'Four jobs on four cores',
  );
  await expect(page.locator('.answer h2')).toBeVisible();
  await close();

  await test.step('it can be scanned even if the address of the page is longer', async () => {
    await lab.open();
    await share(lab);
    const long = await lab.page.getByLabel(/^Link, \d+ characters$/).inputValue();
    const code = await cells(lab.page, name);
    expect(code.all - 2 * CLEAR_CELLS).toBeLessThanOrEqual(MOST_CELLS);
    expect(code.cellPx).toBeGreaterThanOrEqual(LEAST_CELL_PX);
    expect(await scan(lab.page)).toBe(long);
  });
});

test(
  'the code of a step of a lesson is short, and asks for the guess first',
  { tag: '@nightly' },
  async ({ browser, baseURL }) => {
    const { page, idle, close } = await atShortAddress(browser, baseURL, {
      reducedMotion: 'reduce',
    });
    await page.goto(`${ADDRESS}#l1.5&teach=p`);
    await idle();
    await page.goto('about:blank');
    await page.goto(`${ADDRESS}#l1.2`);
    await idle();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    const field = page.getByLabel(/^Link, \d+ characters$/);
    await expect(field).toHaveValue(`${ADDRESS}#l1.2`);
    expect((await field.inputValue()).length).toBeLessThanOrEqual(40);
    const { all, cellPx, clear } = await cells(page, 'QR code of the link');
    expect(all - 2 * CLEAR_CELLS).toBeLessThanOrEqual(MOST_CELLS);
    expect(cellPx).toBeGreaterThanOrEqual(LEAST_CELL_PX);
    expect(clear).toEqual([CLEAR_CELLS, CLEAR_CELLS, CLEAR_CELLS, CLEAR_CELLS]);
    const found = await read(page);
    expect(found?.data).toBe(`${ADDRESS}#l1.2`);
    // A later step asks for the guess, too.
    await page.goto('about:blank');
    await page.goto((found?.data ?? '').replace('#l1.2', '#l1.6'));
    await idle();
    await expect(page.locator('[data-lesson-heading]')).toHaveText('2 · Predict');
    await close();
  },
);
