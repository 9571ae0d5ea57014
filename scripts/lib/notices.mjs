// Third-party notices: the components of a product of this repository, and their licences. Read from what is built:
// cargo's resolution for the core, the modules in a bundle for the page. Only facts that no tool gives are written
// down here: Rust's standard library, and the parts of the service worker.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './log.mjs';
import { inRoot, root } from './paths.mjs';
import { ask } from './run.mjs';

/** Name of the file in a site, a wheel and an archive. Python's tools treat files with this name as licences. */
export const NOTICES = 'NOTICES.txt';

const isTerms = (name) =>
  /^(licen[cs]es?|copying|copyright|notice|unlicense)([-._].*)?$/i.test(name);

/** A text in a form for comparison: the same licence often has other line breaks or endings. */
const plain = (text) => text.replaceAll(/\s+/g, ' ').trim();

/** Licence texts without those of a tool's own parts, which are not in the page. */
const own = (text) => text.replace(/^#+ Licenses of bundled dependencies[\s\S]*/m, '');

/** Licence files in a folder of sources; where there is a choice of licences, that of MIT. */
export function termsIn(folder, license) {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  const names = files
    .map(({ name }) => name)
    .filter(isTerms)
    .sort();
  const mit = names.filter((name) => /mit/i.test(name));
  const mayChoose = !/\bAND\b/.test(license) && mit.length > 0;
  return names
    .filter((name) => !mayChoose || mit.includes(name) || /^(notice|copyright)/i.test(name))
    .map((name) =>
      own(readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n')).trim(),
    );
}

/** An npm package in a folder of node_modules. */
export function npmComponent(folder) {
  const { name, version, license } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  );
  return { name, version, license, from: 'npm', texts: termsIn(folder, license) };
}

/** Whether a dependency is part of the product: not for tests, build scripts or the compiler. */
const isLinked = ({ dep_kinds: kinds }) => kinds.some(({ kind }) => kind === null);
const isMacro = ({ targets }) => targets.some(({ kind }) => kind.includes('proc-macro'));

/** What cargo resolves for a target, from its Cargo.lock. */
export function cargoMetadata(target) {
  const args = ['metadata', '--locked', '--format-version', '1', '--filter-platform', target];
  const text = ask('cargo', args, { maxBuffer: 1 << 28, timeout: 120_000 });
  if (text === undefined) throw new Failure(`cargo ${args.join(' ')} failed.`);
  return JSON.parse(text);
}

/** Third-party crates that are linked into the packages of those names. */
export function crates({ packages, resolve }, roots) {
  const byId = new Map(packages.map((entry) => [entry.id, entry]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const open = packages.filter(({ name, source }) => source === null && roots.includes(name));
  if (open.length !== roots.length) throw new Failure(`Not all of ${roots} are packages here.`);
  const found = new Set(open);
  for (let entry = open.pop(); entry; entry = open.pop()) {
    for (const dependency of nodes.get(entry.id).deps.filter(isLinked)) {
      const next = byId.get(dependency.pkg);
      if (found.has(next) || isMacro(next)) continue;
      found.add(next);
      open.push(next);
    }
  }
  return [...found].filter(({ source }) => source !== null);
}

const rustComponent = ({ name, version, license, manifest_path: manifest }) => ({
  name,
  version,
  license,
  from: 'crates.io',
  texts: termsIn(path.dirname(manifest), license),
});

/** Parts of Rust's standard library that are in no program for our systems. */
const ELSEWHERE =
  /^(cc|fortanix|getopts|hermit|moto|r-efi|rand|rustc-literal|shlex|vex|wasi|windows|wit-bindgen)/;

const unescaped = (html) =>
  html.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))).trim();

/** Rust's standard library and its parts, from the page that comes with the compiler. */
export function standardLibrary(html, mit, version) {
  const [own, ...parts] = html.split('<h3>📦 ');
  const holders = new Set([...own.matchAll(/<b>Copyright:<\/b> ([^<]*)/g)].map(([, who]) => who));
  const others = parts.map((part) => {
    const [, name, number] = /^(.*?)-(\d[^<]*)<\/h3>/.exec(part);
    const texts = [...part.matchAll(/<code>([^<]*)<\/code><\/summary>\s*<pre>([\s\S]*?)<\/pre>/g)];
    const chosen = texts.filter(([, file]) => /mit/i.test(file));
    return {
      name,
      version: number,
      license: /<b>License:<\/b> ([^<]*)/.exec(part)?.[1] ?? '',
      from: "Rust's standard library",
      texts: (chosen.length > 0 ? chosen : texts).map(([, , text]) => unescaped(text)),
    };
  });
  return [
    {
      name: 'Rust standard library',
      version,
      license: 'MIT OR Apache-2.0',
      from: 'rust-lang.org',
      texts: [`${[...holders].map((who) => `Copyright ${unescaped(who)}`).join('\n')}\n\n${mit}`],
    },
    ...others.filter(({ name }) => !ELSEWHERE.test(name)),
  ];
}

