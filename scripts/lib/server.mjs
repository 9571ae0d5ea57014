// A static server for the built page. It needs the npm packages only when it starts to serve.
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

const headers = { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' };

/** What the first page lacks: the manual, the page as one file, and other languages, in the words of who waits. */
const LATER = [
  [/^\/manual(\/|$)/, 'The manual'],
  [/^\/timeslice[^/]*\.html$/, 'The page as one file'],
];

/** The name of what a request asks for, if it is made later. */
function madeLater(address) {
  if (!URL.canParse(address, `http://${host}`)) return undefined;
  const { pathname, searchParams } = new URL(address, `http://${host}`);
  const named = LATER.find(([pattern]) => pattern.test(pathname))?.[1];
  const language = searchParams.get('lang') ?? 'en';
  return named ?? (/^\/(index\.html)?$/.test(pathname) && language !== 'en' && 'This language');
}

/** A page that says what is missing, and loads itself again while that is being made. */
const waitingPage = (name, isMade) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    ${isMade ? '<meta http-equiv="refresh" content="3" />' : ''}
    <title>Timeslice</title>
  </head>
  <body>
    <p>${name} ${isMade ? 'is still being made. It will appear here by itself.' : 'could not be made. The terminal says why.'}</p>
    <p><a href="/">The page in English</a></p>
  </body>
</html>
`;

/**
 * Serves a folder (dist/) on the port, or on the next free one unless `strictPort`. With `isPart` the folder is the
 * first page: what it lacks is said to be made, until `show` or `giveUp` is called. With `policiesCome` pages are told that
 * own policies are being made, until `endPolicies` or `giveUp` is called.
 * Resolves to { url, close, show, giveUp, endPolicies }.
 */
export async function serve({ port, strictPort = false, folder = dist, ...still }) {
  let state = still.isPart ? 'making' : 'whole';
  let policiesCome = still.policiesCome ?? false;
  const { default: sirv } = await import('sirv');
  const reader = (from) =>
    sirv(from, {
      // Read from disk at each request: a reload shows a rebuilt page.
      dev: true,
      setHeaders: (response) => {
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        // A page can read this header of its own address, without a request (`web/src/spawn.ts`).
        if (policiesCome) response.setHeader('Server-Timing', 'policies-come');
      },
    });
  /** Asked by turns, the newest first: an open page still finds the files that it was loaded with. */
  let readers = [reader(folder)];
  const answer = (request, response, left) => {
    const [first, ...rest] = left;
    if (first) {
      first(request, response, () => answer(request, response, rest));
      return;
    }
    response.writeHead(404, { 'Content-Type': 'text/plain' });
    response.end('There is no such file.\n');
  };
  const server = createServer((request, response) => {
    const name = state !== 'whole' && madeLater(request.url);
    if (!name) {
      answer(request, response, readers);
      return;
    }
    response.writeHead(503, { ...headers, 'Content-Type': 'text/html; charset=utf-8' });
    response.end(waitingPage(name, state === 'making'));
  });
  const last = strictPort ? port : Math.min(port + 99, 65_535);
  for (let candidate = port; candidate <= last; candidate += 1) {
    try {
      await listen(server, candidate);
      return {
        url: `http://${host}:${candidate}/`,
        close: () => (server.close(), server.closeAllConnections()),
        show: (whole) => {
          readers = [reader(whole), ...readers];
          state = 'whole';
        },
        giveUp: () => {
          state = 'failed';
          policiesCome = false;
        },
        endPolicies: () => {
          policiesCome = false;
        },
      };
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    }
  }
  throw new Failure(
    `Port ${port} is taken${strictPort ? '' : `, and so are all up to ${last}`}. Type: npm start -- --port N`,
  );
}
