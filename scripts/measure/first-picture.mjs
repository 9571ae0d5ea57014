// npm run measure first-picture: what a visitor waits for, from the address to the first picture of a run.
//   node scripts/measure/first-picture.mjs [--runs N] [--fragment LINK] [--page FOLDER]     needs a built page: npm run build
// Files come compressed, as from a static host, over a line of 10 Mbit/s with a round trip of 40 ms, and Chromium slows the
// thread of the page four times. Chromium does not slow workers, so the core runs in the worker at the speed of this machine.
//   cold: the first visit, with nothing stored; warm: a later visit, when everything is stored
//   at rest: everything has come that the page fetches behind the picture, and the visit is saved
import { createServer } from 'node:http';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { runIfEntry } from '../lib/entry.mjs';
import { findBrowser } from '../lib/find-browser.mjs';
import { Failure, heading, note } from '../lib/log.mjs';
import { countOption, option } from '../lib/options.mjs';
import { dist } from '../lib/paths.mjs';

const BYTES_PER_MS = 10e6 / 8 / 1000;
const ROUND_TRIP_MS = 40;
const SLOWER = 4;
/** What a person waits at most, in ms. */
const LIMITS = { cold: 1_500, warm: 500 };

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** A line that all answers share: `send` resolves when so many bytes have passed. */
class Line {
  #freeAt = 0;
  sent = 0;

  async send(bytes) {
    const now = performance.now();
    this.sent += bytes;
    this.#freeAt = Math.max(now, this.#freeAt) + bytes / BYTES_PER_MS;
    await sleep(this.#freeAt - now);
  }
}

const packed = new Map();

/** A file of the page with its type, compressed where that helps. */
function answerFor(folder, name) {
  const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
  if (!file.startsWith(folder) || !existsSync(file) || statSync(file).isDirectory()) return null;
  if (!packed.has(file)) {
    const type = TYPES[path.extname(file)];
    const body = readFileSync(file);
    packed.set(file, { type, body: type ? gzipSync(body) : body });
  }
  return packed.get(file);
}

/** The page behind the line; resolves to its address, the line, and a function that ends it. */
function serveSlowly(folder) {
  const line = new Line();
  const met = new WeakSet();
  const server = createServer((request, response) => {
    const answer = async () => {
      // A new connection costs a round trip before its first request, and each request one.
      await sleep(met.has(request.socket) ? ROUND_TRIP_MS : 2 * ROUND_TRIP_MS);
      met.add(request.socket);
      const found = answerFor(folder, new URL(request.url ?? '/', 'http://page').pathname);
      if (!found) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, {
        'Content-Type': found.type ?? 'application/octet-stream',
        'Content-Length': found.body.length,
        'Cache-Control': 'no-cache',
        ...(found.type ? { 'Content-Encoding': 'gzip' } : {}),
      });
      for (let at = 0; at < found.body.length; at += 8_192) {
        const part = found.body.subarray(at, at + 8_192);
        await line.send(part.length);
        response.write(part);
      }
      response.end();
    };
    answer().catch(() => response.destroy());
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      resolve({
        line,
        address: `http://127.0.0.1:${port}/`,
        close: () => (server.close(), server.closeAllConnections()),
      });
    });
  });
}

/** In the page: the ms until all canvases of a run show it. */
const firstPicture = () =>
  new Promise((resolve) => {
    const look = () => {
      const sim = globalThis.__sim;
      if (
        sim?.stageRects().some((machine) => machine.tokens.length > 0) &&
        sim.unpainted(document.body).length === 0
      )
        resolve(performance.now());
      else requestAnimationFrame(look);
    };
    look();
  });

/** Opens the page in a browser context, and resolves to the ms until the first picture of a run, and until it is at rest. */
async function visit(context, address) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.goto(address, { waitUntil: 'commit' });
  const ms = await page.evaluate(firstPicture);
  const rest = await page.evaluate(async () => {
    await globalThis.__sim.whenIdle();
    return performance.now();
  });
  return { page, ms, rest };
}

/** Waits until the service worker has stored everything. */
const stored = (page) =>
  page.evaluate(() => globalThis.navigator.serviceWorker.ready.then(() => undefined));

const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

await runIfEntry(import.meta.url, async (args) => {
  const runs = countOption(args, '--runs', 5);
  const fragment = option(args, '--fragment') ?? 's.bfs-smt';
  const folder = path.resolve(option(args, '--page') ?? dist);
  if (!existsSync(path.join(folder, 'index.html')))
    throw new Failure('There is no built page. Type: npm run build');
  const { chromium } = await import('@playwright/test');
  const executablePath = findBrowser()?.path;
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const times = { cold: [], warm: [], 'cold, at rest': [], 'warm, at rest': [] };
  let bytes = 0;
  for (let run = 0; run < runs; run += 1) {
    const { address, line, close } = await serveSlowly(folder);
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const cold = await visit(context, `${address}#${fragment}`);
    times.cold.push(cold.ms);
    times['cold, at rest'].push(cold.rest);
    bytes = line.sent;
    await stored(cold.page);
    await cold.page.close();
    const warm = await visit(context, `${address}#${fragment}`);
    times.warm.push(warm.ms);
    times['warm, at rest'].push(warm.rest);
    await context.close();
    close();
  }
  await browser.close();
  heading('The first picture of a run');
  for (const [visitOf, all] of Object.entries(times)) {
    const [least, most] = [Math.min(...all), Math.max(...all)].map(Math.round);
    const ms = Math.round(median(all));
    note(
      `${visitOf}: ${ms} ms, median of ${runs} (${least} to ${most})` +
        (LIMITS[visitOf] ? `; at most ${LIMITS[visitOf]} wanted` : '') +
        (ms > LIMITS[visitOf] ? ': NOT REACHED' : ''),
    );
  }
  note(`until the first picture of a cold visit ${Math.round(bytes / 1000)} kB had come`);
});
