import { describe, expect, it } from 'vitest';
import { Frame, FrameSchema } from './frame';
import { CATALOG } from './test-catalog';

/** A frame whose values say where they belong. */
function frame(schema: FrameSchema, cpus: number, tasks: number, queueRows: number): Float64Array {
  const head: Record<string, number> = {
    cpus,
    tasks,
    queueRows,
    nowNs: 123,
    cpuColumns: schema.cpu.names.length,
    taskColumns: schema.task.names.length,
    queueColumns: schema.queue.names.length,
  };
  const out = schema.header.names.map((name) => head[name] ?? 0);
  schema.cpu.names.forEach((_, c) => {
    for (let i = 0; i < cpus; i++) out.push(1000 + c * 10 + i);
  });
  schema.task.names.forEach((_, c) => {
    for (let i = 0; i < tasks; i++) out.push(2000 + c * 10 + i);
  });
  for (let i = 0; i < queueRows; i++)
    schema.queue.names.forEach((_, c) => {
      out.push(3000 + i * 10 + c);
    });
  return Float64Array.from(out);
}

describe('Frame', () => {
  const schema = new FrameSchema(CATALOG, 'bfs');

  it('finds each column by its name, those of the scheduler after the causes', () => {
    const f = new Frame(schema, frame(schema, 2, 3, 1));
    expect(f.nowNs).toBe(123);
    expect([...f.cpu('state')]).toEqual([1010, 1011]);
    const deadline = schema.task.at('deadlineNs');
    expect(deadline).toBe(CATALOG.frame.task.length + 2 * CATALOG.causes.length);
    expect([...f.task('deadlineNs')]).toEqual([0, 1, 2].map((i) => 2000 + deadline * 10 + i));
    expect(f.queue()).toEqual([
      { queue: 3000, task: 3001, key: 3002, position: 3003, part: 3004, place: 3005 },
    ]);
  });

  it('gives the waiting threads without a copy or an object for each', () => {
    const data = frame(schema, 2, 3, 4);
    const f = new Frame(schema, data);
    const waiters = f.waiters();
    expect(f.waiters()).toBe(waiters);
    expect(waiters).toHaveLength(4);
    const read = () =>
      Array.from({ length: waiters.length }, (_, row) => ({
        queue: waiters.queue(row),
        task: waiters.task(row),
        key: waiters.key(row),
      }));
    expect(f.queue()).toMatchObject(read());
    // It reads the frame's own numbers.
    data[data.length - schema.queue.names.length + schema.queue.at('task')] = 77;
    expect(waiters.task(3)).toBe(77);
  });

  it('refuses a buffer of another shape', () => {
    const data = frame(schema, 2, 3, 1);
    expect(() => new Frame(schema, data.slice(1))).toThrow(/numbers/);
    expect(() => new Frame(schema, data).task('noSuchColumn')).toThrow('noSuchColumn');
  });

  it('has no scheduler columns for another scheduler', () => {
    const other = new FrameSchema(CATALOG, 'random');
    expect(new Frame(other, frame(other, 1, 1, 0)).taskIfAny('deadlineNs')).toBeNull();
  });
});
