// npm run e2e -- [arguments of Playwright]: the end-to-end tests against a fresh build.
import { build } from './build.mjs';
import { Failure, main } from './lib/log.mjs';
import { endToEnd } from './lib/suites.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  await setUp({ browser: true });
  await build();
  const { ok } = await endToEnd(process.argv.slice(2));
  if (!ok) throw new Failure('The end-to-end tests failed.');
});
