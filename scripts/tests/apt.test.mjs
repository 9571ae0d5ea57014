import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayInstall } from '../lib/apt.mjs';

/** The question at a terminal, and what follows after an answer. */
async function at({ answer = '', isTerminal = true, args = [], env = {} }) {
  const asked = [];
  const options = { isTerminal, args, env, question: async (text) => (asked.push(text), answer) };
  const may = [await mayInstall(['chromium'], options), await mayInstall(['xvfb'], options)];
  return { asked: asked.length, text: asked[0], may };
}

test('on a terminal the user is asked once, with the names of the packages', async () => {
  const { asked, text, may } = await at({ answer: 'y' });
  assert.equal(asked, 1);
  assert.match(text, /apt-get: chromium/);
  assert.deepEqual(may, [true, true]);
});

test('no holds for the rest of the run, and Enter means yes', async () => {
  assert.deepEqual(await at({ answer: 'n' }).then(({ asked, may }) => [asked, may]), [
    1,
    [false, false],
  ]);
  assert.deepEqual((await at({ answer: 'perhaps' })).may, [false, false]);
  assert.deepEqual((await at({ answer: '' })).may, [true, true]);
});

test('there is no question with --yes, in CI or without a terminal', async () => {
  for (const given of [{ args: ['--yes'] }, { env: { CI: 'true' } }, { isTerminal: false }]) {
    assert.deepEqual(await at(given), { asked: 0, text: undefined, may: [true, true] });
  }
});

test('a choice made beforehand holds, also for scripts that are started', async () => {
  const env = { TIMESLICE_SYSTEM_PACKAGES: 'no' };
  assert.deepEqual((await at({ env })).may, [false, false]);
  assert.equal((await at({ env, isTerminal: false })).may[0], false);
});
