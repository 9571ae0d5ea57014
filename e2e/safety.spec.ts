import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from './fixtures';
import { DIST, StaticHost } from './static-server';

test('a missing part is reported; no foreign code and no inline code is allowed', async ({
  page,
  lab,
  complaints,
}) => {
  await lab.open('bfs-smt&t=25');
  await test.step('an HTML page in place of a part is reported, and the rest goes on', async () => {
    // After an update, hosts that answer every address with the start page do this.
    await page.route('**/assets/ShareDialog*.js', (route) =>
      route.fulfill({ contentType: 'text/html', path: path.join(DIST, 'index.html') }),
    );
    await page.getByRole('button', { name: 'Share' }).click();
    const told = page.locator('.notice.warning');
    await expect(told.filter({ hasText: 'The dialog could not be loaded' })).toBeVisible();
    await expect(told.filter({ hasText: 'The host of the page does not have it' })).toBeVisible();
    await page.getByRole('button', { name: 'Play' }).click();
    await expect.poll(() => lab.now()).toBeGreaterThan(25e6);
    // Browsers word this differently.
    expect(complaints.every((c) => /module script|dynamically imported/.test(c))).toBe(true);
    complaints.length = 0;
  });
  const refused = await page.evaluate(async () => {
    const found: string[] = [];
    addEventListener('securitypolicyviolation', (e) => found.push(e.effectiveDirective));
    const attempt = (work: () => unknown) => {
      try {
        work();
        return 'allowed';
      } catch {
        return 'refused';
      }
    };
    const results = {
      html: attempt(() => (document.body.innerHTML = '<b>x</b>')),
      worker: attempt(() => new Worker('https://elsewhere.example/a.js')),
    };
    const script = document.createElement('script');
    attempt(() => (script.textContent = 'window.__hacked = true'));
    attempt(() => document.body.append(script));
    await fetch('https://elsewhere.example/').catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve));
    return { ...results, hacked: '__hacked' in window, found: [...new Set(found)].sort() };
  });
  expect(refused).toMatchObject({
    html: 'refused',
    worker: 'refused',
    hacked: false,
  });
  expect(refused.found).toEqual(
    expect.arrayContaining(['connect-src', 'require-trusted-types-for']),
  );
  const policy = await page
    .locator('meta[http-equiv=Content-Security-Policy]')
    .getAttribute('content');
  expect(policy).not.toMatch(/'unsafe-/);
  // This test causes the complaints on purpose.
  complaints.length = 0;
});

test('hostile names and notes stay text everywhere', async ({ page, lab }) => {
  const evil = '"><img src=x onerror="window.__hacked=1"><svg onload=alert(1)>';
  const scenario = {
    version: 1,
    name: evil,
    ask: evil.slice(0, 60),
    notes: evil,
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: evil.slice(0, 60), count: 2, behaviour: { kind: 'dhrystone' } }],
    end: { atNs: 1_000_000_000 },
  };
  const stays = async () => {
    await expect(page.locator('img, [onerror], [onload]')).toHaveCount(0);
    expect(await page.evaluate(() => '__hacked' in window)).toBe(false);
  };
  await lab.open();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('tab', { name: 'File' }).click();
  await page.getByLabel('Open a file').setInputFiles({
    name: `${evil.slice(0, 30)}.json`,
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify(scenario)),
  });
  await test.step('on the page and in its panels', async () => {
    await expect(page.locator('.answer h2')).toHaveText(evil.slice(0, 60));
    await lab.panel('Setup');
    await page.getByText('About this scenario').click();
    await expect(page.getByText(evil, { exact: true }).last()).toBeVisible();
    await lab.idle();
    await page.getByRole('button', { name: 'Tables' }).click();
    await page.getByRole('button', { name: 'Inspect' }).click();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('tab', { name: 'File' }).click();
    await stays();
    await page.keyboard.press('Escape');
  });
  await test.step('on the shelf and in the search', async () => {
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await expect(lab.work(evil.slice(0, 40))).toBeVisible();
    await page.keyboard.press('/');
    await page.keyboard.type('onerror');
    // All of it is kept, although the search had to be loaded first.
    const search = page.getByRole('dialog', { name: 'Search' });
    await expect(search.getByRole('option')).toContainText(evil.slice(0, 40));
    await stays();
  });
});

