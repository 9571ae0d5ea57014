import { crowd, sixtyFour } from '../scripts/lib/page-session.mjs';
import { expect, test } from './fixtures';

/** Ten minutes of this take much longer than any test. */
const LARGE = JSON.stringify(
  crowd(sixtyFour(), 500, [
    { id: 'ule', era: '11.1' },
    { id: 'cfs', era: '2.6.34' },
  ]),
);

test('a long jump and a long search show their progress and are stopped', async ({ lab, page }) => {
  await lab.open();
  await page.evaluate((json) => window.__sim.open(json), LARGE);
  await lab.idle();

  await test.step('a jump by Escape, at an ordinary moment of the run', async () => {
    const before = await lab.now();
    const slider = page.getByRole('slider', { name: 'Time' });
    await slider.focus();
    await slider.press('End');
    const bar = page.getByRole('progressbar', { name: 'Running to 600 s' });
    await expect(bar).toHaveAttribute('aria-valuetext', /^at .* m?s$/);
    await expect(page.getByText(/s left$|min left$/)).toBeVisible();
    await expect(page.getByText('Running to 600 s. Escape stops it.')).toBeAttached();
    await page.keyboard.press('Escape');
    await lab.idle();
    await expect(bar).toHaveCount(0);
    const here = await lab.now();
    expect(here).toBeGreaterThan(before);
    expect(here).toBeLessThan(600e9);
    const digests = await lab.digests();
    await lab.step('switch');
    expect(await lab.digests()).not.toEqual(digests);
    await page.evaluate((ns) => window.__sim.seek(ns), here);
    await lab.idle();
    expect(await lab.digests()).toEqual(digests);
  });

  await test.step('a search by its button', async () => {
    await page.getByLabel('Step by').selectOption('exit');
    await page.getByRole('button', { name: 'Step', exact: true }).click();
    await page.getByRole('button', { name: 'Stop here' }).click();
    await lab.idle();
    await expect(page.getByText('Stopped on the way.')).toBeVisible();
  });

  await test.step('an edit just after a jump that replaced another one is made at the goal of the newer jump', async () => {
    const edits = await page.evaluate(async () => {
      const set = (selector: string, value: number): void => {
        const input = document.querySelector<HTMLInputElement>(selector);
        if (!input) throw new Error(selector);
        input.value = String(value);
        input.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const turn = () => new Promise((resolve) => setTimeout(resolve));
      const isUnderWay = () => document.querySelector('[role="progressbar"]') !== null;
      set('input[aria-label="Time"]', 10_000);
      while (!isUnderWay()) await turn();
      set('input[aria-label="Time"]', 1);
      // The first jump was asked to stop, and has not answered yet.
      await turn();
      set('input[type="range"][aria-label="Nice of all"]', 5);
      await window.__sim.whenIdle();
      return [...document.querySelectorAll('.mark')].map((mark) => mark.getAttribute('title'));
    });
    expect(await lab.now()).toBe(60e6);
    expect(edits).toEqual([expect.stringMatching(/^nice of all threads to .* at 60\.000 ms$/)]);
  });
});
