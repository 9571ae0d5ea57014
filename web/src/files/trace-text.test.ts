import { describe, expect, it } from 'vitest';
import { realFile } from './trace-text';

describe('a file of a real machine', () => {
  it.each([
    ['# tracer: nop\n', 'trace'],
    ['a-1 [000] 1.0: sched_switch: prev_comm=a', 'trace'],
    ['PERFILE2\0\0', 'trace'],
    ['\u0017\bDtracing6', 'trace'],
    ['timeslice-workload 1\n{}', 'workload'],
    ['{"realVersion":1,"scenario":{}}', 'run'],
    ['/* beat */ { "tasks" : { } }', 'program'],
    ['{ "traceEvents": [], "tasks": 1 }', null],
    ['{ "version": 2, "name": "tasks" }', null],
    ['def pick(queue): ...', null],
  ])('%j is a %s', (head, what) => {
    expect(realFile(head)).toBe(what);
  });
});
