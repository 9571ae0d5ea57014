// npm start: sets up what is missing, builds what is out of date, serves the page.
//   npm start -- [--port N] [--no-open]
// A page that has to be built is served in English first; the rest is made behind it.
// Until set-up has run there may be no npm packages, so this imports only Node's own modules.
import { cpSync, rmSync } from 'node:fs';
import { build, buildFirst, isPageBuilt, planFirst } from './build.mjs';
import { buildPolicyWasm, compileAhead } from './build-wasm.mjs';
import { main } from './lib/entry.mjs';
import { complain, duration, heading, note, sinceStart } from './lib/log.mjs';
import { openBrowser } from './lib/open-browser.mjs';
import { portOption } from './lib/options.mjs';
import { dist, inRoot } from './lib/paths.mjs';
import { serve } from './lib/server.mjs';
import { setUp } from './setup.mjs';

/** Makes the whole page behind the served one. A failure leaves that one as it is. */
async function makeTheRest({ show, giveUp }) {
  const begin = Date.now();
  note(
    'the manual, German, the page as one file and own policies are made behind it; the page works meanwhile',
  );
  try {
    await build();
    show(dist);
    heading(`The whole page is there, ${duration(Date.now() - begin)} later`);
    note('reload the page to have the rest of it');
  } catch (error) {
    giveUp();
    complain(`\n${error.message}`);
    note('the rest of the page could not be made; the English page is served on');
  }
}

/** Adds own policies behind the served page. A failure leaves that one as it is. */
async function addPolicies({ show, endPolicies }) {
  const begin = Date.now();
  note('own policies are compiled behind it, which takes some minutes; the page works meanwhile');
  try {
    await buildPolicyWasm();
    // A copy is served while the folder is made anew.
    const copy = inRoot('.cache', 'served');
    rmSync(copy, { recursive: true, force: true });
    cpSync(dist, copy, { recursive: true });
    show(copy);
    await build({ policies: true });
    endPolicies();
    show(dist);
    heading(`Own policies are there, ${duration(Date.now() - begin)} later`);
    note('reload the page to have them');
  } catch (error) {
    endPolicies();
    complain(`\n${error.message}`);
    note('own policies could not be made; the page is served on without them');
  }
}

await main(async () => {
  const args = process.argv.slice(2);
  const port = portOption(args, 4173);
  planFirst();
  const isWhole = isPageBuilt();
  await setUp({ beside: isWhole ? undefined : () => compileAhead('first') });
  const folder = isWhole ? dist : await buildFirst();
  const policiesCome = !isPageBuilt({ policies: true });
  const server = await serve({ port, folder, isPart: !isWhole, policiesCome });
  heading(`Timeslice is at ${server.url}`);
  note(`ready after ${sinceStart()}; stop with Ctrl+C`);
  if (!args.includes('--no-open')) openBrowser(server.url);
  if (!isWhole) await makeTheRest(server);
  if (isPageBuilt() && !isPageBuilt({ policies: true })) await addPolicies(server);
});
