import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circlesOf, engineProblems } from '../lib/imports-engine.mjs';

const rooms = { clockwork: [], hardware: ['clockwork'], kernel: ['clockwork', 'hardware'] };
const idsOf = (file, rust) => engineProblems(file, rust, rooms).map(({ id }) => id);

test('a room names only rooms below it', () => {
  assert.deepEqual(idsOf('kernel/task.rs', 'use crate::hardware::Charged;'), []);
  assert.deepEqual(idsOf('hardware/cpu.rs', 'use crate::kernel::{Task, TaskState};'), [
    'hardware/cpu.rs -> kernel',
  ]);
  assert.deepEqual(idsOf('hardware/cpu.rs', 'if work == crate::kernel::ENDLESS {}'), [
    'hardware/cpu.rs -> kernel',
  ]);
  assert.deepEqual(idsOf('clockwork/mod.rs', 'use super::super::hardware::Charged;'), [
    'clockwork/mod.rs -> hardware',
  ]);
  assert.deepEqual(idsOf('hardware/cpu.rs', 'use crate::{\n    Sim,\n    kernel::Task,\n};'), [
    'hardware/cpu.rs -> kernel',
  ]);
});

test('comments, own modules and what stands above the rooms are no arrows', () => {
  assert.deepEqual(
    idsOf('hardware/cpu.rs', '// See crate::kernel::Task.\nuse super::idle::Rest;'),
    [],
  );
  assert.deepEqual(idsOf('hardware/cpu.rs', 'let cpu = self.kernel.info(task).last_cpu;'), []);
  assert.deepEqual(idsOf('snapshot.rs', 'use super::kernel::Kernel;'), []);
});

test('a table with a circle is found', () => {
  assert.deepEqual(circlesOf(rooms), []);
  assert.deepEqual(circlesOf({ ...rooms, clockwork: ['kernel'] }), [
    'clockwork',
    'hardware',
    'kernel',
  ]);
});
