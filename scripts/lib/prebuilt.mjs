// Programs that others have built: used only if their checksum is in scripts/tools.json.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { inRoot, windows } from './paths.mjs';
import { ask, localTools } from './run.mjs';

const toolsFile = inRoot('scripts', 'tools.json');

/** The pinned versions, by name of program. */
export const readTools = () => JSON.parse(readFileSync(toolsFile, 'utf8'));

export const writeTools = (tools) =>
  writeFileSync(toolsFile, `${JSON.stringify(tools, null, 2)}\n`);

/** The host of the archives. A mirror with the same paths works, too, as checksums decide what is used. */
export const downloadHost = () => process.env.TIMESLICE_TOOLS_HOST ?? 'https://github.com';

/** Longest silence and longest download (ms), and largest download (bytes). */
export const LIMITS = { silence: 10_000, whole: 60_000, bytes: 64 << 20 };

export const archiveUrl = ({ archive, version, systems }, system, host = downloadHost()) =>
  `${host}/${archive.replaceAll('{version}', version).replaceAll('{system}', systems[system])}`;

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** The content of an address; rejects with a sentence. */
export async function download(url, limits = LIMITS) {
  const { host } = new URL(url);
  const stop = new AbortController();
  const giveUp = (sentence) => stop.abort(new Error(sentence));
  const seconds = (ms) => `${ms / 1000} s`;
  const isSilent = () => giveUp(`${host} was silent for ${seconds(limits.silence)}`);
  let silence = setTimeout(isSilent, limits.silence);
  const whole = setTimeout(
    () => giveUp(`${host} took more than ${seconds(limits.whole)}`),
    limits.whole,
  );
  try {
    const response = await fetch(url, { signal: stop.signal });
    if (!response.ok) throw new Error(`${host} answered ${response.status}`);
    const chunks = [];
    let size = 0;
    for await (const chunk of response.body) {
      clearTimeout(silence);
      silence = setTimeout(isSilent, limits.silence);
      size += chunk.length;
      if (size > limits.bytes) throw new Error(`${host} sends more than such an archive has`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    // The message of fetch would only be "fetch failed".
    if (stop.signal.aborted) throw stop.signal.reason;
    throw error.cause
      ? new Error(`${host} cannot be reached (${error.cause.code ?? error.cause.message})`)
      : error;
  } finally {
    clearTimeout(silence);
    clearTimeout(whole);
    stop.abort();
  }
}

/** The content of a file of that name in a tar archive, in any folder; undefined if there is none. */
export function fileInTar(tar, name) {
  const text = (at, length) => tar.toString('latin1', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0;) {
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (!(size >= 0)) return undefined;
    const isFile = ['', '0'].includes(text(at + 156, 1));
    const begin = at + 512;
    if (isFile && path.posix.basename(text(at, 100)) === name && begin + size <= tar.length) {
      return tar.subarray(begin, begin + size);
    }
    at = begin + 512 * Math.ceil(size / 512);
  }
  return undefined;
}

/**
 * Puts the released program into `folder`. Resolves to the reason for a failure, or to undefined on success. Nothing
 * is unpacked or started before its checksum is verified.
 */
export async function takePrebuilt(
  name,
  tool,
  {
    host = downloadHost(),
    limits = LIMITS,
    folder = path.join(localTools, 'bin'),
    system = `${process.platform}-${process.arch}`,
  } = {},
) {
  const wanted = tool.sha256[system];
  if (!wanted) return `no checksum of one for ${system} is written down in scripts/tools.json`;
  let archive;
  try {
    archive = await download(archiveUrl(tool, system, host), limits);
  } catch (error) {
    return error.message;
  }
  const found = sha256(archive);
  if (found !== wanted) {
    return `what ${new URL(host).host} gave has the checksum ${found}, and scripts/tools.json says ${wanted}`;
  }
  const file = windows ? `${name}.exe` : name;
  const program = fileInTar(gunzipSync(archive), file);
  if (!program) return `there is no ${file} in the archive`;
  mkdirSync(folder, { recursive: true });
  const [place, draft] = [path.join(folder, file), path.join(folder, `.${process.pid}-${file}`)];
  writeFileSync(draft, program);
  chmodSync(draft, 0o755);
  if (!ask(draft, ['--version'])?.includes(tool.version)) {
    rmSync(draft, { force: true });
    return 'the released program does not start here';
  }
  renameSync(draft, place);
  return undefined;
}
