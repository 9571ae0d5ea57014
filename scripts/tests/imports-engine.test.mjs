import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circlesOf, engineProblems } from '../lib/imports-engine.mjs';

const rooms = { clockwork: [], hardware: ['clockwork'], kernel: ['clockwork', 'hardware', 'Sim'] };
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
  assert.deepEqual(
    idsOf('hardware/cpu.rs', 'use crate::{\n    clockwork::Event,\n    kernel::Task,\n};'),
    ['hardware/cpu.rs -> kernel'],
  );
});

test('comments, own modules and what stands above the rooms are no arrows', () => {
  assert.deepEqual(
    idsOf('hardware/cpu.rs', '// See crate::kernel::Task.\nuse super::idle::Rest;'),
    [],
  );
  assert.deepEqual(idsOf('hardware/cpu.rs', 'let cpu = self.kernel.info(task).last_cpu;'), []);
  assert.deepEqual(idsOf('snapshot.rs', 'use super::kernel::Kernel;'), []);
});

test('only the kernel has the run, which leads to all parts without a path', () => {
  const rust = 'impl Sim {\n    fn f(&self) { self.kernel.curr(cpu); }\n}';
  assert.deepEqual(idsOf('hardware/heat.rs', rust), ['hardware/heat.rs -> Sim']);
  assert.deepEqual(idsOf('hardware/view.rs', "impl crate::UpToDate<'_> {}"), [
    'hardware/view.rs -> Sim',
  ]);
  assert.deepEqual(idsOf('hardware/heat.rs', '/// Of a [`Sim`].\nstruct Simple;'), []);
  assert.deepEqual(idsOf('kernel/rest.rs', rust), []);
});

test('a table with a circle is found', () => {
  assert.deepEqual(circlesOf(rooms), []);
  assert.deepEqual(circlesOf({ ...rooms, clockwork: ['kernel'] }), [
    'clockwork',
    'hardware',
    'kernel',
  ]);
});
