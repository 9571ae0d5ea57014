// The parts of a release. Each function writes its part into the folder of the release and resolves to its file name.
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Failure } from './log.mjs';
import { buildReleased } from './native.mjs';
import { NOTICES, linkedInto, noticesText } from './notices.mjs';
import { dist, inRoot, root, singleFile, windows } from './paths.mjs';
import { sha256 } from './checksum.mjs';
import { run } from './run.mjs';
import { inTools } from './setup-release.mjs';
import { filesUnder } from './stamp.mjs';

/** Packs a folder, below one folder of that name, so that the same files give the same bytes. */
async function pack(folder, name, { out, date }) {
  const { create } = await import('tar');
  const files = filesUnder([path.relative(root, folder)]).map((file) =>
    path.relative(folder, inRoot(file)),
  );
  await create(
    {
      ...{ file: path.join(out, `${name}.tar.gz`), cwd: folder, prefix: name },
      ...{ gzip: { level: 9 }, portable: true, mtime: new Date(date) },
    },
    files,
  );
  return `${name}.tar.gz`;
}

/** A folder for the duration of `work`, inside the repository's cache so that paths stay relative. */
async function inScratch(work) {
  const scratch = inRoot('.cache', 'release');
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  try {
    return await work(scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The built page as an archive: unpacked into any folder of a static host, it is the site. */
export const site = (release) =>
  inScratch((scratch) => {
    for (const file of filesUnder(['dist'], (name) => name === 'dist/python')) {
      const to = path.join(scratch, file.slice('dist/'.length));
      mkdirSync(path.dirname(to), { recursive: true });
      copyFileSync(inRoot(file), to);
    }
    return pack(scratch, `timeslice-${release.version}-site`, release);
  });

/** The page as one file, in a language. */
export function oneFile({ version, out }, locale = 'en') {
  const name =
    locale === 'en' ? `timeslice-${version}.html` : `timeslice-${version}-${locale}.html`;
  copyFileSync(path.join(dist, singleFile(locale)), path.join(out, name));
  return name;
}

/** The accessibility conformance report (OpenACR). */
export function accessibility({ version, out }) {
  const name = `timeslice-${version}-openacr.yaml`;
  copyFileSync(inRoot('docs', 'accessibility', 'openacr.yaml'), path.join(out, name));
  return name;
}

/** The command line for this platform, with its licence and the notices of its components. */
export async function commandLine(release) {
  const { version, host } = release;
  const program = await buildReleased('timeslice');
  return inScratch((scratch) => {
    const to = path.join(scratch, windows ? 'timeslice.exe' : 'timeslice');
    copyFileSync(program, to);
    chmodSync(to, 0o755);
    copyFileSync(inRoot('LICENSE'), path.join(scratch, 'LICENSE'));
    const text = noticesText('Timeslice, the command line', linkedInto(['timeslice'], host));
    writeFileSync(path.join(scratch, NOTICES), text);
    return pack(scratch, `timeslice-${version}-${host}`, release);
  });
}

/** The Python package for this platform, and the page for its widget; resolves to the first one's name. */
export async function wheel({ out }) {
  const { code, output } = await run([process.execPath, 'scripts/python.mjs', '--wheel'], {
    show: true,
  });
  if (code !== 0) throw new Failure(`${output}\nThe wheel could not be built.`);
  const folder = path.join(dist, 'python');
  const names = readdirSync(folder).filter((file) => file.endsWith('.whl'));
  for (const name of names) renameSync(path.join(folder, name), path.join(out, name));
  // It is not part of the site.
  rmSync(folder, { recursive: true });
  return names.find((name) => name.startsWith('timeslice-'));
}

/** Crates whose components are listed, by the target that they are built for. */
const LISTED = {
  host: { timeslice: 'sim-core/cli', 'timeslice-python': 'sim-core/python' },
  'wasm32-unknown-unknown': { 'sim-wasm': 'sim-core/wasm', 'sim-policy': 'sim-core/policy' },
};

/** Writes a bill of materials without local paths. */
function writeBill({ out, version }, name, bill) {
  const text = JSON.stringify(bill, null, 2).replaceAll(`file://${root}`, 'file://.');
  if (text.includes(root)) throw new Failure(`The bill of materials of ${name} names ${root}.`);
  const file = `timeslice-${version}-${name}.cdx.json`;
  writeFileSync(path.join(out, file), `${text}\n`);
  return file;
}

/**
 * Bills of materials (CycloneDX) of the crates. The tool writes one beside every Cargo.toml; unwanted ones are
 * removed.
 */
async function crateBills(release) {
  const names = [];
  const left = 'timeslice-bill';
  for (const [target, packages] of Object.entries(LISTED)) {
    try {
      const { code, output } = await run(
        [
          ...[
            inTools('cargo-cyclonedx'),
            'cyclonedx',
            '-q',
            '--format',
            'json',
            '--spec-version',
            '1.5',
          ],
          ...['--no-build-deps', '--override-filename', left],
          ...['--target', target === 'host' ? release.host : target],
          ...['--manifest-path', inRoot('Cargo.toml')],
        ],
        { env: { SOURCE_DATE_EPOCH: String(new Date(release.date) / 1000) } },
      );
      if (code !== 0) throw new Failure(`${output}\ncargo-cyclonedx failed.`);
      for (const [name, folder] of Object.entries(packages)) {
        const bill = JSON.parse(readFileSync(inRoot(folder, `${left}.json`), 'utf8'));
        names.push(writeBill(release, name, bill));
      }
    } finally {
      for (const file of filesUnder(['sim-core'], (name) => name.endsWith('/target'))) {
        if (file.endsWith(`/${left}.json`)) rmSync(inRoot(file));
      }
    }
  }
  return names;
}

/** The bill of the npm packages: shipped ones, and (marked as development) build tools. */
async function npmBill(release) {
  const { code, output, stdout } = await run(['npm', 'sbom', '--sbom-format', 'cyclonedx'], {
    shell: windows,
  });
  if (code !== 0) throw new Failure(`${output}\nnpm sbom failed.`);
  const bill = JSON.parse(stdout);
  // npm uses the name of the folder.
  bill.metadata.component.name = 'timeslice';
  bill.metadata.component.type = 'application';
  bill.metadata.timestamp = new Date(release.date).toISOString();
  return writeBill(release, 'npm', bill);
}

export const bills = async (release) => [...(await crateBills(release)), await npmBill(release)];

/** Checksums of everything in the folder, in the form for sha256sum -c. */
export function checksums({ out }) {
  const lines = readdirSync(out)
    .sort()
    .map((name) => `${sha256(readFileSync(path.join(out, name)))}  ${name}\n`);
  writeFileSync(path.join(out, 'SHA256SUMS'), lines.join(''));
  return 'SHA256SUMS';
}

/** A folder outside of the repository for testing a part. */
export const elsewhere = (name) => mkdtempSync(path.join(tmpdir(), `timeslice-${name}-`));
