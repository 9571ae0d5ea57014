import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { option, portOption } from '../lib/options.mjs';
import { lockedWasmBindgen, withoutNames } from '../lib/packer.mjs';
import { inRoot } from '../lib/paths.mjs';
import { versionNumber } from '../lib/setup-rust.mjs';

test('versions are compared as numbers', () => {
  assert.ok(versionNumber('1.100.0') > versionNumber('1.95.3'));
  assert.ok(versionNumber('20.9') < versionNumber('20.19'));
});

test('the version of wasm-bindgen is not that of a crate with a longer name', () => {
  const lock =
    '[[package]]\nname = "wasm-bindgen-macro"\nversion = "9.9.9"\n\n' +
    '[[package]]\nname = "wasm-bindgen"\nversion = "0.2.130"\n';
  assert.equal(lockedWasmBindgen(lock), '0.2.130');
  assert.equal(lockedWasmBindgen(lock.replaceAll('\n', '\r\n')), '0.2.130');
  assert.equal(lockedWasmBindgen(''), undefined);
});

test('the packer is of the version of the bindings in the core', () => {
  const read = (...parts) => readFileSync(inRoot(...parts), 'utf8');
  const version = lockedWasmBindgen(read('Cargo.lock'));
  assert.ok(
    read('scripts', 'pack', 'Cargo.toml').includes(`wasm-bindgen-cli-support = "=${version}"`),
  );
});

test('options are read in both spellings, and a port must be one', () => {
  assert.equal(option(['--name', 'a'], '--name'), 'a');
  assert.deepEqual(option(['--hash=a', '--hash', 'b'], '--hash', { all: true }), ['a', 'b']);
  assert.equal(portOption([], 4173), 4173);
  assert.equal(portOption(['--port', '8080'], 4173), 8080);
  assert.throws(() => portOption(['--port', 'x'], 4173), /1 to 65535/);
  assert.throws(() => portOption(['--port'], 4173), /needs a value/);
});

test('a package loses the names of its functions, and nothing else', () => {
  const head = [0, 97, 115, 109, 1, 0, 0, 0];
  const types = [1, 1, 0];
  const names = [0, 6, 4, 110, 97, 109, 101, 9];
  const producers = [0, 4, 3, 112, 114, 111];
  const whole = Buffer.from([...head, ...types, ...names, ...producers]);
  assert.deepEqual([...withoutNames(whole)], [...head, ...types, ...producers]);
});
