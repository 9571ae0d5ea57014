/** The largest texts and scenarios, valid and invalid: their pages stay small, and every row can be reached. */
import { loads, LOAD } from '../scripts/lib/loads.mjs';
import { expect, type Lab, test } from './fixtures';

function loadOf(name: string): { file?: () => string; link?: () => string } {
  const found = loads.find((load) => load.name === name);
  if (!found) throw new Error(`no load ${name}`);
  return found;
}

async function openFile(lab: Lab, text: string): Promise<void> {
  await lab.page.evaluate((content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([content], 'load.json'));
    const drop = { dataTransfer, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new DragEvent('drop', drop));
  }, text);
}

const nodes = (lab: Lab) => lab.page.evaluate(() => document.getElementsByTagName('*').length);

const WRONG: readonly (readonly [string, RegExp])[] = [
  ['10,000 wrong edits', /must be one of a.*there are 99\d\d more problems/s],
  ['4 MB of commas', /not JSON/],
  ['60 kB of commas in lines', /Line 1.*not JSON/s],
  ['3,000 unknown keys', /no such field.*there are 2980 more such fields/s],
  ['5,000 levels', /must not be nested more than 100 levels deep/],
  ['2 million levels', /100 levels deep/],
];

test('files with thousands of mistakes are answered by short lists', async ({ lab, page }) => {
  await lab.open();
  const dialog = page.getByRole('dialog', { name: 'load.json was not opened' });
  for (const [name, message] of WRONG)
    await test.step(name, async () => {
      await openFile(lab, loadOf(name).file?.() ?? '');
      // A list that takes longer than its limit in `loads.alone.test.ts` fails there.
      await expect(dialog).toContainText(message);
      expect(await dialog.getByRole('listitem').count()).toBeLessThanOrEqual(21);
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });
});

const RIGHT: readonly (readonly [string, number])[] = [
  ['64 groups with long names', 8_000],
  ['1,024 CPUs', 8_000],
  ['10,000 valid edits', 8_000],
  // Everything at its largest: four lanes, each with a legend of 64 groups.
  ['the largest of everything', 12_000],
];

/** Opens a load and checks how large its page is, and that it runs. */
async function opensSmall(lab: Lab, name: string, most: number): Promise<void> {
  const { page } = lab;
  const { file, link } = loadOf(name);
  if (link) {
    const fragment = link();
    expect(fragment.length).toBeLessThanOrEqual(440);
    await lab.open(fragment);
  } else if (file) {
    await lab.open();
    await openFile(lab, file());
  }
  await expect(lab.scenario()).toHaveText(LOAD, { timeout: 100_000 });
  await lab.idle();
  const rows = () =>
    page.locator('table').evaluateAll((all) => all.map((t) => (t as HTMLTableElement).rows.length));
  expect(Math.max(...(await rows()))).toBeLessThanOrEqual(61);
  expect(await nodes(lab)).toBeLessThan(most);
  // The tables are no longer than their limit.
  await page.getByRole('button', { name: 'Tables', exact: true }).click();
  await lab.idle();
  expect(Math.max(...(await rows()))).toBeLessThanOrEqual(61);
  // It runs, and is the scenario of its link.
  await lab.step('event');
}

test('the page of all claims had thousands of cells in tables that nobody had opened', async ({
  lab,
  page,
}) => {
  await lab.open('r=claims');
  const claim = page.locator('#claim-S1a');
  await expect(claim).toBeVisible();
  expect(await nodes(lab)).toBeLessThan(8_000);
  await expect(claim.getByRole('table')).toHaveCount(0);
  await claim.locator('> summary').click();
  await expect(claim.getByRole('columnheader', { name: 'Bound' })).toBeVisible();
});

for (const [name, most] of RIGHT)
  test(`${name}: few elements, short tables`, { tag: '@nightly' }, async ({ lab }) => {
    await opensSmall(lab, name, most);
  });

test('4 × 10,000 threads: few elements, short tables in which each thread can be reached', async ({
  lab,
  page,
}) => {
  await opensSmall(lab, 'link of 4 × 10,000 threads', 8_000);
  const table = page.getByRole('table', { name: /^Threads of ULE/ });
  await expect(table).toHaveAttribute('aria-rowcount', '10001');
  const lane = lab.lanes().first();
  const part = lane.getByRole('slider', { name: 'Part of the threads' });
  const last = table.getByRole('row').last();
  await expect(table.getByRole('row').nth(1)).toHaveAttribute('aria-rowindex', '2');
  await lane
    .getByRole('group', { name: 'Rows of the table of threads' })
    .getByText('Later')
    .focus();
  await page.keyboard.press('Enter');
  await expect(part).toHaveAttribute('aria-valuetext', '61 to 120 of 10\u202f000');
  await expect(table.getByRole('row').nth(1)).toHaveAttribute('aria-rowindex', '62');
  await part.focus();
  await page.keyboard.press('End');
  await expect(part).toHaveAttribute('aria-valuetext', '9\u202f961 to 10\u202f000 of 10\u202f000');
  await expect(last).toHaveAttribute('aria-rowindex', '10001');
  await expect(last).toContainText('b-5000');
});
