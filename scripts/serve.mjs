// Serves the page as it was built; builds nothing.
//   node scripts/serve.mjs [--port N] [--strict-port]
import { existsSync } from 'node:fs';
import path from 'node:path';
import { main } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { portOption } from './lib/options.mjs';
import { dist } from './lib/paths.mjs';
import { serve } from './lib/server.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  if (!existsSync(path.join(dist, 'index.html'))) {
    throw new Failure('There is no built page. Type: npm run build');
  }
  const { url } = await serve({
    port: portOption(args, 4173),
    strictPort: args.includes('--strict-port'),
  });
  note(`serving ${url}`);
});
