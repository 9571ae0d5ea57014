import { expect, it } from 'vitest';
import { sayEdit } from './say-edit';

it('an edit of a control group or of a program says what it sets, not that somebody ended', () => {
  const said = (path: string, value: number | string | null) => sayEdit({ set: { [path]: value } });
  expect([
    said('cgroups.web.quotaUs', 50_000),
    said('cgroups.web.quotaUs', null),
    said('cgroups.web.periodUs', 10_000),
    said('cgroups.web.burstUs', 5_000),
    said('cgroups.web.weight', 200),
    said('lanes.2.program', 'def pick(cpu): return cpu.waiting[0]'),
    said('lanes.*.program', 'def pick(cpu): return cpu.waiting[0]'),
  ]).toEqual([
    'limit of web to 50 ms a period',
    'no limit for web',
    'period of web to 10 ms',
    'burst of web to 5 ms',
    'weight of web to 200',
    'another program in lane 2',
    'another program in all lanes',
  ]);
});
