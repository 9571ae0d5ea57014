import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withUnit } from './format';

/** The command line's tests read these cases, too: decisions have the same wording there. */
const CASES = JSON.parse(
  readFileSync(`${import.meta.dirname}/../../../sim-core/host/tests/data/units.json`, 'utf8'),
) as readonly (readonly [number | null, string, string])[];

describe('a number with its unit', () => {
  it.each(CASES)('%s %s reads %s', (value, unit, text) => {
    expect(withUnit(value ?? Number.NaN, unit)).toBe(text);
  });
});
