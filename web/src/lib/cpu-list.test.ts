import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cpuListText, parseCpuList } from './cpu-list';

it('reads what it writes', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 190 }), { minLength: 1 }), (cpus) => {
      const sorted = [...cpus].sort((a, b) => a - b);
      expect(parseCpuList(cpuListText(cpus), 192)).toEqual(sorted);
    }),
  );
});

it('takes ranges, single numbers and nothing', () => {
  expect(parseCpuList('0-3, 8', 16)).toEqual([0, 1, 2, 3, 8]);
  expect(parseCpuList('', 16)).toBeNull();
  expect(parseCpuList('all', 16)).toBeNull();
  expect(parseCpuList('0-15', 16)).toBeNull();
  expect(cpuListText([8, 1, 2, 0, 5, 4])).toBe('0-2, 4, 5, 8');
});

it('says what is allowed where it refuses', () => {
  for (const text of ['16', '3-1', 'a', '1;2', '-1', '1,,2'])
    expect(parseCpuList(text, 16)).toBe('Numbers from 0 to 15, such as 0-3, 8; empty: all.');
});
