import { describe, expect, it } from 'vitest';
import { sayDifference, sayShare } from './words';

describe('a run for real beside the model', () => {
  const share = (here: number, model: number) => ({ here: { mean: here }, model: { mean: model } });

  it('is the model’s within the bound, else more or less', () => {
    expect(sayDifference(share(0.753, 0.7534), 0.005)).toBe('as the model');
    expect(sayDifference(share(0.77, 0.75), 0.005)).toMatch(/^2.* more$/);
    expect(sayDifference(share(0.73, 0.75), 0.005)).toMatch(/^2.* less$/);
    expect(sayDifference({ here: null, model: { mean: 1 } }, 0.005)).toBe('–');
  });

  it('has its interval where there are several repeats', () => {
    expect(sayShare({ mean: 0.75, half: 0.01 })).toContain('±');
    expect(sayShare({ mean: 0.75, half: null })).not.toContain('±');
  });
});
