/** Messages between an embedded page and the page around it, and who may send none. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Frame, type Page } from '@playwright/test';
import { expect, idle, test as base } from './fixtures';
import { DIST, StaticHost } from './static-server';

const EXAMPLES = path.join(DIST, '..', 'docs', 'embedding');

/** What the page around the frame has received. */
interface Told {
  readonly kind: string;
  readonly id: number | null;
  readonly fragment: string;
  readonly scenario: {
    readonly name: string;
    readonly groups: readonly { readonly count: number }[];
  };
  readonly digests: readonly string[];
  readonly problems: readonly { readonly path: string; readonly message: string }[];
}

declare global {
  interface Window {
    ready: number;
    port: MessagePort;
    told: Told[];
  }
}

/** A page with the laboratory in a frame; it connects when the frame is ready. */
const around = (src: string, connects = true) => `<!doctype html>
<link rel="icon" href="data:," />
<script>
  [window.ready, window.told] = [0, []];
  addEventListener('message', ({ source, data }) => {
    if (source !== document.getElementById('lab').contentWindow || data.kind !== 'ready') return;
    window.ready += 1;
    if (!${String(connects)} || window.port) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: told }) => window.told.push(told);
    window.port = port1;
    source.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);
  });
</script>
<iframe id="lab" src="${src}" width="1200" height="700"></iframe>`;

/** The page around, and the laboratory in its frame. */
class Course {
  readonly page: Page;
  readonly url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  get frame(): Frame {
    const frame = this.page.frames().find((f) => f.url().startsWith(this.url));
    if (!frame) throw new Error('the laboratory is not in a frame');
    return frame;
  }

  /** Waits until the laboratory is idle. */
  idle(): Promise<void> {
    return idle(this.frame);
  }

  say(...messages: readonly unknown[]): Promise<void> {
    return this.page.evaluate((list) => {
      for (const message of list) window.port.postMessage(message);
    }, messages);
  }

  /** The newest message of a kind. */
  last(kind = 'changed'): Promise<Told | undefined> {
    return this.page.evaluate((k) => window.told.findLast((told) => told.kind === k), kind);
  }
}

const test = base.extend<{ host: StaticHost; other: StaticHost; course: Course }>({
  /** Where the laboratory is. */
  host: async ({ lab, complaints }, use) => {
    const host = await StaticHost.start('/lab/');
    await use(host);
    await lab.page.goto('about:blank');
    await host.stop();
    // This test visits other hosts on purpose.
    const foreign = complaints.filter(
      (c) => !c.startsWith('request to another host: http://127.0.0.1'),
    );
    complaints.splice(0, complaints.length, ...foreign);
  },
  /** Another origin. */
  other: async ({ host }, use) => {
    expect(host.url).toContain('127.0.0.1');
    const other = await StaticHost.start('/');
    await use(other);
    await other.stop();
  },
  course: async ({ page, host, other }, use) => {
    other.pages.set('course', around(`${host.url}#bfs-smt&t=25&embed=1`));
    await page.goto(`${other.url}course`);
    const course = new Course(page, host.url);
    await expect.poll(() => course.last()).toMatchObject({ id: null });
    await use(course);
  },
});

