// npm run e2e [-- OPTIONS]: the end-to-end tests against a fresh build, with options of Playwright.
import { build } from './build.mjs';
import { main } from './lib/entry.mjs';
import { Failure } from './lib/log.mjs';
import { endToEnd } from './lib/suites.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp({ browser: true });
  await build();
  const { ok } = await endToEnd(process.argv.slice(2));
  if (!ok) throw new Failure('The end-to-end tests failed.');
});
