// npm run dev: the page with hot reload. After a change in the core or the scenarios the WebAssembly package is built
// again, in the quick way, and the page loads itself; its address keeps scenario and time.
//   npm run dev [-- --port N] [--no-open]
import { buildWasm, compileAhead, compileForChanges } from './build-wasm.mjs';
import { isWasmInput } from './lib/inputs.mjs';
import { main } from './lib/entry.mjs';
import { complain, duration, note } from './lib/log.mjs';
import { openBrowser } from './lib/open-browser.mjs';
import { portOption } from './lib/options.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { Rebuilder } from './lib/rebuilder.mjs';
import { setUp } from './setup.mjs';

/** Builds, and has every open page loaded again, or covered with what the compiler says. */
async function renew(server) {
  const begin = Date.now();
  try {
    await buildWasm({ quality: 'quick' });
    server.moduleGraph.invalidateAll();
    server.ws.send({ type: 'full-reload' });
    note(`the page has the new core, ${duration(Date.now() - begin)} after the change`);
  } catch (error) {
    complain(`\n${error.message} The next change tries again.`);
    const said = String(error.cause ?? error.message);
    server.ws.send({ type: 'error', err: { message: said, stack: '' } });
  }
}

await main(async () => {
  const args = process.argv.slice(2);
  const port = portOption(args, 5173);
  await setUp({ beside: () => compileAhead('quick') });
  await buildWasm({ quality: 'quick' });
  const { createServer } = await import('vite');
  const server = await createServer({
    configFile: inRoot('web', 'vite.config.js'),
    // The package is written file by file, so Vite must not look at it before all of it is there.
    server: { port, watch: { ignored: ['**/sim/pkg/**', '**/sim-core/fuzz/**', '**/target/**'] } },
  });
  await server.listen();
  server.printUrls();
  const builds = new Rebuilder(() => renew(server));
  server.watcher.add(['Cargo.toml', 'Cargo.lock', 'sim-core', 'scenarios'].map((at) => inRoot(at)));
  server.watcher.on('all', (_, file) => {
    if (isWasmInput(file.slice(root.length + 1).replaceAll('\\', '/'))) builds.ask();
  });
  const url = server.resolvedUrls?.local[0];
  if (url && !args.includes('--no-open')) openBrowser(url);
  await compileForChanges();
});
