// Set-up gets prebuilt programs from a server on the loopback, which replaces the download host.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { inRoot } from '../lib/paths.mjs';
import { LIMITS, archiveUrl, readTools, sha256, takePrebuilt } from '../lib/prebuilt.mjs';
import { lockedWasmBindgen } from '../lib/setup-rust.mjs';

/** A tar archive (POSIX.1-1988, "ustar") of files by their paths. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write('0000755\0', 100);
    header.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(name.endsWith('/') ? '5' : '0', 156);
    header.write('ustar\0', 257);
    const content = Buffer.alloc(512 * Math.ceil(text.length / 512));
    content.write(text);
    return [header, content];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const program = '#!/bin/sh\necho "spanner 1.2.3"\n';
const archive = tar({
  'spanner-1/': '',
  'spanner-1/README': 'spanner',
  'spanner-1/spanner': program,
});
const spanner = {
  version: '1.2.3',
  archive: 'releases/v{version}/spanner-{system}.tar.gz',
  systems: { here: 'some-system' },
  sha256: { here: sha256(archive) },
};

/** The messages of set-up with a host that answers in this way, its requests, and the files in its folder. */
async function ask(answer, tool = spanner, limits = LIMITS) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    answer(response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `http://127.0.0.1:${server.address().port}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'prebuilt-'));
  try {
    const reason = await takePrebuilt('spanner', tool, { host, limits, folder, system: 'here' });
    const left = Object.fromEntries(
      readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
    );
    return { reason, asked, left };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
}

const short = { ...LIMITS, silence: 50 };

test('an available program is used', async () => {
  const { reason, asked, left } = await ask((response) => response.end(archive));
  assert.equal(reason, undefined);
  assert.deepEqual(asked, ['/releases/v1.2.3/spanner-some-system.tar.gz']);
  assert.deepEqual(left, { spanner: program });
});

test('a missing program is not used', async () => {
  const { reason, left } = await ask((response) => response.writeHead(404).end('not here'));
  assert.match(reason, /^127\.0\.0\.1:\d+ answered 404$/);
  assert.deepEqual(left, {});
});

test('an unreachable host does not stop set-up', async () => {
  const host = 'http://127.0.0.1:1';
  const reason = await takePrebuilt('spanner', spanner, { host, system: 'here', folder: tmpdir() });
  assert.match(reason, /cannot be reached/);
  assert.equal(existsSync(path.join(tmpdir(), 'spanner')), false);
});

test('a host that hangs is given up, before or during its answer', async () => {
  // Users wait at most this long; the test does not wait for it.
  assert.ok(LIMITS.silence <= 10_000);
  for (const answer of [() => {}, (response) => response.write(archive.subarray(0, 100))]) {
    const { reason, left } = await ask(answer, spanner, short);
    assert.match(reason, /was silent for 0\.05 s$/);
    assert.deepEqual(left, {});
  }
});

test('a host that sends single bytes is given up as well', async () => {
  const drip = (response) => {
    const timer = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(timer));
  };
  const { reason } = await ask(drip, spanner, { ...LIMITS, whole: 100 });
  assert.match(reason, /took more than 0\.1 s$/);
  const flood = await ask(drip, spanner, { ...LIMITS, bytes: 3 });
  assert.match(flood.reason, /more than such an archive has$/);
});

test('an archive with another checksum is neither unpacked nor started', async () => {
  const other = tar({ 'spanner-1/spanner': `${program}# more\n` });
  const { reason, left } = await ask((response) => response.end(other));
  assert.match(reason, new RegExp(`has the checksum ${sha256(other)}, .* ${sha256(archive)}$`));
  assert.deepEqual(left, {});
});

test('without a checksum no host is contacted', async () => {
  const { reason, asked } = await ask((response) => response.end(archive), {
    ...spanner,
    sha256: {},
  });
  assert.match(reason, /no checksum of one for here is written down/);
  assert.deepEqual(asked, []);
});

test('an archive without the program, and a program of another version, are not used', async () => {
  for (const [files, words] of [
    [{ 'spanner-1/hammer': program }, /no spanner in the archive/],
    [{ spanner: '#!/bin/sh\necho "spanner 1.2.2"\n' }, /does not start here/],
  ]) {
    const made = tar(files);
    const tool = { ...spanner, sha256: { here: sha256(made) } };
    const { reason, left } = await ask((response) => response.end(made), tool);
    assert.match(reason, words);
    assert.deepEqual(left, {});
  }
});

test('the pinned versions are those of the build', () => {
  const tools = readTools();
  const locked = lockedWasmBindgen(readFileSync(inRoot('Cargo.lock'), 'utf8'));
  assert.equal(tools['wasm-bindgen'].version, locked);
  for (const tool of Object.values(tools)) {
    for (const system of Object.keys(tool.systems)) {
      assert.match(archiveUrl(tool, system), /^https:\/\/[^{}]+\.tar\.gz$/);
    }
    for (const [system, sum] of Object.entries(tool.sha256)) {
      assert.ok(system in tool.systems, system);
      assert.match(sum, /^[0-9a-f]{64}$/);
    }
  }
});