test('the page around opens, steps and plays; changes in the frame come out, and what is wrong is refused', async ({
  course,
  page,
}) => {
  const scenario = {
    version: 1,
    name: 'two hogs',
    machine: 'i7860',
    schedulers: [{ id: 'bfs' }],
    groups: [{ name: 'hog', count: 2, behaviour: { kind: 'compute' } }],
    end: { atNs: 1_000_000_000 },
  };
  await course.say({ kind: 'scenario', json: JSON.stringify(scenario), id: 1 });
  await expect.poll(() => course.last()).toMatchObject({ id: 1, scenario: { name: 'two hogs' } });
  await course.say({ kind: 'open', fragment: 'bfs-smt&k=2&t=0', id: 2 });
  await expect
    .poll(() => course.last())
    .toMatchObject({ id: 2, scenario: { groups: [{ count: 2 }] } });
  const frame = page.frameLocator('#lab');
  await expect(frame.getByRole('navigation')).toHaveCount(0);
  const jobs = frame.getByRole('slider').first();
  await jobs.focus();
  await jobs.press('ArrowRight');
  await expect
    .poll(() => course.last())
    .toMatchObject({ id: 2, scenario: { groups: [{ count: 3 }] } });
  const now = await course.last();
  await course.idle();
  expect(now?.fragment).toContain('groups.dhry.count=3');
  expect(now?.digests).toEqual(await course.frame.evaluate(() => window.__sim.digests()));

  await test.step('it seeks, steps, plays and pauses', async () => {
    const at = () => course.frame.evaluate(() => window.__sim.nowNs());
    await course.say({ kind: 'seek', atNs: 40_000_000 });
    await expect.poll(at).toBe(40_000_000);
    await course.say({ kind: 'step', by: 'event' });
    await expect.poll(at).toBeGreaterThan(40_000_000);
    const stepped = await at();
    await course.say(
      { kind: 'step', by: 'event', back: true },
      { kind: 'step', by: 'event', back: true },
    );
    await expect.poll(at).toBeLessThan(stepped);
    await course.say({ kind: 'play' });
    await expect.poll(at).toBeGreaterThan(stepped);
    await course.say({ kind: 'pause' });
    await course.idle();
    const { fragment } = (await course.last()) ?? {};
    expect(fragment).toMatch(/^v=2&x=bfs-smt/);
  });

  await test.step('unknown keys and wrong types are refused by field, and change nothing', async () => {
    await course.say({ kind: 'seek', atNs: 50_000_000 });
    await expect.poll(async () => (await course.last())?.fragment).toContain('t=50&');
    const before = await course.last();
    const bad: readonly [unknown, string][] = [
      ['play', 'kind'],
      [[{ kind: 'play' }], 'kind'],
      [{ kind: 'forget' }, 'kind'],
      [{ kind: 'constructor' }, 'kind'],
      [{ kind: 'open', fragment: 's.bfs-smt', hide: 'bar' }, 'hide'],
      [{ kind: 'open', fragment: 7 }, 'fragment'],
      [{ kind: 'open', fragment: 'k='.repeat(5000) }, 'fragment'],
      [{ kind: 'open', fragment: 'start' }, 'fragment'],
      [{ kind: 'scenario', json: { version: 1 } }, 'json'],
      [{ kind: 'scenario', json: '[' + ' '.repeat(256 * 1024) }, 'json'],
      [{ kind: 'seek', atNs: '25' }, 'atNs'],
      [{ kind: 'step', by: 'everything' }, 'by'],
    ];
    for (const [message, at] of bad) {
      const told = await course.page.evaluate(() => window.told.length);
      await course.say(message);
      await expect.poll(() => course.page.evaluate((n) => window.told.length > n, told)).toBe(true);
      expect((await course.last('refused'))?.problems.map((p) => p.path)).toEqual([at]);
    }
    expect((await course.last())?.fragment).toBe(before?.fragment);
  });

  await test.step('of a flood of messages, the newest is shown and the others are not begun', async () => {
    const before = await course.page.evaluate(() => window.told.length);
    await course.page.evaluate(() => {
      const large = JSON.stringify({ name: 'x'.repeat(200_000) });
      for (let i = 0; i < 20_000; i++) {
        window.port.postMessage({ kind: 'open', fragment: `bfs-smt&k=${String(1 + (i % 9))}&t=1` });
        window.port.postMessage({ kind: 'step', by: 'event' });
        window.port.postMessage({ kind: ['play', 'pause', 'nonsense'][i % 3] });
        if (i % 200 === 0) window.port.postMessage({ kind: 'scenario', json: large });
      }
      window.port.postMessage({ kind: 'open', fragment: 'bfs-smt&k=5&t=2', id: 3 });
    });
    await expect.poll(() => course.last()).toMatchObject({ id: 3 });
    await course.idle();
    await expect.poll(async () => (await course.last())?.fragment).toMatch(/count=5&t=2&/);
    expect(await course.page.evaluate(() => window.told.length)).toBeLessThan(before + 500);
  });
});

