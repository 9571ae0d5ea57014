/** Links on the page. What each wrong link opens and says is proved by `web/src/state/opened-links.test.ts`. */
import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures';

const packed = (text: string) => deflateRawSync(text).toString('base64url');

/** Wrong values beside right ones, and names that would harm a page that took them for more than text. */
const HOSTILE = {
  version: 1,
  name: '<img src=x onerror=alert(1)>\u202etxt',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'a\u001b[2J', count: 2, behaviour: { kind: 'dhrystone' } }],
  ask: '<script>alert(1)</script>',
  notes: '<i>notes</i>',
  end: { atNs: 1e9 },
};

test('hostile links show the default or their texts as text, say why, and play', async ({
  lab,
  page,
}) => {
  const warnings = page.locator('.notice.warning');

  await test.step('a pack that is too long', async () => {
    await lab.open(`v=1&z=${'A'.repeat(8500)}`);
    await expect(warnings.first()).toContainText(/z is longer than 8 kB/);
    await expect(lab.lanes()).toHaveCount(3);
    const before = await lab.now();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => lab.now()).toBeGreaterThan(before);
  });

  await test.step('a scenario with names of elements and of controls', async () => {
    await lab.open(`v=2&z=${packed(JSON.stringify(HOSTILE))}&t=5`);
    await expect(warnings).toHaveCount(2);
    await expect(warnings.first()).toContainText(/These characters are replaced/);
    await expect(lab.scenario()).toHaveText('<img src=x onerror=alert(1)>\ufffdtxt');
    await expect(page.locator('.answer h2')).toHaveText('<script>alert(1)</script>');
    await lab.panel('Setup');
    await page.getByText('About this scenario').click();
    await expect(page.getByText('<i>notes</i>', { exact: true })).toBeVisible();
    await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('2');
    const shown = await page.locator('body').innerText();
    for (const bad of ['\u001b', '\u202e']) expect(shown).not.toContain(bad);
  });
});

test('a reload restores the same moment, and a link whose run differs says so', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt&s=bfs,random&k=6&t=25');
  await expect(lab.lanes()).toHaveCount(2);
  await lab.type('Nice of all', '4');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await lab.idle();
  const before = { now: await lab.now(), digests: await lab.digests() };
  const { hash } = new URL(page.url());
  expect(hash).toMatch(/&groups\.[^&]*\.nice=4@25ms&.*&d=[0-9a-f.]{17}$/);
  await page.reload();
  await lab.idle();
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(before);
  await expect(page.locator('.notice')).toHaveCount(0);

  await lab.open(hash.slice(1).replace(/&d=.*$/, '&d=00000000.00000000'));
  // One notice, however many lanes differ.
  await expect(page.locator('.notice')).toHaveCount(1);
  await expect(page.locator('.notice.warning')).toContainText(
    'The model has changed since this link was made: lane 1 (BFS)',
  );
});
