// Flags of native builds.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { withFlags } from '../lib/native.mjs';
import { run } from '../lib/run.mjs';

test('flags of a profile did not reach the compiler', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'timeslice-flags-'));
  const before = process.env.CARGO_ENCODED_RUSTFLAGS;
  try {
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'Cargo.toml'), '[package]\nname = "empty"\n[workspace]\n');
    writeFileSync(path.join(folder, 'src', 'lib.rs'), '');
    // An empty list of flags in the shell made cargo ignore all others.
    process.env.CARGO_ENCODED_RUSTFLAGS = '';
    const { code, output } = await run(
      ['cargo', 'rustc', '--quiet', '--offline', '--lib', '--', '--print', 'cfg'],
      { cwd: folder, env: withFlags('--cfg', 'counts') },
    );
    assert.equal(code, 0, output);
    assert.match(output, /^counts$/m);
  } finally {
    if (before === undefined) delete process.env.CARGO_ENCODED_RUSTFLAGS;
    else process.env.CARGO_ENCODED_RUSTFLAGS = before;
    rmSync(folder, { recursive: true, force: true });
  }
});
