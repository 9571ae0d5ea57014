/** A measure of the reader's own: typed, completed, mended, shown as the answer, and sent as a link. */
import { expect, test } from './fixtures';

test('a measure of your own is completed, mended, shown as the answer, and travels in the link', async ({
  lab,
  page,
}) => {
  await lab.open('s.cfs-eevdf');
  await page.evaluate(() => window.__sim.seek(1e9));
  await lab.idle();
  await page.getByRole('button', { name: 'change measure' }).click();
  const box = page.getByRole('combobox', { name: 'A measure of your own' });
  await box.click();
  await page.keyboard.type('p(lat');
  const own = page.getByRole('region', { name: 'A measure of your own' });
  await expect(own.getByRole('option')).toHaveText(/^latencies\(lane, who/);
  await page.keyboard.press('Enter');
  await expect(box).toHaveValue('p(latencies(');
  await page.keyboard.type('lane, hall), 99)');
  await expect(own.getByRole('status')).toContainText(/^Column \d+: .*hall.*half/);
  await expect(own.locator('mark')).toHaveText('hall');
  await expect(box).toHaveValue('p(latencies(lane, hall), 99)');
  await box.fill('p(latencies(lane, half), 99)');
  const values = own.getByRole('table').getByRole('cell');
  await expect(values).toHaveText([/^0 ms$/, /^\d.* ms$/, /^\d.* ms$/]);
  const found = await values.allInnerTexts();
  await own.getByRole('button', { name: 'Show as the answer' }).click();
  const answer = page.locator('.answer');
  await expect(answer.locator('h2')).toHaveText('p(latencies(lane, half), 99)');
  const large = answer.locator('.numbers .number');
  const asTexts = async () =>
    (await large.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  await expect.poll(asTexts).toEqual(found);
  // Another document with the address that the page wrote.
  await expect(page).toHaveURL(/[#&]measure=p\(/);
  const link = new URL(page.url()).hash.slice(1);
  await lab.open(link);
  await expect(answer.locator('h2')).toHaveText('p(latencies(lane, half), 99)');
  await expect.poll(asTexts).toEqual(found);
});
