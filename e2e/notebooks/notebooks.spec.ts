/**
 * The stage in a cell of JupyterLab and of marimo: it is visible, and changes there or in Python arrive on the other
 * side.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { test as base, expect, type FrameLocator, type Page } from '@playwright/test';
import { jupyterLab, marimo, notebook, type NotebookServer } from './server';

const IMPORT = 'from timeslice.widget import Lab';

/** A server that ends with its test, and the page, which makes no requests to other hosts. */
const test = base.extend<{ opened: (server: Promise<NotebookServer>) => Promise<NotebookServer> }>({
  opened: async ({ page }, use) => {
    const foreign = await watched(page);
    const servers: NotebookServer[] = [];
    await use(async (starting) => {
      const server = await starting;
      servers.push(server);
      return server;
    });
    await page.goto('about:blank');
    for (const server of servers) await server.stop();
    expect(foreign).toEqual([]);
  },
});

/** Requests to other hosts than the loopback, which are blocked. */
async function watched(page: Page): Promise<string[]> {
  const foreign: string[] = [];
  await page.context().route(
    (url) => /^(http|ws)/.test(url.protocol) && url.hostname !== '127.0.0.1',
    async (route) => {
      foreign.push(route.request().url());
      await route.abort();
    },
  );
  return foreign;
}

const stageOf = (page: Page): FrameLocator => page.frameLocator('iframe[title=Timeslice]');

/** The used parts of JupyterLab. */
interface JupyterApp {
  readonly commands: { execute(command: string): Promise<unknown> };
  readonly shell: {
    /** The notebook, once it is loaded. */
    readonly currentWidget: {
      readonly content: { activeCellIndex: number };
      readonly sessionContext: { readonly ready: Promise<void> };
    };
  };
}

/** Moves the first slider one step. */
async function move(stage: FrameLocator): Promise<void> {
  const slider = stage.getByRole('slider').first();
  await slider.focus();
  await slider.press('ArrowRight');
}

test('JupyterLab: the stage is visible, and changes arrive on both sides', async ({
  page,
  opened,
}) => {
  const server = await opened(
    jupyterLab(
      notebook(
        `${IMPORT}\nlab = Lab("bfs-smt", height=400)\nlab.fragment = "bfs-smt&k=2&t=0"\nlab`,
        'print("jobs:", lab.scenario["groups"][0]["count"], len(lab.digests), lab.fragment)',
        'lab.fragment = "bfs-smt&k=7&t=25"',
        'lab.scenario = {**lab.scenario, "name": "From Python"}',
      ),
    ),
  );
  await page.goto(`${server.url}lab/tree/stage.ipynb`);
  const cell = (i: number) => page.locator('.jp-Notebook .jp-Cell').nth(i);
  const run = (i: number) =>
    page.evaluate(async (index) => {
      const { commands, shell } = (window as unknown as { jupyterapp: JupyterApp }).jupyterapp;
      const { content, sessionContext } = shell.currentWidget;
      await sessionContext.ready;
      content.activeCellIndex = index;
      await commands.execute('notebook:run-cell');
    }, i);
  await page.waitForFunction(
    () => (window as unknown as { jupyterapp?: JupyterApp }).jupyterapp?.shell.currentWidget,
  );
  await run(0);
  const stage = stageOf(page);
  const jobs = stage.getByRole('slider').first();
  await expect(stage.locator('section.lane canvas').first()).toBeVisible();
  await expect(jobs).toHaveAttribute('aria-valuetext', /^2/);

  await move(stage);
  const output = cell(1).locator('.jp-OutputArea-output');
  await expect(async () => {
    await run(1);
    await expect(output).toHaveText(/^jobs: 3 3 v=2&x=bfs-smt&groups\.dhry\.count=3&/, {
      timeout: 500,
    });
  }).toPass();

  await run(2);
  await expect(jobs).toHaveAttribute('aria-valuetext', /^7/);
  await run(3);
  await expect(stage.getByRole('heading', { level: 1 })).toHaveText(/From Python/);

  // The page is not part of the widget's state: the file stays small.
  await page.keyboard.press('Control+s');
  await expect(async () => {
    expect(statSync(path.join(server.folder, 'stage.ipynb')).size).toBeGreaterThan(3000);
  }).toPass();
  expect(statSync(path.join(server.folder, 'stage.ipynb')).size).toBeLessThan(200_000);
});

test('marimo: the stage is visible, and changes arrive on both sides', async ({ page, opened }) => {
  const server = await opened(
    marimo(`import marimo
app = marimo.App(width="full")

@app.cell
def _():
    import marimo as mo
    ${IMPORT}
    lab = mo.ui.anywidget(Lab("bfs-smt", fragment="bfs-smt&k=2&t=0", height=400))
    return lab, mo

@app.cell
def _(lab):
    lab
    return

@app.cell
def _(lab, mo):
    mo.md(f"jobs: {lab.value['scenario'].get('groups', [{}])[0].get('count')}")
    return

@app.cell
def _(lab, mo):
    def act(_):
        lab.widget.fragment = "bfs-smt&k=7&t=25"
    mo.ui.button(label="Seven jobs", on_click=act)
    return

if __name__ == "__main__":
    app.run()
`),
  );
  await page.goto(server.url);
  const stage = stageOf(page);
  const jobs = stage.getByRole('slider').first();
  await expect(stage.locator('section.lane canvas').first()).toBeVisible();
  await expect(jobs).toHaveAttribute('aria-valuetext', /^2/);
  await expect(page.getByText('jobs: 2')).toBeVisible();
  await move(stage);
  // Cells that depend on it run again by themselves.
  await expect(page.getByText('jobs: 3')).toBeVisible();
  await page.getByRole('button', { name: 'Seven jobs' }).click();
  await expect(jobs).toHaveAttribute('aria-valuetext', /^7/);
  await expect(page.getByText('jobs: 7')).toBeVisible();
});
