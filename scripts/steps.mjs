import { reasonFiles } from '../web/reasons.js';

// What CI does, one row a step. Each command does the same when it is typed by hand, from the root of the repository.
//   lane    the steps of a lane run one after the other, the two lanes side by side, for CI has two cores
//   sets    `check`: the quick loop; `test`: `npm test`; any other word: the part of `npm run nightly` that the step is in
//   reads   groups of files, below: while they are unchanged since the step passed, it need not run again outside CI
//   after   a step that must have passed before (more than one: `+` between)
const TABLE = `
lane | sets       | name                          | reads        | after                       | command
-- static checks: they fail fastest, so they come first
core | check test | format of Rust                | core         |                             | cargo fmt --all --check
core | check test | format of the packer          | scripts      |                             | cargo fmt --manifest-path scripts/pack/Cargo.toml --check
page | check test | tests of the scripts          | all          |                             | node scripts/suite.mjs tooling
page | check test | import directions             | core page    |                             | node scripts/check-imports.mjs
page | check test | lengths of files              | all          |                             | node scripts/check-sizes.mjs
page | check test | machines page                 | all          |                             | node scripts/machines.mjs --check
page | check test | policies                      | all          |                             | node scripts/policy.mjs
page | check test | pictures of the manual        | all          |                             | node scripts/manual-pictures.mjs --check
page | check test | format                        | all          |                             | prettier --check --cache --cache-location .cache/prettier .
core | check      | clippy                        | core         |                             | cargo clippy --quiet --workspace --all-targets --profile ci --features sim-core/schema -- -D warnings
-- the core: check compiles it in the profile that is ready first, test with every check at run time and clippy's warnings
core | check      | Rust unit tests               | core         |                             | node scripts/suite.mjs rust-units
core | test       | Rust build with clippy        | core         |                             | node scripts/suite.mjs rust-build
core | test       | Rust tests                    | core         | Rust build with clippy      | node scripts/suite.mjs rust
core | test       | claims whose inputs changed   | core         |                             | node scripts/claims.mjs --changed
core | test       | traces, by another reader     | core scripts | Rust tests                  | node scripts/check-traces.mjs
-- the page: check takes the WebAssembly package that is there
page | test       | page build                    | always       |                             | node scripts/build.mjs
page | check      | unit tests of what changed    | page package |                             | node scripts/suite.mjs units --changed
page | test       | unit tests of the page        | page package |                             | node scripts/suite.mjs units
page | test       | browser tests                 | all          | page build                  | node scripts/suite.mjs browser
-- both
core | test       | digests, native = WebAssembly | core scripts | Rust tests + page build     | node scripts/digests.mjs --no-build
core | test       | Python package                | core scripts | Rust tests                  | node scripts/suite.mjs python
core | test       | README and manual             | all          | Rust tests + page build     | node scripts/manual.mjs --check
-- of the page, but in the lane that ends sooner: beside the browser tests
core | check test | lint                          | linted       |                             | eslint --cache --cache-location .cache/eslint/ --max-warnings 0 .
core | check test | types of the page             | page package |                             | svelte-check --incremental --workspace web --tsconfig ./tsconfig.json --fail-on-warnings
core | check test | types of the browser tests    | page package e2e |                         | tsc --project e2e/tsconfig.json
core | check test | words of the page             | core page    |                             | node scripts/words.mjs --check
-- nightly: all of it each night and before a release, and one part in each CI run, by the number of the day
core | documentation | documentation of the code  | core         |                             | cargo doc --quiet --no-deps --workspace
page | engines    | Firefox and WebKitGTK         | all          |                             | node scripts/test-browsers.mjs --if-possible firefox webkit
page | notebooks  | notebooks, JupyterLab, marimo | all          |                             | node scripts/notebooks.mjs
page | release    | site and files as released    | all          |                             | node scripts/release.mjs --page
core | gallery    | gallery = command line        | all          |                             | node scripts/gallery.mjs
core | speed      | instructions per event        | core         |                             | node scripts/measure.mjs instructions
core | speed      | WebAssembly beside native     | core         |                             | node scripts/measure.mjs bench --quick
core | claims     | all claims anew               | core         |                             | node scripts/claims.mjs --check
core | rust       | longer Rust tests             | core         |                             | node scripts/suite.mjs rust-long
core | policies   | own policies                  | core         |                             | node scripts/suite.mjs policies
page | policies   | own policies in a browser     | all          |                             | node scripts/suite.mjs browser-policies
page | languages  | the page in a pseudo-language | all          |                             | node scripts/suite.mjs browser-long languages
page | lessons    | all lessons in a browser      | all          |                             | node scripts/suite.mjs browser-long lessons lesson-present
page | loads      | the largest files and links   | all          |                             | node scripts/suite.mjs browser-long loads
page | walks      | walks of edits and undo       | core page    |                             | node scripts/walks.mjs 1000
page | films      | films                         | all          |                             | node scripts/suite.mjs browser-long record
page | browser    | other longer browser tests    | all          |                             | node scripts/suite.mjs browser-long --others
`;

const texts = 'docs README.md ARCHITECTURE.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE';
const scripts = 'scripts package.json package-lock.json';
const core =
  'sim-core scenarios Cargo.toml Cargo.lock .cargo rust-toolchain.toml rustfmt.toml clippy.toml';
const page = `web public scenarios ${scripts} ${reasonFiles().join(' ')}`;
/** The core as the page's own checks see it, and two tables that its tests share with it. */
const built = 'web/src/sim/pkg sim-core/cli/tests/data sim-core/host/tests/data';
const rest = '.ci .github .githooks .prettierrc.json .prettierignore eslint.config.js deny.toml';

/** Files and folders of each word under `reads`. `always`: the command itself knows what is up to date. */
const GROUPS = {
  ...{ core, page, package: built, scripts, e2e: 'e2e' },
  linted: `${page} ${built} e2e docs sim-core/python eslint.config.js`,
  all: `${core} ${page} e2e ${texts} ${rest} CITATION.cff`,
  always: '',
};

const words = (text) => text.split(' ').filter(Boolean);

/** A row as `{ lane, sets, name, reads, after, command }`; `reads` are paths, or nothing if the step always runs. */
function stepOf(row) {
  const [lane, sets, name, reads, after, command] = row.split('|').map((cell) => cell.trim());
  const paths = words(reads).flatMap((group) => words(GROUPS[group]));
  return {
    ...{ lane, name, command, sets: words(sets), after: after.split(' + ').filter(Boolean) },
    reads: reads === 'always' ? null : [...new Set(paths)],
  };
}

export const steps = TABLE.trim()
  .split('\n')
  .filter((row) => !row.startsWith('--'))
  .slice(1)
  .map(stepOf);

/** The parts of the nightly run, in order. */
export const parts = [
  ...new Set(steps.flatMap(({ sets }) => sets).filter((set) => !['check', 'test'].includes(set))),
];

/** The steps of a set or part. */
export const stepsOf = (set) => steps.filter(({ sets }) => sets.includes(set));

const DAY_MS = 86_400_000;

/** The nightly part whose turn it is on a day: the days are numbered, so each part has its turn. */
export const partOf = (date) => parts[Math.floor(date.getTime() / DAY_MS) % parts.length];
