import { describe, expect, it } from 'vitest';
import type { Fault } from './client';
import { adviceFor, sayFault } from './trouble';

const fine = { hasOrigin: true, hasWebAssembly: true };
const fault = (kind: Fault['kind']): Fault => ({ kind, message: 'because' });

describe('trouble', () => {
  it('comes with advice, whatever happened', () => {
    for (const kind of ['panic', 'memory', 'silence', 'load'] as const) {
      expect(sayFault(fault(kind))).toMatch(/^The simulation .+ \(because\)$/);
      expect(adviceFor(fault(kind), fine)).toMatch(/eload the page|eload it/);
    }
  });

  it('names a missing feature of the browser where that is the reason', () => {
    expect(adviceFor(fault('load'), { ...fine, hasOrigin: false })).toContain('allow-same-origin');
    expect(adviceFor(fault('load'), { ...fine, hasWebAssembly: false })).toContain('switched off');
  });
});
