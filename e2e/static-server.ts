/** A static host that tests can change and switch off: the built page below any path. */
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const DIST = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'dist');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};

export class StaticHost {
  readonly #server: Server;
  /** Where the page is. */
  readonly url: string;
  /** Changes a file before it is sent. */
  change: (file: string, text: Buffer) => Buffer = (_, text) => text;
  /** Other pages of the same host with their files, by path. */
  readonly pages = new Map<string, string>();
  /** Folders below the path that contain the page again. */
  readonly copies: string[] = [];
  /** Where the files are. */
  folder: string;
  /** Whether pages of other origins may read the files. */
  isShared = false;
  /** Files that were asked for. */
  readonly asked: string[] = [];

  private constructor(server: Server, url: string, folder: string) {
    this.#server = server;
    this.url = url;
    this.folder = folder;
  }

  static async start(below: string, folder = DIST): Promise<StaticHost> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const host = new StaticHost(server, `http://127.0.0.1:${String(port)}${below}`, folder);
    server.on('request', (request, response) => {
      const { pathname } = new URL(request.url ?? '', host.url);
      const inside = pathname.startsWith(below) ? pathname.slice(below.length) : '../';
      const file = inside === '' || inside.endsWith('/') ? `${inside}index.html` : inside;
      host.asked.push(file);
      const copy = host.copies.find((folder) => file.startsWith(folder)) ?? '';
      const full = path.join(host.folder, file.slice(copy.length));
      if (host.isShared) response.setHeader('Access-Control-Allow-Origin', '*');
      const other = host.pages.get(inside);
      if (other !== undefined) {
        response.setHeader('Content-Type', TYPES[path.extname(inside)] ?? 'text/html');
        response.end(other);
        return;
      }
      void (
        full.startsWith(host.folder) ? readFile(full) : Promise.reject(new Error('outside'))
      ).then(
        (text) => {
          response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'text/plain');
          response.setHeader('Cache-Control', 'no-cache');
          response.end(host.change(file, text));
        },
        () => {
          response.statusCode = 404;
          response.end();
        },
      );
    });
    return host;
  }

  /** From now on no request is answered. */
  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
