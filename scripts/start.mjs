// npm start: sets up what is missing, builds what is out of date, serves the page.
//   npm start -- [--port N] [--no-open]
// Until set-up has run there may be no npm packages, so this imports only Node's own modules.
import { build, planBuild } from './build.mjs';
import { heading, main, note, sinceStart } from './lib/log.mjs';
import { openBrowser } from './lib/open-browser.mjs';
import { portOption } from './lib/options.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  const port = portOption(args, 4173);
  planBuild();
  await setUp();
  await build();
  const { serve } = await import('./lib/server.mjs');
  const { url } = await serve({ port });
  heading(`Timeslice is at ${url}`);
  note(`ready after ${sinceStart()}; stop with Ctrl+C`);
  if (!args.includes('--no-open')) openBrowser(url);
});
