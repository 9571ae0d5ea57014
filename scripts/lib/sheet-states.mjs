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

/** Each key after what the one before it began has ended. */
async function press(page, ...keys) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await idle(page);
  }
}

/** Waits for the pictures that Start draws in a worker of its own. */
async function drawn(page) {
  const pace = page.locator('figure .work').first();
  await pace.filter({ hasText: /^\d/ }).waitFor();
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

/** Presents lesson 1, with the guess of most hands, up to a kind of step. */
async function hall(page, kind) {
  await press(page, 'p');
  const head = page.locator('.classroom-head');
  await head.waitFor();
  await idle(page);
  while (!(await head.innerText()).includes(`${kind} ·`)) {
    if ((await head.innerText()).includes('Predict')) await press(page, '2');
    await press(page, 'PageDown');
  }
}

/** Follows lesson 1 with a guess, up to a kind of step. */
async function learn(page, kind) {
  const lesson = page.locator('.lesson');
  while (!(await lesson.innerText()).includes(`· ${kind}`)) {
    const option = lesson.getByRole('radio').nth(1);
    if ((await option.count()) > 0 && (await option.isEnabled())) await option.click();
    const order = lesson.getByRole('button', { name: 'This order is my guess' });
    if ((await order.count()) > 0) await order.click();
    await lesson.locator('.primary').click();
    await idle(page);
  }
}

/** Selects a thread on the stage, whose details stand beside the timelines then. */
async function details(page) {
  await page.evaluate(() => window.__sim.seek(74e6));
  await idle(page);
  const { x, y, w, h } = await page.evaluate(
    () => window.__sim.stageRects()[0].tokens.find(({ state }) => state === 'slot').rect,
  );
  await page.mouse.click(x + w / 2, y + h / 2);
  await idle(page);
}

/** `{ name, size, fragment, act }`; light and dark unless `schemes` says otherwise. */
export const states = [
  { name: 'a-gallery', size: desk, fragment: '', act: drawn },
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
  { name: 'b-lesson-predict', size: desk, fragment: 'l1.2', act: (page) => press(page, 'b') },
  { name: 'c-lesson-explain', size: desk, fragment: 'l1.1', act: (page) => learn(page, 'Explain') },
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
  { name: 'i0-phone-start', size: phone, fragment: '', act: drawn },
  { name: 'i1-phone-lesson', size: phone, fragment: 'l1.2', act: (page) => press(page, 'b') },
  { name: 'i2-phone-lab', size: phone, fragment: NINE },
  {
    name: 'i3-phone-menu',
    size: phone,
    fragment: NINE,
    act: (page) => page.getByRole('button', { name: 'Menu' }).click(),
  },
  { name: 'k-share', size: desk, fragment: 's.bfs-smt', act: dialog('Share') },
  { name: 'n3', size: desk, fragment: 's.bfs-smt', act: details },
  { name: 'n3b', size: beamer, fragment: 's.bfs-smt', act: (page) => press(page, 'p', 'j', 'w') },
  { name: 'n4', size: beamer, fragment: 'l1.1', act: (page) => hall(page, 'Explain') },
  { name: 'n4b', size: beamer, fragment: 'l1.1', act: (page) => hall(page, 'Situation') },
  { name: 'n5', size: desk, fragment: '', act: drawn },
  { name: 'm-keys', size: desk, fragment: NINE, act: (page) => press(page, '?') },
];
