// A static server for the built page. Imported only after the npm packages are installed.
import { createServer } from 'node:http';
import { Failure } from './log.mjs';
import { dist } from './paths.mjs';

const host = '127.0.0.1';

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * Serves a folder (dist/) on the port, or on the next free one unless `strictPort`.
 * Resolves to { url, close }.
 */
export async function serve({ port, strictPort = false, folder = dist }) {
  const { default: sirv } = await import('sirv');
  const files = sirv(folder, {
    // Read from disk at each request: a reload shows a rebuilt page.
    dev: true,
    setHeaders: (response) => {
      response.setHeader('Cache-Control', 'no-cache');
      response.setHeader('X-Content-Type-Options', 'nosniff');
    },
  });
  const server = createServer((request, response) => {
    files(request, response, () => {
      response.writeHead(404, { 'Content-Type': 'text/plain' });
      response.end('There is no such file.\n');
    });
  });
  const last = strictPort ? port : Math.min(port + 99, 65_535);
  for (let candidate = port; candidate <= last; candidate += 1) {
    try {
      await listen(server, candidate);
      return {
        url: `http://${host}:${candidate}/`,
        close: () => (server.close(), server.closeAllConnections()),
      };
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    }
  }
  throw new Failure(
    `Port ${port} is taken${strictPort ? '' : `, and so are all up to ${last}`}. Type: npm start -- --port N`,
  );
}