/** The same for the installed compiler. A distribution's compiler has no such page; then its name has to suffice. */
function installedLibrary() {
  const docs = path.join(ask('rustc', ['--print', 'sysroot']) ?? '', 'share', 'doc', 'rust');
  const version = /^rustc (\S+)/.exec(ask('rustc', ['--version']) ?? '')?.[1] ?? '';
  const [html, mit] = ['COPYRIGHT-library.html', path.join('licenses', 'MIT.txt')].map((name) =>
    path.join(docs, name),
  );
  if (!existsSync(html) || !existsSync(mit)) {
    const text = 'Copyright The Rust Project Developers (see https://thanks.rust-lang.org)';
    return [
      {
        name: 'Rust standard library',
        version,
        license: 'MIT OR Apache-2.0',
        from: 'rust-lang.org',
        texts: [text],
      },
    ];
  }
  return standardLibrary(readFileSync(html, 'utf8'), readFileSync(mit, 'utf8').trim(), version);
}

/** The text of the Apache licence, from one of the crates that also have another. */
function apacheTerms(linked) {
  const files = linked.map(({ manifest_path: manifest }) =>
    path.join(path.dirname(manifest), 'LICENSE-APACHE'),
  );
  const file = files.find((one) => existsSync(one));
  if (!file) throw new Failure('No crate has the text of the Apache licence.');
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
}

/** All third-party components that are linked into the Rust packages of those names. */
export function linkedInto(roots, target) {
  const linked = crates(cargoMetadata(target), roots);
  const components = linked.map(rustComponent);
  // Some crates are published without the text of their licence.
  const isBare = ({ license, texts }) => license === 'Apache-2.0' && texts.length === 0;
  const complete = components.map((one) =>
    isBare(one) ? { ...one, texts: [apacheTerms(linked)] } : one,
  );
  return [...complete, ...installedLibrary()];
}

/** A component without a licence file takes the whole text of another with the same licence. */
function completed(components) {
  return components.map((component) => {
    if (component.texts.length > 0) return component;
    const other = components.find(
      ({ license, texts }) => license === component.license && texts.length > 0,
    );
    if (!other) throw new Failure(`${component.name} (${component.license}) comes without terms.`);
    return { ...component, texts: other.texts };
  });
}

const rule = '='.repeat(80);
const titleOf = ({ name, version, license, from }) => `${name} ${version} (${license}), ${from}`;

/** The notices of a product: our own licence, its components, and every licence text once with all its components. */
export function noticesText(product, components) {
  const one = new Map(components.map((entry) => [`${entry.name} ${entry.version}`, entry]));
  const all = completed([...one.values()]).sort((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  const groups = new Map();
  for (const component of all) {
    for (const text of component.texts) {
      const group = groups.get(plain(text)) ?? { text, titles: [] };
      if (!group.titles.includes(titleOf(component))) group.titles.push(titleOf(component));
      groups.set(plain(text), group);
    }
  }
  const sections = [...groups.values()].map(
    ({ text, titles }) => `${rule}\n${titles.join('\n')}\n${rule}\n\n${text}\n`,
  );
  return [
    `${product}\n\n${readFileSync(path.join(root, 'LICENSE'), 'utf8').trim()}\n`,
    `It contains work of others, under their own terms:\n\n${all.map((entry) => `  ${titleOf(entry)}`).join('\n')}\n`,
    ...sections,
  ].join('\n');
}

/** Packages of a service worker by workbox, which is in none of our bundles. */
const WORKER_PACKAGES = [
  'workbox-core',
  'workbox-precaching',
  'workbox-routing',
  'workbox-strategies',
];

/** What it has besides where the page has own policies: it keeps few versions of them. */
const POLICY_PACKAGES = ['workbox-expiration'];

/** Parts of the manual's search, which is bundled separately. */
const MANUAL_PACKAGES = ['minisearch'];

/** Names of workbox packages in a service worker. */
export const workboxIn = (worker) =>
  [...worker.matchAll(/["'`]workbox:([a-z-]+):[\d.]+["'`]/g)].map(([, name]) => `workbox-${name}`);

/** Fails if the service worker of a built page has packages that its notices do not name. */
export function checkWorkerNotices(folder) {
  const text = readFileSync(path.join(folder, NOTICES), 'utf8');
  const packages = workboxIn(readFileSync(path.join(folder, 'sw.js'), 'utf8'));
  const missing = packages.filter((name) => !text.includes(`\n  ${name} `));
  if (packages.length === 0 || missing.length > 0) {
    throw new Failure(
      `${NOTICES} does not name what the service worker is made of: ${missing.join(', ') || 'nothing was found in it'}`,
    );
  }
}

/** The notices of the page: of linked packages, of its bundles, and of its service worker. */
export function pageNotices(npmFolders, hasPolicies = false) {
  const roots = hasPolicies ? ['sim-wasm', 'sim-policy'] : ['sim-wasm'];
  const rust = linkedInto(roots, 'wasm32-unknown-unknown');
  const policies = hasPolicies ? POLICY_PACKAGES : [];
  const worker = [...WORKER_PACKAGES, ...policies, ...MANUAL_PACKAGES].map((name) =>
    inRoot('node_modules', name),
  );
  // Bundlers add some code of their own: the loader of later modules.
  const bundlers = ['vite', 'rolldown'].map((name) => inRoot('node_modules', name));
  const npm = [...new Set([...npmFolders, ...worker, ...bundlers])].map(npmComponent);
  return noticesText('Timeslice, the page', [...rust, ...npm]);
}
