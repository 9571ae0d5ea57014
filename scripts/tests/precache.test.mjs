import assert from 'node:assert/strict';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkPrecache } from '../lib/precache.mjs';

function folderWith(files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'precache-'));
  mkdirSync(path.join(folder, 'assets'));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

const worker = (...urls) =>
  `e.precacheAndRoute([${urls.map((url) => `{url:"${url}",revision:null}`).join()}],{})`;

test('a folder that is stored completely passes', () => {
  const folder = folderWith({
    'index.html': '',
    'assets/a.wasm': '',
    'sw.js': worker('index.html', 'assets/a.wasm'),
    'timeslice.html': '',
    'timeslice.de.html': '',
  });
  checkPrecache(folder);
  rmSync(folder, { recursive: true });
});

for (const missing of ['assets/a.wasm', 'assets/b.js']) {
  test(`${missing} that is not stored fails the build`, () => {
    const all = { 'index.html': '', 'assets/a.wasm': '', 'assets/b.js': '' };
    const kept = Object.keys(all).filter((name) => name !== missing);
    const folder = folderWith({ ...all, 'sw.js': worker(...kept) });
    assert.throws(() => checkPrecache(folder), new RegExp(missing));
    rmSync(folder, { recursive: true });
  });
}
