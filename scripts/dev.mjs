// npm run dev: the page with hot reload. The WebAssembly package is built first if it is stale, and again when a lesson
// changes; after a change in sim-core, `npm run build:wasm` in another terminal reloads the page.
import { buildWasm } from './build-wasm.mjs';
import { main, note } from './lib/log.mjs';
import { openBrowser } from './lib/open-browser.mjs';
import { portOption } from './lib/options.mjs';
import { inRoot } from './lib/paths.mjs';
import { setUp } from './setup.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  const port = portOption(args, 5173);
  await setUp();
  await buildWasm();
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: inRoot('web', 'vite.config.js'),
    server: { port },
  });
  await server.listen();
  server.printUrls();
  const lessons = inRoot('scenarios', 'lessons');
  let building = Promise.resolve();
  server.watcher.add(lessons);
  server.watcher.on('change', (file) => {
    // The next build waits for the last one, and includes all changes made meanwhile. A failure is reported; the next
    // change tries again.
    if (file.startsWith(lessons))
      building = building.then(() => buildWasm()).catch((error) => note(String(error)));
  });
  note('after a change in sim-core, type in another terminal: npm run build:wasm');
  const url = server.resolvedUrls?.local[0];
  if (url && !args.includes('--no-open')) openBrowser(url);
});
