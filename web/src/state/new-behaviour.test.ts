import { describe, expect, it } from 'vitest';
import type { BehaviourEntry } from '../sim/types/BehaviourEntry';
import type { ParamSpec } from '../sim/types/ParamSpec';
import { newBehaviour } from './new-behaviour';

const param = (id: string, forNew: number | null): ParamSpec => ({
  id,
  label: id,
  unit: '',
  summary: '',
  mark: 'assumed',
  source: '',
  kind: { type: 'int', min: 0, max: 500, default: 0, log: false },
  live: false,
  forNew,
});

const entry = (params: ParamSpec[]): BehaviourEntry => ({
  id: 'pipeline',
  name: '',
  summary: '',
  usesWorkingSet: true,
  offered: true,
  params,
});

describe('a behaviour that is made anew', () => {
  it('has what new ones have, and nothing else', () => {
    expect(newBehaviour(entry([param('workUs', null), param('burstJitter', 1)]))).toEqual({
      kind: 'pipeline',
      params: { burstJitter: 1 },
    });
    expect(newBehaviour(entry([]))).toEqual({ kind: 'pipeline', params: {} });
  });
});
