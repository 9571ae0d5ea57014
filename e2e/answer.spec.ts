import { readdirSync, readFileSync } from 'node:fs';
import { expect, type Lab, test } from './fixtures';

const FOLDER = new URL('../scenarios/experiments/', import.meta.url);

/** Every shipped scenario and its question. */
const scenarios = readdirSync(FOLDER).map((file) => {
  const { ask } = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as { ask: string };
  return { id: file.replace('.json', ''), ask };
});

/** Sizes of text in CSS pixels: of the answers, and the largest of all other visible text. */
const sizes = () => {
  const answers: number[] = [];
  let other = { px: 0, text: '' };
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim() ?? '')
      .join('');
    if (text === '' || element.closest('.visually-hidden') || !element.checkVisibility()) continue;
    const px = Number.parseFloat(getComputedStyle(element).fontSize);
    if (element.closest('.numbers .number')) {
      if (element.matches('.number')) answers.push(px);
    } else if (!element.closest('.difference') && px > other.px) other = { px, text };
  }
  return { answer: Math.min(...answers), other };
};

for (const [width, height, more] of [
  [1280, 800, ''],
  [1024, 768, ''],
  [390, 844, ''],
  [800, 450, '&embed=1'],
] as const) {
  test(`question and answer are in sight, and the answer is the largest text, at ${String(width)} px${more === '' ? '' : ', embedded'}`, async ({
    lab,
    page,
  }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    for (const { id, ask } of scenarios) {
      await lab.open(more === '' ? `s.${id}` : `v=2&x=${id}${more}`);
      const question = page.locator('.answer h2');
      // A number and its unit are not separated by a line break.
      expect((await question.innerText()).replaceAll('\u00a0', ' '), id).toBe(ask);
      await expect(question).toBeInViewport();
      await expect(page.locator('.numbers .number').first()).toBeInViewport();
      const { answer, other } = await page.evaluate(sizes);
      expect(answer, `${id}: ${JSON.stringify(other)}`).toBeGreaterThanOrEqual(2 * other.px - 1);
    }
  });
}

test('the answer is the largest text of a presentation', async ({ lab, page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await lab.open('bfs-smt&t=25');
  await page.getByRole('button', { name: 'Present' }).click();
  await lab.idle();
  const { answer, other } = await page.evaluate(sizes);
  expect(answer, JSON.stringify(other)).toBeGreaterThanOrEqual(2 * other.px);
  // One slider stays.
  await expect(page.getByRole('slider', { name: 'Processes' })).toBeVisible();
});

/** Where the CPUs of all lanes are on the page. */
async function places(lab: Lab): Promise<unknown> {
  await lab.idle();
  return lab.page.evaluate(() =>
    window.__sim.stageRects().map(({ lane, slots }) => ({
      lane,
      slots: slots.map(({ cpu, rect }) => ({ cpu, rect })),
    })),
  );
}

test('no CPU moves for a panel, a selection, a tab or a queue', async ({ lab, page }) => {
  await lab.open('bfs-smt&k=9&t=100');
  const before = await places(lab);
  const answer = await page.locator('.answer').boundingBox();
  const bottom = (answer?.y ?? 0) + (answer?.height ?? 0);
  for (const name of ['Setup', 'Inspect'] as const) {
    await lab.panel(name);
    expect(await places(lab), name).toEqual(before);
    const card = await page.getByRole('complementary', { name }).boundingBox();
    expect(card?.y ?? 0, name).toBeGreaterThanOrEqual(bottom);
    await page.getByRole('button', { name: `Close ${name}` }).click();
  }
  await page.locator('.shares .row').first().click();
  expect(await places(lab), 'a selection').toEqual(before);
  for (const tab of ['shares over time', 'queues now', 'decisions']) {
    await lab.tab(tab);
    expect(await places(lab), tab).toEqual(before);
  }
  await lab.type('Processes', '40');
  await page.evaluate(() => window.__sim.seek(200e6));
  expect(await places(lab), 'full queues').toEqual(before);
});

test('the reader chooses the measure, and returns to that of the scenario', async ({
  lab,
  page,
}) => {
  await lab.open('s.bfs-smt');
  const question = page.locator('.answer h2');
  const asked = await question.innerText();
  await page.getByRole('button', { name: 'change measure' }).click();
  await page.getByLabel('Large number').selectOption('longestWait');
  await expect(question).toHaveText('How long is the longest wait?');
  await page.getByRole('button', { name: 'Ask as before' }).click();
  await expect(question).toHaveText(asked);
});

test('one thread gets another nice value and other CPUs', async ({ lab, page }) => {
  await lab.open('bfs-smt&s=cfs&t=100');
  await page.locator('.shares .row').first().click();
  const card = page.getByRole('region', { name: 'Change this thread' });
  await lab.type('Nice of dhry-1', '7');
  await card.getByRole('button', { name: 'Pin here' }).click();
  await lab.idle();
  await expect(card).toContainText('1 of 8');
  await expect(page).toHaveURL(/setNice|z=/);
  await card.getByRole('button', { name: 'Set free' }).click();
  await lab.idle();
  await expect(card).toContainText('all 8');
});
