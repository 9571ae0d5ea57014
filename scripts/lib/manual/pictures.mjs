// The pictures of README and manual: the page to open, and the actions there.
const desk = { width: 1280, height: 800 };

/** Nine hogs on eight CPUs, where two lanes differ. */
const NINE = 'v=2&x=bfs-smt&k=9&s=ule:11.1,bfs:0.318&t=3624.5';

const idle = (page) => page.evaluate(() => window.__sim.whenIdle());

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await idle(page);
}

/** `{ name, size, fragment, act, part }`; `part` is the selector of the only element to show. */
export const PICTURES = [
  { name: 'start', size: desk, fragment: '' },
  { name: 'laboratory', size: desk, fragment: NINE },
  {
    name: 'timeline',
    size: desk,
    fragment: NINE,
    act: async (page) => {
      await page.getByRole('tab', { name: 'shares over time', exact: true }).click();
      await idle(page);
    },
  },
  { name: 'setup', size: desk, fragment: NINE, act: (page) => press(page, 's') },
  {
    name: 'why',
    size: desk,
    fragment: NINE,
    act: async (page) => {
      await press(page, 'i');
      const why = page.getByRole('region', { name: 'Why?' });
      await why.getByRole('button').first().click();
      await idle(page);
      await why.scrollIntoViewIfNeeded();
      await why.locator('article').first().scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'replications',
    size: desk,
    fragment: 'r=',
    act: (page) =>
      page
        .getByText(/reproduced/)
        .first()
        .waitFor(),
  },
  {
    name: 'present',
    size: { width: 1280, height: 720 },
    fragment: 'l1.2',
    act: (page) => press(page, 'p'),
  },
  {
    name: 'share',
    size: desk,
    fragment: 's.bfs-smt',
    act: async (page) => {
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
      await idle(page);
    },
  },
];

/** The film of README: a span of a run, made by the page's recorder. */
export const FILM = {
  name: 'film',
  fragment: 'v=2&x=bfs-smt&s=bfs:0.318,manual',
  fromMs: 46,
  toMs: 86,
  msPerSecond: 5,
  size: '960 × 540',
};