test('only the page around connects, once; other frames, windows and origins are ignored', async ({
  page,
  host,
  other,
}) => {
  const third = await StaticHost.start('/');
  const connects = `
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => (window.heard = true);
    port1.postMessage({ kind: 'open', fragment: 'bfs-smt&k=9&t=1' });
    window.heard = false;
    parent.frames[0].postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);`;
  third.pages.set('thief', `<script>onmessage = () => { ${connects} }</script>`);
  const thief = `<iframe id="thief" src="${third.url}thief"></iframe>`;
  other.pages.set('course', around(`${host.url}#bfs-smt&t=25&embed=1`, false) + thief);
  await page.goto(`${other.url}course`);
  await page.waitForFunction(() => window.ready === 1);
  const course = new Course(page, host.url);
  // A frame of another origin knows the moment, too.
  const beside = page.frames().find((f) => f.url().startsWith(third.url));
  await page.evaluate(() => {
    document.querySelector<HTMLIFrameElement>('#thief')?.contentWindow?.postMessage('', '*');
  });
  await beside?.waitForFunction(() => 'heard' in window);
  // So does the laboratory itself; and the page around sends it in a wrong form.
  await course.frame.evaluate(() => {
    postMessage({ timeslice: 1, kind: 'connect' }, '*', [new MessageChannel().port2]);
  });
  await page.evaluate(() => {
    const lab = document.querySelector<HTMLIFrameElement>('#lab')?.contentWindow;
    const port = () => new MessageChannel().port2;
    lab?.postMessage({ timeslice: 1, kind: 'connect' }, '*');
    lab?.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port(), port()]);
    lab?.postMessage({ timeslice: 2, kind: 'connect' }, '*', [port()]);
    lab?.postMessage({ timeslice: 1, kind: 'connect', fragment: 's.bfs-smt' }, '*', [port()]);
    lab?.postMessage({ timeslice: 1, kind: 'open', fragment: 'bfs-smt&k=9' }, '*', [port()]);
    lab?.postMessage('connect', '*', [port()]);
    const connect = () => {
      const { port1, port2 } = new MessageChannel();
      lab?.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);
      return port1;
    };
    window.port = connect();
    window.port.onmessage = ({ data }) => window.told.push(data as Told);
    // The first port remains the only one.
    const second = connect();
    second.onmessage = () => window.told.push({ kind: 'second' } as Told);
    second.postMessage({ kind: 'open', fragment: 'bfs-smt&k=9&t=1' });
  });
  await expect.poll(() => course.last()).toMatchObject({ id: null });
  await course.say({ kind: 'seek', atNs: 30_000_000 });
  await expect.poll(async () => (await course.last())?.fragment).toContain('t=30&');
  expect(await beside?.evaluate(() => 'heard' in window && window.heard)).toBe(false);
  expect(await page.evaluate(() => window.told.map(({ kind }) => kind))).not.toContain('second');
  expect((await course.last())?.fragment).not.toContain('count=9');
  await page.goto('about:blank');
  await third.stop();

  await test.step('without embed=1 no message is sent, and none is heard', async () => {
    other.pages.set('whole', around(`${host.url}#bfs-smt&t=25`));
    await page.goto(`${other.url}whole`);
    const whole = new Course(page, host.url);
    await whole.idle();
    await page.evaluate(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => window.told.push(data as Told);
      const lab = document.querySelector<HTMLIFrameElement>('#lab')?.contentWindow;
      lab?.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);
      port1.postMessage({ kind: 'seek', atNs: 1 });
    });
    await whole.idle();
    expect(await page.evaluate(() => [window.ready, window.told.length])).toEqual([0, 0]);
    expect(await whole.frame.evaluate(() => window.__sim.nowNs())).toBe(25_000_000);
  });
});

test(
  'work that the browser keeps is neither shown nor reported to the page around',
  { tag: '@nightly' },
  async ({ page, lab, host, other }) => {
    // The same browser keeps work of the laboratory.
    await page.goto(`${host.url}#bfs-smt&k=7&t=0`);
    await lab.idle();
    const name = 'a secret of mine';
    const scenario = {
      version: 1,
      name,
      machine: 'i7860',
      schedulers: [{ id: 'bfs' }],
      groups: [{ name: 'hog', count: 2, behaviour: { kind: 'compute' } }],
      end: { atNs: 1_000_000_000 },
    };
    await lab.panel('Setup');
    await page.evaluate((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'secret.json'));
      dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
    }, JSON.stringify(scenario));
    await expect(lab.scenario()).toHaveText(name);
    await lab.idle();
    const id = await page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const opening = indexedDB.open('timeslice');
          opening.onsuccess = () => {
            const all = opening.result.transaction('kept').objectStore('kept').getAllKeys();
            all.onsuccess = () => {
              opening.result.close();
              resolve(String(all.result[0]));
            };
          };
        }),
    );
    await page.goto(`${host.url}#`);
    await expect(page.getByRole('link', { name })).toBeVisible();

    other.pages.set('course', around(`${host.url}#bfs-smt&kept=${id}&embed=1`));
    await page.goto(`${other.url}course`);
    const course = new Course(page, host.url);
    await expect.poll(() => course.last()).toMatchObject({ id: null });
    await course.say({ kind: 'open', fragment: `bfs-smt&kept=${id}`, id: 1 });
    await expect.poll(() => course.last()).toMatchObject({ id: 1 });
    // The page around sends the frame to Start, which lists kept work.
    await page.evaluate(() => {
      const frame = document.querySelector('iframe');
      if (frame) frame.src = frame.src.replace(/#.*/, '#start');
    });
    await expect(page.frameLocator('#lab').getByRole('heading', { name: 'Lessons' })).toBeVisible();
    await course.idle();
    await expect(page.frameLocator('#lab').getByText(name)).toHaveCount(0);
    expect(await page.evaluate(() => JSON.stringify(window.told))).not.toContain(name);
  },
);

