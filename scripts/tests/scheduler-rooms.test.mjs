import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { inRoot } from '../lib/paths.mjs';
import { schedulerRooms } from '../lib/scheduler-rooms.mjs';

const rooms = schedulerRooms();
const names = (id) => rooms[id].map((path) => path.slice('sim-core/schedulers/src/'.length));

test('every scheduler of the registry has its rooms, and all of them exist', () => {
  assert.ok(Object.keys(rooms).length >= 7);
  for (const [id, paths] of Object.entries(rooms)) {
    assert.notEqual(id, 'undefined');
    assert.ok(paths.length > 0, id);
    for (const path of paths) assert.ok(existsSync(inRoot(path)), path);
  }
});

test('rooms that schedulers share belong to each of them, and no scheduler to another', () => {
  assert.deepEqual(names('eevdf'), ['eevdf', 'linux']);
  assert.deepEqual(names('4bsd'), ['fourbsd', 'freebsd']);
  assert.deepEqual(names('random'), ['fifo.rs', 'random.rs']);
  assert.deepEqual(names('bfs'), ['bfs']);
});
