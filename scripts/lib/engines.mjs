// Three browser engines behind one small interface: { name, open(url), run(script, ...args), close() }. `run` takes
// the body of an async function as text, as WebDriver does.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { findBrowser } from './find-browser.mjs';
import { Failure } from './log.mjs';
import { which } from './run.mjs';
import { miniBrowser } from './setup-engines.mjs';

/** Long enough for every shipped scenario in the slowest engine. */
const SCRIPT_MS = 180_000;

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

async function chromium() {
  const { chromium: engine } = await import('@playwright/test');
  const executablePath = findBrowser()?.path;
  const browser = await engine.launch({
    ...(executablePath ? { executablePath } : {}),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const page = await (await browser.newContext()).newPage();
  return {
    name: 'Chromium',
    version: browser.version(),
    open: (url) => page.goto(url),
    run: (script, ...args) =>
      page.evaluate(
        ([text, given]) =>
          // The page's policy forbids code from text; the debugger evaluates it nevertheless.
          new (Object.getPrototypeOf(async () => undefined).constructor)('args', text)(given),
        [script, args],
      ),
    close: () => browser.close(),
  };
}

/** A WebDriver session as the interface. */
async function driven(name, driver, after) {
  await driver.manage().setTimeouts({ script: SCRIPT_MS, pageLoad: 60_000 });
  const capabilities = await driver.getCapabilities();
  return {
    name,
    version: capabilities.get('browserVersion'),
    open: (url) => driver.get(url),
    async run(script, ...args) {
      // An asynchronous script returns its result by calling its last argument.
      const text = `const args = [...arguments]; const done = args.pop();
        (async () => { ${script} })().then((value) => done({ value }), (e) => done({ error: String(e) }));`;
      const { value, error } = await driver.executeAsyncScript(text, ...args);
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async close() {
      await driver.quit().catch(() => undefined);
      after();
    },
  };
}

async function firefox() {
  const { Builder } = await import('selenium-webdriver');
  const { default: engine } = await import('selenium-webdriver/firefox.js');
  const options = new engine.Options().addArguments('-headless');
  options.setBinary(which('firefox-esr') ?? which('firefox'));
  const driver = await new Builder()
    .forBrowser('firefox')
    .setFirefoxOptions(options)
    .setFirefoxService(new engine.ServiceBuilder(which('geckodriver')))
    .build();
  return driven('Firefox', driver, () => undefined);
}

async function webkit() {
  const { Builder, Capabilities } = await import('selenium-webdriver');
  const port = await freePort();
  const display = `:${String(90 + (port % 100))}`;
  const screen = spawn('Xvfb', [display, '-screen', '0', '1280x800x24'], { stdio: 'ignore' });
  const server = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  });
  const stop = () => {
    server.kill();
    screen.kill();
  };
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    'webkitgtk:browserOptions': { binary: miniBrowser(), args: ['--automation'] },
  });
  let last;
  // The server needs some time before it listens.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    try {
      const driver = await new Builder()
        .usingServer(`http://127.0.0.1:${port}`)
        .withCapabilities(capabilities)
        .build();
      return await driven('WebKitGTK', driver, stop);
    } catch (error) {
      last = error;
      if (!/ECONNREFUSED/.test(String(error))) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  stop();
  throw new Failure(`WebKitGTK does not start: ${String(last)}`);
}

/** Engines by name; each value starts one. */
export const engines = { chromium, firefox, webkit };
