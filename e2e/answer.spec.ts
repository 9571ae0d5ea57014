import { readdirSync, readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
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

/** The question is in sight, and its answer is the largest text. */
async function isLargest(page: Page, what: string): Promise<void> {
  await expect(page.locator('.answer h2'), what).toBeInViewport();
  await expect(page.locator('.numbers .number').first(), what).toBeInViewport();
  const { answer, other } = await page.evaluate(sizes);
  expect(answer, `${what}: ${JSON.stringify(other)}`).toBeGreaterThanOrEqual(2 * other.px - 1);
}

const SIZES = [
  [1280, 800, ''],
  [1024, 768, ''],
  [390, 844, ''],
  [800, 450, '&embed=1'],
] as const;

for (const [width, height, more] of SIZES)
  test(
    `question and answer of every scenario are in sight at ${String(width)} px${more === '' ? '' : ', embedded'}`,
    { tag: '@nightly' },
    async ({ lab, page }) => {
      test.slow();
      await page.setViewportSize({ width, height });
      for (const { id, ask } of scenarios) {
        await lab.open(more === '' ? `s.${id}` : `v=2&x=${id}${more}`);
        // A number and its unit are not separated by a line break.
        const question = await page.locator('.answer h2').innerText();
        expect(question.replaceAll('\u00a0', ' '), id).toBe(ask);
        await isLargest(page, id);
      }
    },
  );

test('question and answer are in sight, and the answer is the largest text', async ({
  lab,
  page,
}) => {
  const id = 'bfs-smt';
  for (const isEmbedded of [true, false]) {
    await lab.open(isEmbedded ? `v=2&x=${id}&embed=1` : `s.${id}`);
    for (const [width, height, more] of SIZES)
      if ((more !== '') === isEmbedded) {
        await page.setViewportSize({ width, height });
        await lab.idle();
        await expect(page.locator('.answer h2')).toHaveText(
          scenarios.find((s) => s.id === id)?.ask ?? '',
        );
        await isLargest(page, `${String(width)} px${more}`);
      }
  }

  await test.step('the reader chooses the measure, and returns to that of the scenario', async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const question = page.locator('.answer h2');
    const asked = await question.innerText();
    await page.getByRole('button', { name: 'change measure' }).click();
    await page.getByLabel('Large number').selectOption('longestWait');
    await expect(question).toHaveText('How long is the longest wait?');
    await page.getByRole('button', { name: 'Ask as before' }).click();
    await expect(question).toHaveText(asked);
  });

  await test.step('the answer is the largest text of a presentation', async () => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.getByRole('button', { name: 'Present' }).click();
    await lab.idle();
    const { answer, other } = await page.evaluate(sizes);
    expect(answer, JSON.stringify(other)).toBeGreaterThanOrEqual(2 * other.px);
    // One slider stays.
    await expect(page.getByRole('slider', { name: 'Processes' })).toBeVisible();
  });
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
    if (name === 'Inspect') {
      // It stands beside the timelines, below the machines, and covers neither.
      for (const covered of ['.timelines', '.lane']) {
        const box = await page.locator(covered).last().boundingBox();
        const isAside = (box?.x ?? 0) + (box?.width ?? 0) <= (card?.x ?? 0) + 1;
        expect(isAside || (box?.y ?? 0) + (box?.height ?? 0) <= (card?.y ?? 0) + 1, covered).toBe(
          true,
        );
      }
    }
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
