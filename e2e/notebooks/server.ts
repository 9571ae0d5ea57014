/** JupyterLab and marimo on the loopback, each in its own folder; features that would contact another host are off. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const python = process.env['TIMESLICE_PYTHON'] ?? 'python3';

/** A free port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export class NotebookServer {
  /** Where its files are. */
  readonly folder: string;
  readonly url: string;
  readonly #child;
  #output = '';

  private constructor(folder: string, url: string, args: readonly string[]) {
    this.folder = folder;
    this.url = url;
    const inside = (name: string) => path.join(folder, name);
    this.#child = spawn(python, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        HOME: folder,
        JUPYTER_CONFIG_DIR: inside('config'),
        JUPYTER_DATA_DIR: inside('data'),
        JUPYTER_RUNTIME_DIR: inside('runtime'),
        JUPYTER_PLATFORM_DIRS: '1',
        IPYTHONDIR: inside('ipython'),
        XDG_CONFIG_HOME: inside('config'),
        XDG_CACHE_HOME: inside('cache'),
        XDG_STATE_HOME: inside('state'),
        MARIMO_SKIP_UPDATE_CHECK: '1',
        // Requests to other hosts fail.
        HTTP_PROXY: 'http://127.0.0.1:9',
        HTTPS_PROXY: 'http://127.0.0.1:9',
        NO_PROXY: '127.0.0.1,localhost',
      },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.on('data', (text: Buffer) => (this.#output += text.toString()));
  }

  static async start(
    files: Readonly<Record<string, string>>,
    args: (port: string) => readonly string[],
  ): Promise<NotebookServer> {
    const folder = mkdtempSync(path.join(tmpdir(), 'timeslice-notebook-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const port = String(await freePort());
    const server = new NotebookServer(folder, `http://127.0.0.1:${port}/`, args(port));
    await server.#answers();
    return server;
  }

  /** Resolves when it answers. */
  async #answers(): Promise<void> {
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`the server ended: ${this.#output}`);
      try {
        await fetch(this.url);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGTERM');
    // JupyterLab first asks its kernels to end.
    const late = setTimeout(() => this.#child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(late);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A notebook of cells. */
export function notebook(...cells: readonly string[]): string {
  return JSON.stringify({
    cells: cells.map((source, i) => ({
      cell_type: 'code',
      id: `cell-${String(i)}`,
      execution_count: null,
      metadata: {},
      outputs: [],
      source,
    })),
    metadata: { kernelspec: { name: 'python3', display_name: 'Python 3', language: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  });
}

/** JupyterLab with a notebook. */
export function jupyterLab(text: string): Promise<NotebookServer> {
  const settings = (name: string) => `settings/${name}.jupyterlab-settings`;
  return NotebookServer.start(
    {
      'stage.ipynb': text,
      'config/jupyter_lab_config.json': JSON.stringify({
        LabApp: {
          news_url: null,
          check_for_updates_class: 'jupyterlab.handlers.announcements.NeverCheckForUpdate',
          extension_manager: 'readonly',
          expose_app_in_browser: true,
          user_settings_dir: 'settings',
          workspaces_dir: 'workspaces',
        },
        // No other user is on this loopback during tests, and there is nothing to protect.
        IdentityProvider: { token: '' },
        ServerApp: { open_browser: false, port_retries: 0, allow_root: true },
      }),
      [settings('@jupyterlab/apputils-extension/notification')]: JSON.stringify({
        fetchNews: 'false',
        checkForUpdates: false,
        doNotDisturbMode: true,
      }),
      // If the page were part of the widget's state, it would be in the file.
      [settings('@jupyter-widgets/jupyterlab-manager/plugin')]: JSON.stringify({ saveState: true }),
    },
    (port) => ['-m', 'jupyterlab', '--ip=127.0.0.1', `--port=${port}`],
  );
}

/** marimo with an app. */
export function marimo(text: string): Promise<NotebookServer> {
  return NotebookServer.start({ 'stage.py': text }, (port) => [
    ...['-m', 'marimo', '--quiet', 'run', 'stage.py', '--headless', '--no-token'],
    ...['--host', '127.0.0.1', '--port', port],
  ]);
}
