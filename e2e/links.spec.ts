import { deflateRawSync } from 'node:zlib';
import { expect, test } from './fixtures';

const packed = (text: string | Buffer) => deflateRawSync(text).toString('base64url');

const HOSTILE: readonly (readonly [string, string, RegExp])[] = [
  ['a count out of range', 'v=1&k=5001', /k must be a whole number from 0 to 5000 threads/],
  ['a time that is none', 'v=1&t=NaN', /t must be a time from 0 to/],
  ['an unknown machine', 'v=1&m=cray', /m must be one of i7860/],
  ['an unknown scheduler', 'v=1&s=bfs,nonsense', /s must be one to four of bfs/],
  ['another version', 'v=99', /made by a newer Timeslice/],
  ['a damaged pack', 'v=1&z=AAAA', /z is damaged/],
  ['a pack that is no scenario', `v=1&z=${packed('[1,2,3]')}`, /z must be a scenario/],
  [
    'a pack that grows without end',
    `v=1&z=${packed(Buffer.alloc(5_000_000))}`,
    /z unpacks to more than 256 kB/,
  ],
  ['a pack that is too long', `v=1&z=${'A'.repeat(8500)}`, /z is longer than 8 kB/],
];

for (const [what, fragment, message] of HOSTILE) {
  test(`a link with ${what} shows the default and says why`, async ({ lab, page }) => {
    await lab.open(fragment);
    await expect(page.locator('.notice.warning').first()).toContainText(message);
    await expect(lab.lanes()).toHaveCount(3);
    await page.getByRole('button', { name: 'Play' }).click();
    const before = await lab.now();
    await expect.poll(() => lab.now()).toBeGreaterThan(before);
  });
}

const HOSTILE_SCENARIO = {
  version: 1,
  name: '<img src=x onerror=alert(1)>',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }, { id: 'nonsense' }],
  groups: [{ name: 'a', count: 1e9, colour: 'red', behaviour: { kind: 'dhrystone' } }],
  end: { atNs: 1e9 },
};

test('a packed scenario keeps right values and names wrong ones', async ({ lab, page }) => {
  await lab.open(`v=1&z=${packed(JSON.stringify(HOSTILE_SCENARIO))}`);
  const notices = page.locator('.notice.warning');
  await expect(notices.filter({ hasText: 'groups[0].colour' })).toContainText('unknown field');
  await expect(notices.filter({ hasText: 'groups[0].count' })).toContainText('from 0 to 5000');
  await expect(lab.scenario()).toHaveText('<img src=x onerror=alert(1)>');
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('1');
});

test('a short link can be written by hand', async ({ lab, page }) => {
  await lab.open('bfs-smt&s=bfs,random&k=6&nice=3&t=25');
  await expect(lab.lanes()).toHaveCount(2);
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('6');
  await expect(page.getByRole('spinbutton', { name: 'Nice of all', exact: true })).toHaveValue('3');
  expect(await lab.now()).toBe(25_000_000);
});

test('names from a link are shown as text', async ({ lab, page }) => {
  const name = '<b>bold</b>';
  const scenario = {
    version: 1,
    name,
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: 'dhry', count: 2, behaviour: { kind: 'dhrystone' } }],
    ask: '<script>alert(1)</script>',
    notes: '<i>notes</i>',
    end: { atNs: 1_000_000_000 },
  };
  await lab.open(`v=1&z=${packed(JSON.stringify(scenario))}&t=5`);
  await expect(page.locator('.answer h2')).toHaveText('<script>alert(1)</script>');
  await lab.panel('Setup');
  await page.getByText('About this scenario').click();
  await expect(page.getByText('<i>notes</i>', { exact: true })).toBeVisible();
});

test('characters that reverse a name or move a cursor are replaced, with a notice', async ({
  lab,
  page,
}) => {
  const scenario = {
    version: 1,
    name: 'exe.\u202etxt.scenario',
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: 'a\u001b[2J', count: 2, behaviour: { kind: 'dhrystone' } }],
    edits: [{ atNs: 5, edit: { kind: 'spawn', group: 'a\u001b[2J', count: 1 } }],
    end: { atNs: 1_000_000_000 },
  };
  await lab.open(`v=2&z=${packed(JSON.stringify(scenario))}&t=5`);
  const notices = page.locator('.notice.warning');
  await expect(notices).toHaveCount(2);
  await expect(notices.first()).toContainText(
    /name: must not hold control characters .* \\u\{202e\} .*These characters are replaced/,
  );
  await expect(lab.scenario()).toHaveText('exe.\ufffdtxt.scenario');
  // The edit refers to the group by its new name.
  await expect(page.getByRole('spinbutton', { name: 'Processes', exact: true })).toHaveValue('3');
  const shown = await page.locator('body').innerText();
  for (const bad of ['\u001b', '\u202e']) expect(shown).not.toContain(bad);
});

test('a reload restores the same moment', async ({ lab, page }) => {
  await lab.open('bfs-smt&k=6&t=25');
  await lab.type('Nice of all', '4');
  await page.getByRole('button', { name: 'Step', exact: true }).click();
  await lab.idle();
  const before = { now: await lab.now(), digests: await lab.digests() };
  expect(new URL(page.url()).hash).toMatch(/&e=25,setNice,[^&]*,4&.*&d=[0-9a-f.]{26}$/);
  await page.reload();
  await lab.idle();
  expect({ now: await lab.now(), digests: await lab.digests() }).toEqual(before);
  await expect(page.locator('.notice')).toHaveCount(0);
});

test('a link whose run differs from the time when it was made says so', async ({ lab, page }) => {
  await lab.open('v=2&x=bfs-smt&t=25&d=00000000.00000000.00000000');
  await expect(page.locator('.notice.warning')).toContainText(
    'The model has changed since this link was made: lane 1 (BFS)',
  );
  // One notice, however many lanes differ.
  await expect(page.locator('.notice')).toHaveCount(1);
});
