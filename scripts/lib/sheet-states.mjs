// The pictures of the sheet: name, size, the page to open, and the actions there. A picture of the same name in the
// sheet's folder of drafts is shown beside it.
const desk = { width: 1280, height: 800 };
const beamer = { width: 1024, height: 768 };
const wall = { width: 1920, height: 1080 };
const slide = { width: 800, height: 450 };
/** With the resolution of a phone. */
const phone = { width: 390, height: 844, deviceScaleFactor: 2 };

/** Nine hogs on eight CPUs, where two lanes differ. */
const NINE = 'v=2&x=bfs-smt&k=9&s=ule:11.1,bfs:0.318&t=3624.5';

const idle = (page) => page.evaluate(() => window.__sim.whenIdle());

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
  await idle(page);
}

async function tab(page, name) {
  await page.getByRole('tab', { name, exact: true }).click();
  await idle(page);
}

async function card(page) {
  await page.locator('.shares button').first().click();
  await press(page, 't');
}

/** Plays fast until moves are summed, and long enough for a whole second. */
async function added(page) {
  const speed = page.getByRole('spinbutton', { name: 'speed' });
  await speed.fill('1000');
  await press(page, 'Enter');
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await page.waitForFunction(() =>
    window.__sim.stageRects().every((lane) => lane.totals && lane.totals.fromNs > 0),
  );
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await idle(page);
}

const dialog = (name) => async (page) => {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByRole('dialog').first().waitFor();
  await idle(page);
};

/** `{ name, size, fragment, act }`; light and dark unless `schemes` says otherwise. */
export const states = [
  { name: 'a-gallery', size: desk, fragment: '' },
  {
    name: 'a2-search',
    size: desk,
    fragment: '',
    act: async (page) => {
      await press(page, '/');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.type('nice');
    },
  },
  { name: 'd-lab-two-lanes', size: desk, fragment: NINE },
  { name: 'd2-lab-thread-card', size: desk, fragment: NINE, act: card },
  { name: 'd3-setup', size: desk, fragment: NINE, act: (page) => press(page, 's') },
  { name: 'd4-queues', size: desk, fragment: NINE, act: (page) => tab(page, 'queues now') },
  { name: 'd5-three-lanes', size: desk, fragment: 's.bfs-smt' },
  { name: 'e-lab-fast', size: desk, fragment: NINE, act: added },
  { name: 'f-512-threads', size: desk, fragment: 'v=2&x=s2c-512-threads&t=200000' },
  { name: 'g1-present-1024x768', size: beamer, fragment: NINE, act: (page) => press(page, 'p') },
  { name: 'g2-present-1920x1080', size: wall, fragment: NINE, act: (page) => press(page, 'p') },
  { name: 'h-embed-800x450', size: slide, fragment: `${NINE}&embed=1` },
  { name: 'h2-embed-three', size: slide, fragment: 'v=2&x=bfs-smt&t=3624.5&embed=1' },
  { name: 'i0-phone-start', size: phone, fragment: '' },
  { name: 'i2-phone-lab', size: phone, fragment: NINE },
  {
    name: 'i3-phone-menu',
    size: phone,
    fragment: NINE,
    act: (page) => page.getByRole('button', { name: 'Menu' }).click(),
  },
  { name: 'k-share', size: desk, fragment: 's.bfs-smt', act: dialog('Share') },
  { name: 'm-keys', size: desk, fragment: NINE, act: (page) => press(page, '?') },
];
