// Starts every part of a release as its users do: the site from its archive, the single files from a disk, the
// program, the wheel in its own Python. All of them must give the same digest for a moment of a scenario, and contain
// their licences.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from './checksum.mjs';
import { findBrowser } from './find-browser.mjs';
import { loadWasm } from './load-wasm.mjs';
import { Failure } from './log.mjs';
import { NOTICES } from './notices.mjs';
import { windows } from './paths.mjs';
import { elsewhere } from './release-parts.mjs';
import { run } from './run.mjs';
import { serve } from './server.mjs';

const SCENARIO = 'bfs-smt';
const MOMENT = { fragment: `#v=2&x=${SCENARIO}&t=25`, until: '25ms', ns: 25_000_000 };

/** Names that the notices of a part must contain, and words of each licence of its components. */
export const WORDS = {
  page: [
    'Copyright (c) 2026 The Timeslice authors',
    'svelte ',
    'd3-scale ',
    'workbox-precaching ',
    'serde ',
    'hashbrown ',
    'SIL OPEN FONT LICENSE',
    '@fontsource-variable/inter ',
    '@fontsource/source-serif-4 ',
  ],
  program: [
    'Copyright (c) 2026 The Timeslice authors',
    'clap ',
    'arrow-ipc ',
    'hashbrown ',
    'Apache License',
    'Permission is hereby granted',
  ],
  wheel: ['Copyright (c) 2026 The Timeslice authors', 'pyo3 ', 'arrow-array ', 'Apache License'],
};

/** Fails unless notices contain all required names. */
export function mustName(part, text) {
  const missing = WORDS[part].filter((word) => !text.includes(word));
  if (missing.length > 0) throw new Failure(`the notices say nothing of: ${missing.join(', ')}`);
}

async function mustAnswer(commandLine, options) {
  const { code, output, stdout } = await run(commandLine, options);
  if (code !== 0) throw new Failure(`${commandLine.join(' ')}\n${output}`);
  return stdout;
}

