import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { bills, checksums, mustName, WORDS } from '../lib/release-checks.mjs';
import { checksums as writeChecksums } from '../lib/release-parts.mjs';

test('notices that leave out one component are refused', () => {
  mustName('page', WORDS.page.join('\n'));
  assert.throws(
    () => mustName('page', WORDS.page.slice(1).join('\n')),
    /say nothing of: Copyright/,
  );
});

test('components of the notices are on a bill of materials, with their versions', () => {
  const bill = JSON.stringify({
    components: [
      { name: 'svelte', version: '5.0.0' },
      { group: '@s', name: 'letters', version: '1.0.0' },
      { name: 'serde', version: '2.0.0' },
    ],
  });
  const named = '  svelte 5.0.0 (MIT), npm\n  @s/letters 1.0.0 (OFL-1.1), npm\n';
  bills([bill], `${named}  hashbrown 0.1.0 (MIT), Rust's standard library\n`);
  assert.throws(
    () => bills([bill], `${named}  serde 2.0.1 (MIT), crates.io\n`),
    /lack: serde 2\.0\.1/,
  );
  assert.throws(() => bills([bill], ''), /lack: everything/);
});

test('a file that changed after its checksum is found', () => {
  const out = mkdtempSync(path.join(tmpdir(), 'release-'));
  try {
    writeFileSync(path.join(out, 'part'), 'one');
    writeFileSync(path.join(out, 'another'), 'two');
    assert.equal(writeChecksums({ out }), 'SHA256SUMS');
    const text =
      '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3  another\n' +
      '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  part\n';
    checksums(out, text);
    writeFileSync(path.join(out, 'part'), 'other');
    assert.throws(() => checksums(out, text), /wrong checksum: 7692/);
  } finally {
    rmSync(out, { recursive: true });
  }
});
