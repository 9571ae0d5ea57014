import { expect, it } from 'vitest';
import { pointName } from './point-name';

it('keeps a short title, and of a long one as many words as a name may have', () => {
  expect(pointName('More hogs', ': jobs 3')).toBe('More hogs: jobs 3');
  const long = 'A storm of sched_yield(): one queue and one lock, or one for each CPU';
  expect(pointName(long, ': processes 100')).toBe(
    'A storm of sched_yield(): one queue and one lock, or one for …: processes 100',
  );
  const german = pointName(`${long} auf größeren Rechnern`, ': Prozesse 5000');
  expect(new TextEncoder().encode(german).length).toBeLessThanOrEqual(80);
  expect(german).toMatch(/…: Prozesse 5000$/);
});