/** Unpacks an archive outside the repository and resolves to the only folder in it. */
async function unpacked(archive, work) {
  const { extract } = await import('tar');
  const folder = elsewhere('part');
  try {
    await extract({ file: archive, cwd: folder });
    return await work(path.join(folder, path.basename(archive, '.tar.gz')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a page in a Chromium; resolves to the result of `look`. A complaint of the page is a failure. */
async function inBrowser(look) {
  const { chromium } = await import('@playwright/test');
  const executablePath = findBrowser()?.path;
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText;
      // Leaving a page aborts its requests, for example that for the icon.
      if (why !== 'net::ERR_ABORTED') complaints.push(`not loaded: ${request.url()} (${why})`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
    });
    const found = await look(page);
    if (complaints.length > 0) throw new Failure(complaints.join('\n'));
    return found;
  } finally {
    await browser.close();
  }
}

/** The digest of the first lane at the moment. */
async function digestOf(page, address) {
  await page.goto(`${address}${MOMENT.fragment}`);
  await page.waitForFunction(() => '__sim' in globalThis);
  const [now, digest] = await page.evaluate(async () => {
    const { __sim: sim } = globalThis;
    await sim.whenIdle();
    return [sim.nowNs(), sim.digests()[0]];
  });
  if (now !== MOMENT.ns) throw new Failure(`stands at ${now} ns`);
  return digest;
}

/** The target of the link on the start page. */
async function openedLicences(page, address) {
  // Another fragment of the same document would not be loaded again.
  await page.goto('about:blank');
  await page.goto(address);
  const other = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Licences' }).click();
  return (await other).evaluate(() => globalThis.document.body.textContent);
}

/** The file that the button in the single file saves. */
async function savedLicences(page, address, button) {
  await page.goto('about:blank');
  await page.goto(address);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: button }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

const site = (archive) =>
  unpacked(archive, async (folder) => {
    const { url, close } = await serve({ port: 4660, folder });
    try {
      return await inBrowser(async (page) => {
        const digest = await digestOf(page, url);
        mustName('page', readFileSync(path.join(folder, NOTICES), 'utf8'));
        mustName('page', await openedLicences(page, url));
        return digest;
      });
    } finally {
      close();
    }
  });

/** The page as one file in a language, whose button for the licences has a name. */
const oneFileIn = (locale, button) => (file) =>
  inBrowser(async (page) => {
    const address = pathToFileURL(file).href;
    const digest = await digestOf(page, address);
    const has = await page.locator('html').getAttribute('lang');
    if (has !== locale) throw new Failure(`is in ${has}`);
    mustName('page', await savedLicences(page, address, button));
    return digest;
  });

const program = (archive, { version }) =>
  unpacked(archive, async (folder) => {
    const timeslice = path.join(folder, windows ? 'timeslice.exe' : 'timeslice');
    const said = await mustAnswer([timeslice, '--version'], { cwd: folder });
    if (said.trim() !== `timeslice ${version}`) throw new Failure(`calls itself ${said}`);
    mustName('program', readFileSync(path.join(folder, NOTICES), 'utf8'));
    readFileSync(path.join(folder, 'LICENSE'));
    const run = [timeslice, 'run', SCENARIO, '--until', MOMENT.until, '--json'];
    return JSON.parse(await mustAnswer(run, { cwd: folder }))[0].digest;
  });

/** Data of the installed package from Python, as JSON. */
const ASK_WHEEL = `
import importlib.metadata, json, timeslice
files = importlib.metadata.files("timeslice")
text = {f.name: f.read_text() for f in files if f.name in ("LICENSE", "${NOTICES}")}
report = next(iter(timeslice.run("${SCENARIO}", until_ns=${MOMENT.ns})))
print(json.dumps({"version": timeslice.__version__, "digest": report.digest, "text": text}))
`;

async function wheel(file, { version, python }) {
  const folder = elsewhere('wheel');
  try {
    await mustAnswer([python, '-m', 'venv', folder]);
    const own = path.join(folder, windows ? 'Scripts/python.exe' : 'bin/python');
    const pip = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-index'];
    await mustAnswer([own, ...pip, file]);
    const found = JSON.parse(await mustAnswer([own, '-c', ASK_WHEEL], { cwd: folder }));
    if (found.version !== version) throw new Failure(`calls itself ${found.version}`);
    mustName('wheel', found.text[NOTICES] ?? '');
    if (!found.text.LICENSE) throw new Failure('has no LICENSE');
    return found.digest;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every npm package in the page's notices must be on its bill of materials, and every crate on one of the others. */
export function bills(texts, notices) {
  const listed = new Set(
    texts.flatMap((text) =>
      JSON.parse(text).components.map(
        (c) => `${c.group ? `${c.group}/` : ''}${c.name} ${c.version}`,
      ),
    ),
  );
  const named = [...notices.matchAll(/^ {2}(\S+ \S+) \(.*\), (npm|crates\.io)$/gm)].map(
    ([, name]) => name,
  );
  const missing = [...new Set(named)].filter((name) => !listed.has(name));
  if (named.length === 0 || missing.length > 0) {
    throw new Failure(`the bills of materials lack: ${missing.join(', ') || 'everything'}`);
  }
}

/** Checks checksums as sha256sum -c would. */
export function checksums(folder, text) {
  const lines = text.trimEnd().split('\n');
  for (const line of lines) {
    const [, sum, name] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (!name || sha256(readFileSync(path.join(folder, name))) !== sum) {
      throw new Failure(`wrong checksum: ${line}`);
    }
  }
}

/**
 * The core as anybody packs it who has wasm-pack and types no command of ours. It must compute what the page's package
 * does.
 */
export async function wasmPack() {
  const out = elsewhere('wasm-pack');
  try {
    const line = ['wasm-pack', 'build', 'sim-core/wasm', '--target', 'web', '--out-dir', out];
    await mustAnswer(line, { show: true });
    const [theirs, ours] = [await loadWasm(out), await loadWasm()].map((core) => core.digests());
    if (theirs !== ours) throw new Failure('the digests of the shipped scenarios differ');
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** How a part is tested, by kind. Each resolves to the digest that it computed. */
export const TRIALS = {
  site,
  oneFile: oneFileIn('en', 'Licences'),
  oneFileGerman: oneFileIn('de', 'Lizenzen'),
  program,
  wheel,
};
