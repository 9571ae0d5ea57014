// Shows an address in the user's browser if there is a desktop; never fails if there is none.
import { spawn } from 'node:child_process';
import { which } from './run.mjs';

function opener() {
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['cmd', '/c', 'start', ''];
  const desktop = process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const program = which('xdg-open');
  return desktop && program ? [program] : undefined;
}

export function openBrowser(url) {
  const command = process.env.CI ? undefined : opener();
  if (!command) return;
  const child = spawn(command[0], [...command.slice(1), url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