test(
  'a link that the page around sets before the program is loaded is opened',
  { tag: '@nightly' },
  async ({ page, host, other }) => {
    const src = `${host.url}#bfs-smt&t=25&embed=1`;
    // The core comes late.
    let release = () => undefined as unknown;
    const held = new Promise((resolve) => (release = () => resolve(null)));
    await page.route('**/*.wasm', async (route) => {
      await held;
      await route.continue();
    });
    other.pages.set('course', around(src));
    await page.goto(`${other.url}course`);
    const course = new Course(page, host.url);
    await course.frame.waitForFunction(() => '__sim' in window);
    await page.evaluate((to) => {
      const frame = document.querySelector('iframe');
      if (frame) frame.src = to;
    }, `${host.url}#bfs-smt&k=6&t=30&embed=1`);
    await course.frame.waitForFunction(() => location.hash.includes('k=6'));
    release();
    await expect
      .poll(async () => (await course.last())?.fragment)
      .toContain('groups.dhry.count=6&t=30');
  },
);

/** Puts the manual's examples beside the page as a single file, as the manual says. */
async function withExamples(host: StaticHost): Promise<void> {
  for (const name of ['slides.html', 'course.html'])
    host.pages.set(name, await readFile(path.join(EXAMPLES, name), 'utf8'));
  host.pages.set('frame.js', await readFile(path.join(EXAMPLES, 'frame.js'), 'utf8'));
}

test('the examples of the manual: a course hands in what the learner sees, slides control the stage', async ({
  page,
  host,
}) => {
  await withExamples(host);
  await page.goto(`${host.url}course.html`);
  await expect(page.locator('#seen')).toHaveText(/^v=2&x=bfs-smt&groups\.dhry\.count=2&t=25&/);
  const frame = page.frameLocator('#stage');
  const jobs = frame.getByRole('slider').first();
  await jobs.focus();
  await jobs.press('ArrowRight');
  await expect(page.locator('#seen')).toHaveText(/&groups\.dhry\.count=3@25ms&/);
  await page.getByRole('button', { name: 'Hand in' }).click();
  await expect(page.locator('#said')).toHaveText(/^Handed in: #v=2.*&groups\.dhry\.count=3@25ms&/);
  await page.getByRole('button', { name: 'Start again' }).click();
  await expect(page.locator('#seen')).toHaveText(/^v=2&x=bfs-smt&groups\.dhry\.count=2&t=25&/);

  // Replaces reveal.js: the functions that the example uses.
  host.pages.set(
    'reveal.js/dist/reveal.js',
    `window.Reveal = {
      heard: {},
      initialize: async () => {},
      getCurrentSlide: () => document.querySelector('section'),
      on: (event, act) => (Reveal.heard[event] = act),
    };`,
  );
  for (const css of ['reveal', 'theme/white']) host.pages.set(`reveal.js/dist/${css}.css`, '');
  await page.goto(`${host.url}slides.html`);
  const course = new Course(page, `${host.url}timeslice.html`);
  await course.frame.waitForFunction(() => '__sim' in window);
  const now = () => course.frame.evaluate(() => window.__sim.nowNs());
  const reveal = (event: string, slide: number, fragment = 0) =>
    page.evaluate(
      ([name, s, f]) => {
        const section = document.querySelectorAll('section')[s];
        const { heard } = (
          window as unknown as { Reveal: { heard: Record<string, (e: object) => void> } }
        ).Reveal;
        heard[name]?.({
          currentSlide: section,
          fragment: section?.querySelectorAll('.fragment')[f],
        });
      },
      [event, slide, fragment] as const,
    );
  await reveal('slidechanged', 1);
  await expect.poll(now).toBe(25_000_000);
  await reveal('fragmentshown', 1, 0);
  await expect.poll(now).toBeGreaterThan(25_000_000);
  await reveal('slidechanged', 0);
  await reveal('fragmentshown', 0, 0);
  await expect(frame.getByRole('button', { name: 'Pause' })).toBeVisible();
  await reveal('fragmentshown', 0, 1);
  await expect(frame.getByRole('button', { name: 'Play' })).toBeVisible();
});
