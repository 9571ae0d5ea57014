// While the whole page is made, the server serves the first one and says what is still missing.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { serve } from '../lib/server.mjs';

let folder;
let server;
let port = 4700;

const write = (name, text) => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const get = async (place) => {
  const response = await fetch(new URL(place, server.url));
  return { status: response.status, text: await response.text() };
};

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'timeslice-server-'));
  write('first/index.html', 'first');
  write('first/assets/old.js', 'old');
  write('whole/index.html', 'whole');
  write('whole/manual/index.html', 'manual');
  write('whole/timeslice.de.html', 'one file');
  server = await serve({ port: (port += 1), folder: path.join(folder, 'first'), isPart: true });
  // Where somebody has that port, the server takes the next one; the next test must not have the same again.
  port = Number(new URL(server.url).port);
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const LATER = ['manual/', 'manual/index.html', 'timeslice.html', 'timeslice.de.html', '?lang=de'];

test('what the first page lacks is said to be made, in a page that loads itself again', async () => {
  assert.deepEqual(await get(''), { status: 200, text: 'first' });
  assert.deepEqual(await get('?lang=en'), { status: 200, text: 'first' });
  for (const place of LATER) {
    const { status, text } = await get(place);
    assert.equal(status, 503, place);
    assert.match(text, /still being made/);
    assert.match(text, /http-equiv="refresh"/);
  }
  assert.equal((await get('assets/new.js')).status, 404);
});

test('the whole page replaces the first one, whose files still answer', async () => {
  server.show(path.join(folder, 'whole'));
  assert.equal((await get('')).text, 'whole');
  assert.equal((await get('?lang=de')).text, 'whole');
  assert.equal((await get('manual/')).text, 'manual');
  assert.equal((await get('timeslice.de.html')).text, 'one file');
  assert.equal((await get('assets/old.js')).text, 'old');
});

test('after a failure the first page goes on, and the rest is said not to come', async () => {
  server.giveUp();
  assert.equal((await get('')).text, 'first');
  const { status, text } = await get('manual/index.html');
  assert.equal(status, 503);
  assert.match(text, /could not be made/);
  assert.doesNotMatch(text, /refresh/);
});

test('a page is told that own policies come, until they are there', async () => {
  const told = async () => (await fetch(server.url)).headers.get('Server-Timing');
  assert.equal(await told(), null);
  server.close();
  server = await serve({
    port: (port += 1),
    folder: path.join(folder, 'whole'),
    policiesCome: true,
  });
  port = Number(new URL(server.url).port);
  assert.equal(await told(), 'policies-come');
  server.endPolicies();
  assert.equal(await told(), null);
});
