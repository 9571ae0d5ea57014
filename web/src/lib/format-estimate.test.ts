import { describe, expect, it } from 'vitest';
import { estimate, significant } from './format-estimate';

describe('numbers of claims', () => {
  it.each([
    [0, '0'],
    [0.000209945, '0.000210'],
    [-0.0181127, '−0.0181'],
    [0.996, '0.996'],
    [9.996, '10.0'],
    [65.2, '65.2'],
    [999.6, '1000'],
    [20_000.4, '20\u202f000'],
    [5e-9, '5.0e−9'],
    [NaN, '–'],
  ])('%d is %s', (value, text) => {
    expect(significant(value)).toBe(text);
  });
  it.each([
    [0.996, 0.0123, '0.996 ± 0.012'],
    [782.83, 15.66, '783 ± 16'],
    [0.00021, 0.000043, '0.000210 ± 0.000043'],
    [-3, 0.996, '−3.0 ± 1.0'],
    [5405.2, 120, '5405 ± 120'],
    [0, 0.02, '0.000 ± 0.020'],
    [1.5, null, '1.50'],
    [1.5, 0, '1.50'],
    // The seeds agree in six digits: there is no interval to show.
    [1.5, 1e-9, '1.50'],
    [NaN, 1, '–'],
  ])('%d with half of an interval of %d is %s', (mean, half, text) => {
    expect(estimate(mean, half)).toBe(text);
  });
});
