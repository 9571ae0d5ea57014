import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, expandUse, moduleOf, pathsOf, rustProblems } from '../lib/imports-rust.mjs';

const tables = {
  modules: { ids: [], sched: ['ids'], trace: ['ids', 'sched::flags'], '': ['*'] },
  schedulerRegistry: 'sched::registry',
  schedulerParts: ['freebsd'],
};
const reasons = (file, text) =>
  rustProblems(
    [
      { file: 'lib.rs', text: '' },
      { file: 'ids.rs', text: '' },
      { file: 'trace/mod.rs', text: '' },
      { file: 'sched/flags.rs', text: '' },
      { file: 'sched/ule/mod.rs', text: '' },
      { file: 'sched/bfs/mod.rs', text: '' },
      { file: 'sched/freebsd/runq.rs', text: '' },
      { file, text },
    ],
    tables,
  ).map(({ why }) => why);

test('nested use trees are expanded', () => {
  assert.deepEqual(expandUse('crate::{a, b::{c, d as e}, f::{self}}'), [
    'crate::a',
    'crate::b::c',
    'crate::b::d',
    'crate::f::self',
  ]);
});

test('files are named as modules', () => {
  assert.equal(moduleOf('lib.rs'), '');
  assert.equal(moduleOf('sched/ule/mod.rs'), 'sched::ule');
  assert.equal(moduleOf('sched/ule/tdq.rs'), 'sched::ule::tdq');
});

test('super is resolved from where it stands', () => {
  assert.deepEqual(pathsOf('sched/ule/tdq.rs', 'use super::super::bfs::X;'), ['sched::bfs::X']);
  assert.deepEqual(pathsOf('sched/ule/mod.rs', 'use super::flags::{A, B};'), [
    'sched::flags::A',
    'sched::flags::B',
  ]);
});

test('paths outside of use lines count, comments, strings and tests do not', () => {
  const text = `
    /// See crate::doc::Thing.
    fn f() -> crate::ids::TaskId { g("crate::text::X") }
    #[cfg(test)]
    mod tests { use crate::engine::Sim; }
  `;
  assert.deepEqual(pathsOf('sched/mod.rs', text), ['ids::TaskId']);
  assert.ok(!codeOf(text).includes('engine'));
});

test('a use against the direction is a problem', () => {
  assert.deepEqual(reasons('sched/cx.rs', 'use crate::trace::Record;'), [
    'sched must not use trace',
  ]);
  assert.deepEqual(reasons('sched/cx.rs', 'use crate::ids::TaskId;'), []);
  assert.deepEqual(reasons('lib.rs', 'pub use crate::trace::Record;'), []);
});

test('a table entry may name a part of a module', () => {
  assert.deepEqual(reasons('trace/a.rs', 'use crate::sched::flags::A;'), []);
  assert.deepEqual(reasons('trace/a.rs', 'use crate::sched::ule::A;'), [
    'trace must not use sched',
  ]);
});

test('a scheduler must not name another one, the registry may', () => {
  const why = ['a scheduler is known to the registry only, never to another one'];
  assert.deepEqual(reasons('sched/ule/tdq.rs', 'use crate::sched::bfs::X;'), why);
  assert.deepEqual(reasons('sched/ule/tdq.rs', 'use super::super::bfs::X;'), why);
  assert.deepEqual(reasons('sched/ule/tdq.rs', 'use super::X; use crate::sched::flags::A;'), []);
  assert.deepEqual(reasons('sched/registry.rs', 'use crate::sched::{bfs, ule};'), []);
  assert.deepEqual(reasons('sched/ule/tdq.rs', 'use crate::sched::freebsd::runq::X;'), []);
});

test('the core must not name the browser', () => {
  assert.equal(reasons('ids.rs', 'use wasm_bindgen::prelude::*;').length, 1);
  assert.equal(reasons('ids.rs', '// not wasm_bindgen').length, 0);
});