test('the single file is offered, and runs from a disk with the same digests', async ({
  page,
  lab,
}) => {
  await lab.open('bfs-smt&k=6&t=25');
  const digests = await lab.digests();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('tab', { name: 'File' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Timeslice as one file' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('timeslice.html');
  const whole = await readFile(path.join(DIST, 'timeslice.html'), 'utf8');
  expect(await readFile(await download.path(), 'utf8')).toBe(whole);
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!/^(file|blob|data):/.test(request.url())) foreign.push(request.url());
  });
  const file = pathToFileURL(path.join(DIST, 'timeslice.html')).href;
  await page.goto(`${file}#bfs-smt&k=6&t=25`);
  await lab.idle();
  expect(await lab.digests()).toEqual(digests);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByLabel('This moment, short').check();
  await expect(page.getByLabel(/^Link, /)).toHaveValue(
    /timeslice.html#bfs-smt&groups\.dhry\.count=6&t=25$/,
  );
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.poll(() => lab.now()).toBeGreaterThan(25e6);
  await test.step('in German, too', async () => {
    const german = pathToFileURL(path.join(DIST, 'timeslice.de.html')).href;
    await page.goto(`${german}#bfs-smt&k=6&t=25`);
    await lab.idle();
    expect(await lab.digests()).toEqual(digests);
    await expect(page.locator('html')).toHaveAttribute('lang', 'de');
    await expect(page.getByRole('button', { name: 'Aufbau' })).toBeVisible();
  });
  expect(foreign).toEqual([]);
});

test(
  'the single file runs replications, with the same verdicts',
  { tag: '@nightly' },
  async ({ page, lab }) => {
    const file = pathToFileURL(path.join(DIST, 'timeslice.html')).href;
    const judged = async () => {
      await lab.idle();
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      await expect(page.getByText(/^(\d+) of \1 runs in/)).toBeVisible({ timeout: 150_000 });
      await expect(page.getByText(/^Here, over 1 seed/)).toBeVisible();
      const claim = page.locator('li', { has: page.getByText('S2b', { exact: true }) });
      await claim.locator('summary').click();
      const table = page.getByRole('region', { name: 'Chart' }).getByRole('table');
      return [await claim.getByRole('table').innerText(), await table.innerText()];
    };
    await lab.open('r=s2b&seeds=1');
    const served = await judged();
    expect(served[0]).toContain('preemptions of the injector for each request');
    await page.goto(`${file}#r=s2b&seeds=1`);
    expect(await judged()).toEqual(served);
  },
);

test('inside a page of another site it runs, and no data can be stolen', async ({
  page,
  lab,
  complaints,
}) => {
  const host = await StaticHost.start('/lab/');
  await lab.open();
  const html = `<iframe src="${host.url}#bfs-smt&t=25&embed=1" width="900" height="600"></iframe>`;
  const course = await StaticHost.start('/');
  course.change = () => Buffer.from(`<!doctype html><link rel="icon" href="data:,">${html}`);
  await page.goto(course.url);
  const frame = page.frameLocator('iframe');
  await expect(frame.locator('section.lane').first()).toBeVisible();
  await frame.getByRole('button', { name: 'Play' }).click();
  await expect(frame.getByRole('button', { name: 'Pause' })).toBeVisible();
  const inside = page.frames().find((f) => f.url().startsWith(host.url));
  const kept = await inside?.evaluate(() => [document.cookie, Object.keys(localStorage)]);
  expect(kept?.[0]).toBe('');
  for (const key of kept?.[1] ?? []) expect(key).toMatch(/^timeslice\./);
  expect(await page.context().cookies()).toEqual([]);
  await page.goto('about:blank');
  await Promise.all([host.stop(), course.stop()]);
  // This test visits other hosts on purpose.
  const wanted = [host.url, course.url];
  const others = complaints.filter((c) => !wanted.some((url) => c.includes(url)));
  complaints.splice(0, complaints.length, ...others);
});
