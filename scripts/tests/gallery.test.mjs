import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageModule } from '../gallery.mjs';

test('the page was built for development after the gallery was compared in the same process', async () => {
  const before = process.env.NODE_ENV;
  delete process.env.NODE_ENV;
  try {
    await pageModule('printed.ts');
    assert.equal(process.env.NODE_ENV, undefined);
  } finally {
    if (before !== undefined) process.env.NODE_ENV = before;
  }
});
