import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { expect, test } from './fixtures';

const SCENARIO = {
  version: 1,
  name: 'From a file',
  machine: 'i7860',
  schedulers: [{ id: 'bfs' }],
  groups: [{ name: 'dhry', count: 2, behaviour: { kind: 'dhrystone' } }],
  end: { atNs: 1_000_000_000 },
};
const BROKEN = JSON.stringify(SCENARIO, null, 2).replace('"count": 2', '"count": 70000');

const fileOf = (text: string) => ({
  name: 'mine.json',
  mimeType: 'application/json',
  buffer: Buffer.from(text),
});

test('a moment is shared as a link, a snippet, and traces', async ({ lab, page }) => {
  await lab.open('bfs-smt&k=6&seed=318&t=25');
  const digests = await lab.digests();
  await page.getByRole('button', { name: 'Share' }).click();
  const field = page.getByLabel(/^Link, \d+ characters$/);
  await expect(field).toHaveValue(/&d=/);
  const whole = await field.inputValue();
  await test.step('links of each kind', async () => {
    await expect(page.getByRole('img', { name: 'QR code of the link', exact: true })).toBeVisible();
    await page.getByRole('radio', { name: 'The scenario as it opens' }).check();
    await expect(field).toHaveValue(/#s\.bfs-smt$/);
  });
  const code = page.getByRole('img', { name: 'QR code of the link', exact: true });
  await test.step('the code of a scenario can be scanned from the last row', async () => {
    await expect(code).toBeVisible();
    const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
    expect(((await code.boundingBox())?.width ?? 0) / size).toBeGreaterThanOrEqual(12);
    await page.keyboard.press('f');
    const large = page.getByRole('img', { name: 'QR code of the link, large' });
    await expect(large).toBeVisible();
    expect((await large.boundingBox())?.height).toBeGreaterThanOrEqual(0.8 * 800 - 1);
    await page.keyboard.press('Escape');
    await expect(large).toBeHidden();
    await expect(code).toBeVisible();
  });
  await page.getByLabel('This moment, short').check();
  await expect(field).toHaveValue(/#bfs-smt&seed=318&groups\.dhry\.count=6&t=25$/);
  await expect(code).toBeVisible();
  const short = await field.inputValue();
  await test.step('traces of each format', async () => {
    await page.getByRole('tab', { name: 'Data' }).click();
    for (const [format, first] of [
      ['csv', 'seq,atNs,kind,cpu,task,other,reason,decision,placement,pick,preemption\r'],
      ['jsonl', '{"seq":0,"atNs":0,"kind":"fork","task":"dhry-1","preemption":0}'],
      ['ftrace', '# tracer: nop'],
      ['ktr', 'index  cpu timestamp        trace'],
    ] as const) {
      await page.getByLabel('Format').selectOption(format);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Save trace' }).click(),
      ]);
      const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n');
      expect(lines[0]).toBe(first);
      expect(lines.length).toBeGreaterThan(30);
    }
  });
  await page.getByRole('tab', { name: 'Embed' }).click();
  await page.getByRole('combobox', { name: 'Lane', exact: true }).selectOption('1');
  const snippet = page.getByLabel('HTML');
  await expect(snippet).toHaveValue(/lane=2/);
  const html = await snippet.inputValue();
  await test.step('the links open the same moment', async () => {
    for (const link of [whole, short]) {
      await lab.open(new URL(link).hash.slice(1));
      expect(await lab.now()).toBe(25_000_000);
      expect(await lab.digests()).toEqual(digests);
    }
  });
  await test.step('the snippet opens an embedded page', async () => {
    await page.route('**/course.html', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html>${html}` }),
    );
    await page.goto('./course.html');
    await expect(page.frameLocator('iframe').locator('section.lane')).toHaveCount(1);
  });
});

/** Drops or pastes a text. */
const give = (page: Page, way: 'drop' | 'paste', text: string) =>
  page.evaluate(
    ([kind, given]) => {
      const data = new DataTransfer();
      data.setData('text/plain', given);
      document.body.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true }),
      );
    },
    [way, text] as const,
  );

test('scenarios are saved to files, and open from files, drops and pastes', async ({
  lab,
  page,
}) => {
  await lab.open('bfs-smt&k=6&t=25');
  const share = async () => {
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('tab', { name: 'File' }).click();
  };
  await test.step('saved and opened again', async () => {
    await share();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save scenario' }).click(),
    ]);
    const saved = JSON.parse(await readFile(await download.path(), 'utf8')) as typeof SCENARIO;
    expect(saved.groups[0]?.count).toBe(6);
    await page.getByLabel('Open a file').setInputFiles(fileOf(JSON.stringify(SCENARIO)));
    await expect(lab.scenario()).toHaveText('From a file');
    await lab.idle();
    await expect(lab.lanes()).toHaveCount(1);
  });
  await test.step('a broken file is refused with line and field, and opens with defaults', async () => {
    await share();
    await page.getByLabel('Open a file').setInputFiles(fileOf(BROKEN));
    const dialog = page.getByRole('dialog', { name: 'mine.json was not opened' });
    await expect(dialog).toContainText('Line 13');
    await expect(dialog).toContainText('groups[0].count');
    await expect(dialog).toContainText('from 0 to 5000 threads');
    await dialog.getByRole('button', { name: 'Open with defaults in these places' }).click();
    await expect(dialog).toBeHidden();
    await lab.idle();
    await expect(lab.lanes()).toHaveCount(1);
  });
  for (const way of ['drop', 'paste'] as const)
    await test.step(`by ${way}`, async () => {
      await give(page, way, JSON.stringify({ ...SCENARIO, name: `By ${way}` }));
      await expect(lab.scenario()).toHaveText(`By ${way}`);
      await lab.idle();
    });
  await test.step('of several dropped files the first opens, and the others are kept', async () => {
    await page.evaluate(
      (texts) => {
        const dataTransfer = new DataTransfer();
        texts.forEach((text, i) => {
          dataTransfer.items.add(new File([text], `file ${String(i)}.json`));
        });
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
      },
      [
        JSON.stringify(SCENARIO),
        JSON.stringify({ ...SCENARIO, name: 'The second' }),
        BROKEN,
        JSON.stringify({ ...SCENARIO, name: 'The fourth' }),
      ],
    );
    await expect(lab.scenario()).toHaveText('From a file');
    for (const text of [
      '“file 1.json” and “file 3.json” will wait in your work',
      '“file 2.json” could not be kept as it is',
    ])
      await expect(page.locator('.notice').filter({ hasText: text })).toBeVisible();
    await lab.idle();
    await page.getByRole('button', { name: 'Show it' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your work' });
    await dialog.getByRole('button', { name: 'Open The second' }).click();
    await expect(lab.scenario()).toHaveText('The second');
    await lab.idle();
    await page.getByRole('button', { name: 'Open it' }).click();
    await expect(page.getByRole('dialog', { name: 'file 2.json was not opened' })).toBeVisible();
    await page.keyboard.press('Escape');
  });
  await test.step('one that is too large for a link survives a reload', async () => {
    const letters = lettersThatDoNotPack(5000);
    const groups = Array.from({ length: 64 }, (_, i) => ({
      name: letters.slice(i * 26, i * 26 + 26),
      process: letters.slice(1700 + i * 26, 1726 + i * 26),
      count: 1,
      behaviour: { kind: 'dhrystone' },
    }));
    await give(
      page,
      'paste',
      JSON.stringify({ ...SCENARIO, notes: letters.slice(0, 1300), groups }),
    );
    await expect(page).toHaveURL(/kept=/);
    const digests = await lab.digests();
    await page.reload();
    await lab.idle();
    await expect(lab.lanes()).toHaveCount(1);
    expect(await lab.digests()).toEqual(digests);
  });
});

function lettersThatDoNotPack(count: number): string {
  return Array.from({ length: count }, (_, i) =>
    String.fromCharCode(0x4e00 + ((i * i * 7919 + i * 104_729) % 20_000)),
  ).join('');
}

test('embedded and locked pages change nothing', async ({ lab, page }) => {
  await test.step('an embedded page shows one lane', async () => {
    await lab.open('v=2&x=bfs-smt&t=25&lane=2&embed=1&show=machine&lock=1');
    await expect(lab.lanes()).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Share' })).toHaveCount(0);
    await expect(page.getByRole('complementary')).toHaveCount(0);
    await expect(page.locator('.timelines')).toBeHidden();
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('slider')).toHaveCount(0);
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => lab.now()).toBeGreaterThan(25_000_000);
    await page.getByRole('button', { name: 'Pause' }).click();
    await lab.idle();
    await expect(page.getByRole('link', { name: 'Open in Timeslice' })).toBeVisible();
  });
  await test.step('a locked page with its bar opens no other scenario', async () => {
    await lab.open('bfs-smt&t=25&lock=1');
    await expect(page.getByRole('button', { name: /^Scenario:/ })).toBeDisabled();
    await page.keyboard.press('/');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const digests = await lab.digests();
    await give(page, 'paste', JSON.stringify(SCENARIO));
    await lab.idle();
    expect(await lab.digests()).toEqual(digests);
  });
});

/** The file of a click on "Save picture". Chromium drops downloads after ten in a burst; then it is tried again. */
async function savedPicture(page: Page): Promise<Download> {
  const files: Download[] = [];
  await expect(async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download', { timeout: 15_000 }),
      page.getByRole('button', { name: 'Save picture' }).click(),
    ]);
    files.push(file);
  }).toPass();
  const [first] = files;
  if (!first) throw new Error('no file');
  return first;
}

test(
  'every view is saved as a picture with its origin',
  { tag: '@nightly' },
  async ({ lab, page }) => {
    await lab.open('bfs-smt&t=25&lane=2');
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByText('All measures', { exact: true }).click();
    await expect(page.getByRole('region', { name: 'Distribution of waits' })).toBeVisible();
    await lab.idle();
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('tab', { name: 'Data' }).click();
    const names = await page
      .getByLabel('Picture of', { exact: true })
      .locator('option')
      .allTextContents();
    expect(names).toEqual(
      expect.arrayContaining([
        'Lane 2: Manual affinity',
        'Machine, lane 2',
        'Timeline, lane 2',
        expect.stringMatching(/^Queue of cpu \d, lane 2$/),
        'Distribution of waits, run delay',
      ]),
    );
    for (const format of ['png', 'svg']) {
      await page.getByLabel('As', { exact: true }).selectOption(format);
      for (const name of names.filter((n) => !/lane [13]|Lane [13]/.test(n))) {
        await page.getByLabel('Picture of', { exact: true }).selectOption(name);
        const download = await savedPicture(page);
        expect(download.suggestedFilename()).toMatch(new RegExp(`^[a-z0-9-]+\\.${format}$`));
        const picture = await readFile(await download.path());
        expect(picture.length, name).toBeGreaterThan(1_500);
        if (format === 'png') expect(picture.subarray(1, 4).toString()).toBe('PNG');
        else expect(picture.toString()).toMatch(/^<svg xmlns=/);
        // The ground of a machine, and above it threads and queues.
        if (format === 'svg' && name.startsWith('Machine'))
          expect(picture.toString().match(/<image /g)).toHaveLength(2);
        expect(picture.toString()).toMatch(/#v=2&(amp;)?x=bfs-smt&(amp;)?t=25&(amp;)?lane=2/);
      }
    }
  },
);

test('pictures are well formed whatever the names are', async ({ lab, page }) => {
  const name = ']]>&<"\'var(--ink)\u{1f980}e\u0301\u05e2\u200f';
  const groups = [{ ...SCENARIO.groups[0], name }];
  await lab.open();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('tab', { name: 'File' }).click();
  await page
    .getByLabel('Open a file')
    .setInputFiles(fileOf(JSON.stringify({ ...SCENARIO, name, groups })));
  await expect(lab.scenario()).toHaveText(name);
  await lab.idle();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('tab', { name: 'Data' }).click();
  for (const format of ['svg', 'png']) {
    await page.getByLabel('As', { exact: true }).selectOption(format);
    const picture = await readFile(await (await savedPicture(page)).path());
    if (format === 'png') {
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      continue;
    }
    // On a page without our policy, which forbids documents from text.
    const reader = await page.context().newPage();
    const said = await reader.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, 'image/svg+xml');
      return [read.querySelector('parsererror')?.textContent, read.documentElement.textContent];
    }, picture.toString());
    expect(said[0]).toBeUndefined();
    expect(said[1]).toContain(name);
  }
});

test('on a phone no part of the dialog is cut, and its code is whole', async ({ lab, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await lab.open();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  for (const name of ['Link', 'File', 'Embed', 'Data', 'Record']) {
    await dialog.getByRole('tab', { name }).click();
    const cut = await dialog.evaluate((it) => {
      const { left, right } = it.getBoundingClientRect();
      return [...it.querySelectorAll('input, select, textarea, button, svg, p')]
        .filter((part) => part.checkVisibility())
        .filter((part) => {
          const box = part.getBoundingClientRect();
          return box.left < left || box.right > right;
        })
        .map((part) => part.outerHTML);
    });
    expect(cut, name).toEqual([]);
  }
});
