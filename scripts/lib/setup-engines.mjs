// Firefox and WebKitGTK with their drivers, for scripts/test-browsers.mjs: found or installed.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { aptInstall } from './apt.mjs';
import { findBrowser } from './find-browser.mjs';
import { patiently, which } from './run.mjs';
import { setUpBrowser } from './setup-browser.mjs';

/** WebKitGTK's own small browser, which its driver controls. */
export function miniBrowser() {
  for (const folder of [
    '/usr/lib/x86_64-linux-gnu',
    '/usr/lib/aarch64-linux-gnu',
    '/usr/libexec',
  ]) {
    if (!existsSync(folder)) continue;
    const found = readdirSync(folder)
      .filter((name) => name.startsWith('webkit2gtk-4'))
      .map((name) => path.join(folder, name, 'MiniBrowser'))
      .find((file) => existsSync(file));
    if (found) return found;
  }
  return undefined;
}

/** Missing Debian packages that an engine needs. */
const missing = {
  firefox: () => (which('firefox-esr') || which('firefox') ? [] : ['firefox-esr']),
  webkit: () => [
    ...(which('WebKitWebDriver') && miniBrowser() ? [] : ['webkit2gtk-driver']),
    ...(which('Xvfb') ? [] : ['xvfb']),
  ],
};

/** Prepares an engine; resolves to the reason for a failure, or to undefined on success. */
export async function setUpEngine(name) {
  if (name === 'chromium') {
    if (!findBrowser()) await setUpBrowser();
    return undefined;
  }
  const packages = missing[name]();
  const reason = packages.length > 0 ? await aptInstall(packages) : undefined;
  if (reason) return reason;
  if (name !== 'firefox' || which('geckodriver')) return undefined;
  await patiently('building geckodriver', ['cargo', 'install', 'geckodriver', '--locked'], {
    seconds: 80,
  });
  return which('geckodriver') ? undefined : 'cargo could not build geckodriver';
}
