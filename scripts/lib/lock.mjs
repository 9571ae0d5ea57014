// One build at a time: two scripts that were started together would otherwise write the same files.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cache } from './paths.mjs';
import { note } from './log.mjs';

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** The process that holds the lock; undefined if the file is gone or incomplete. */
function holder(file) {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** Runs `work` while no other script of this repository holds the lock of that name. */
export async function withLock(name, work) {
  const file = path.join(cache, 'locks', name);
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const pid = holder(file);
    if (pid !== undefined && !isAlive(pid)) {
      // Its owner was stopped before it could remove the lock.
      rmSync(file, { force: true });
      continue;
    }
    if (!told) note(`waiting for another ${name} build (process ${pid ?? 'unknown'}) …`);
    told = true;
    await sleep(250);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}
