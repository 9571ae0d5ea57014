import { expect, it } from 'vitest';
import { splitName } from './split-name';

it('the end of a name stays, as similar names differ there', () => {
  expect(splitName('interactive-7')).toEqual(['interactive', '-7']);
  expect(splitName('interactive-71')).toEqual(['interactive', '-71']);
  expect(splitName('firefox2-3')).toEqual(['firefox2', '-3']);
  expect(splitName('background')).toEqual(['backgro', 'und']);
  expect(splitName('job')).toEqual(['job', '']);
  expect(splitName('17')).toEqual(['17', '']);
});
