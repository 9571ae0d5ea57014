// Seeded mistakes, one for each guard: a line of a file, what it becomes, and the command that must notice it. The command is
// a part of the named step of scripts/steps.mjs, so that it ends sooner.
//   guard    what is tried; the name on the command line
//   file, from, to    the text `from`, which the file has once, becomes `to`
//   step     the step that must notice it; it says whether the short set or a nightly part does
//   command  the part of that step; `prepare`: commands before it, which must succeed; `env`: of all of them
//   says     what the output must contain. A failed test must be told, for a mistake that does not compile proves nothing

import { testedProgram } from './native.mjs';

/** The tests as `npm test` compiles them, so that nothing is compiled twice. */
const TESTS = 'node scripts/suite.mjs rust';
const runs = (filter) => `${TESTS} --test schedulers -- ${filter}`;
const whole = (filter) => `${TESTS} --test it -- ${filter}`;
const unit = (file) => `vitest run --config web/vite.config.js ${file}`;

const ENGLISH = ['vite build --config web/vite.config.js'];
/** Browser tests, against a page that is built with the mistake in it. */
const browser = (file, name) => ({
  step: 'browser tests',
  prepare: ENGLISH,
  command: `playwright test --config e2e/playwright.config.ts --retries 0 /${file}.spec.ts --grep ${name.replaceAll(' ', '.')}`,
  says: /^ *\d+ failed$/m,
});

const rust = { step: 'Rust tests', says: /^test result: FAILED/m };
const units = { step: 'unit tests of the page', says: /^ *FAIL /m };

const BFS = 'sim-core/schedulers/src/bfs';

export const mutations = [
  // Static checks.
  {
    guard: 'format-rust',
    file: `${BFS}/deadline.rs`,
    from: 'let weighed = self.ratio(nice) * self.rr_interval;',
    to: 'let weighed   = self.ratio(nice) * self.rr_interval;',
    step: 'format of Rust',
    command: 'cargo fmt --all --check',
  },
  {
    guard: 'clippy',
    file: `${BFS}/deadline.rs`,
    from: 'let weighed = self.ratio(nice) * self.rr_interval;',
    to: 'let weighed = (self.ratio(nice) as f64 * 1.0) as u64 * self.rr_interval;',
    step: 'Rust build with clippy',
    command: 'node scripts/suite.mjs rust-build',
    says: /float_arithmetic|floating-point/,
  },
  {
    guard: 'imports',
    file: 'web/src/view/machine/sights.ts',
    from: "import { clock } from '../../lib/format';",
    to: "import { clock } from '../../lib/format';\nimport '../../sim/client';",
    step: 'import directions',
    command: 'node scripts/check-imports.mjs',
  },
  {
    guard: 'rooms of the engine',
    file: 'sim-core/engine/src/hardware/heat.rs',
    from: 'use super::Hardware;',
    to: 'use super::Hardware;\nuse crate::kernel::TaskState;',
    step: 'import directions',
    command: 'node scripts/check-imports.mjs',
  },
  {
    guard: 'types',
    file: 'web/src/lib/amount.ts',
    from: "if (size >= 0.9995 * MS) return amount(three(ns / MS), 'ms');",
    to: 'if (size >= 0.9995 * MS) return amount(three(ns / MS), 5);',
    step: 'types of the page',
    command:
      'svelte-check --incremental --workspace web --tsconfig ./tsconfig.json --fail-on-warnings',
  },
  {
    guard: 'lint',
    file: 'web/src/lib/amount.ts',
    from: 'const size = Math.abs(ns);',
    to: 'let size = Math.abs(ns);',
    step: 'lint',
    command: 'eslint --max-warnings 0 web/src/lib/amount.ts',
  },
  {
    guard: 'words',
    file: 'web/src/view/shell/Changed.svelte',
    from: 'aria-label="Changes"',
    to: 'aria-label="All of the changes"',
    step: 'words of the page',
    command: 'node scripts/words.mjs --check',
  },
  {
    guard: 'links-of-documents',
    file: 'README.md',
    from: '](docs/manual/laboratory.md)',
    to: '](docs/manual/laboratories.md)',
    step: 'tests of the scripts',
    command: 'node --test scripts/tests/docs.test.mjs',
  },
  {
    guard: 'commands-of-documents',
    file: 'README.md',
    from: 'decisions bfs-smt --thread dhry-2 --until 0.5s',
    to: 'decisions bfs-smt --thred dhry-2 --until 0.5s',
    step: 'README and manual',
    command: 'node scripts/manual.mjs --check',
    says: /thred/,
  },
  // The core.
  {
    guard: 'digest',
    ...rust,
    file: `${BFS}/deadline.rs`,
    from: '(weighed * self.hz / (1_000 * self.era.ratios[0])).max(1)',
    to: '(weighed * self.hz / (1_000 * self.era.ratios[0])).max(1) + 1',
    command: runs('determinism'),
  },
  {
    guard: 'conformance',
    ...rust,
    file: 'sim-core/schedulers/src/ule/interact.rs',
    from: 'if interact <= HALF && h.run >= h.sleep {',
    to: 'if interact <= HALF && h.run > h.sleep {',
    command: runs('conformance'),
  },
  {
    guard: 'operands',
    ...rust,
    file: 'sim-core/schedulers/src/eevdf/schedule.rs',
    from: 'let why = self.explain_pick(cx, cpu, task, decided, told.map(|t| t[0]));',
    to: 'let why = self.explain_pick(cx, cpu, task, last, told.map(|t| t[0]));',
    command: runs('operands'),
  },
  {
    guard: 'situations',
    ...rust,
    file: `${BFS}/mod.rs`,
    from: '_ => st.try_preempt(cx, task),',
    to: '_ => Answer { value: None, ..st.try_preempt(cx, task) },',
    command: runs('every_scheduler'),
  },
  {
    guard: 'parity',
    ...rust,
    file: `${BFS}/mod.rs`,
    from: 'st.counters.schedules += n;',
    to: 'st.counters.schedules += n + 1;',
    command: runs('parity'),
  },
  {
    guard: 'invariants',
    ...rust,
    file: 'sim-core/engine/src/kernel/task.rs',
    from: 'TaskState::Queued => self.account.wait_ns += span,',
    to: 'TaskState::Queued => self.account.wait_ns += span / 2,',
    command: runs('every_scheduler'),
    says: /add up to its age|wait/,
  },
  {
    guard: 'snapshots',
    ...rust,
    file: 'sim-core/contract/src/state_bytes.rs',
    from: 'postcard::from_bytes(bytes).ok()',
    to: 'postcard::from_bytes(bytes.get(1..)?).ok()',
    command: runs('snapshots'),
  },
  {
    guard: 'bounds',
    ...rust,
    file: 'sim-core/ground/src/bounds.rs',
    from: 'NICE = "groups.nice", -20, 20, "";',
    to: 'NICE = "groups.nice", -20, 19, "";',
    command: `${TESTS} --test generate --test it`,
  },
  {
    guard: 'generated-files',
    ...rust,
    file: 'scenarios/schema.json',
    from: '"$schema": "https://json-schema.org/draft/2020-12/schema",',
    to: '"$schema": "https://json-schema.org/draft/2019-09/schema",',
    command: `${TESTS} --test generate`,
  },
  {
    guard: 'measures',
    ...rust,
    file: 'sim-core/metrics/src/fairness.rs',
    from: 'sum * sum / (real(times.len() as u64) * squares)',
    to: 'sum / (real(times.len() as u64) * squares)',
    command: 'cargo test --profile ci -p sim-metrics --lib',
  },
  {
    guard: 'machines',
    ...rust,
    file: 'scenarios/machines/i7860.json',
    from: '"count": 4,',
    to: '"count": 3,',
    command: runs('determinism'),
  },
  {
    guard: 'lessons',
    ...rust,
    file: 'sim-core/metrics/src/migrations.rs',
    from: 'value: |t| t.sum(|a| a.migrations),',
    to: 'value: |t| t.sum(|a| a.migrations) + 1.0,',
    command: whole('lessons'),
  },
  {
    guard: 'fuzzed-inputs',
    ...rust,
    file: 'sim-core/config/src/validate.rs',
    from: 'if json.len() > MAX_TEXT {',
    to: 'assert!(json.len() % 7 != 3, "a seeded panic"); if json.len() > MAX_TEXT {',
    command: whole('fuzz_corpus'),
  },
  {
    guard: 'claims',
    file: 'scenarios/claims/s3.json',
    from: '"id": "S3-before"',
    to: '"id": "S3-earlier"',
    step: 'claims whose inputs changed',
    command: 'node scripts/claims.mjs --changed',
  },
  {
    guard: 'traces',
    file: 'sim-core/src/export/ftrace.rs',
    from: 'next_comm={} next_pid={} next_prio={}',
    to: 'next_comm={} next_prio={} next_pid={}',
    step: 'traces, by another reader',
    prepare: ['node scripts/suite.mjs rust-build --bins'],
    command: 'node scripts/check-traces.mjs',
    env: { TIMESLICE_PROGRAM: testedProgram() },
  },
  {
    guard: 'python',
    file: 'sim-core/python/timeslice/report.py',
    from: 'def metrics(self)',
    to: 'def measures(self)',
    step: 'Python package',
    command: 'node scripts/suite.mjs python',
  },
  // The page.
  {
    guard: 'links',
    ...units,
    file: 'web/src/sim/property/value.ts',
    from: "['us', US],",
    to: "['us', MS],",
    command: unit('link/properties.test.ts'),
  },
  {
    guard: 'numbers',
    ...units,
    file: 'web/src/lib/amount.ts',
    from: "return amount(three(ns / MS), 'ms');",
    to: "return amount(three(ns / US), 'ms');",
    command: unit('state/answer'),
  },
  {
    guard: 'captions',
    ...units,
    file: 'web/src/view/machine/say-line.ts',
    from: 'return `${here} steals ${name} from ${there}`;',
    to: 'return `${there} steals ${name} from ${here}`;',
    command: unit('view/machine'),
  },
  {
    guard: 'access',
    file: 'web/src/view/transport/Scrubber.svelte',
    from: 'aria-label="Time"',
    to: '',
    ...browser('access', 'axe finds nothing in the laboratory'),
    says: /"label: /,
  },
  {
    guard: 'size-of-text',
    file: 'web/src/styles/tokens.css',
    from: '--small: 20px;',
    to: '--small: 9px;',
    ...browser('last-row', 'a presentation can be read from the last row'),
  },
  {
    guard: 'embed',
    file: 'web/src/browser/parent-page.ts',
    from: 'if (source !== around || !port',
    to: 'if (!port',
    ...browser('embed', 'only the page around connects'),
  },
  {
    guard: 'policy-of-the-page',
    file: 'web/csp.js',
    from: "'script-src': [\"'self'\", \"'wasm-unsafe-eval'\"],",
    to: "'script-src': [\"'self'\", \"'wasm-unsafe-eval'\", \"'unsafe-inline'\"],",
    ...browser('safety', 'a missing part is reported'),
  },
  {
    guard: 'faults',
    file: 'web/src/sim/client.ts',
    from: "else this.#fail({ kind: 'silence', message: `no answer for ${String(ms / 1000)} s` });",
    to: 'else this.#part = 0;',
    ...browser('faults', 'a core that breaks or hangs is reported'),
  },
  {
    guard: 'pictures',
    file: 'web/src/lib/thread-hues.ts',
    from: 'if (this.areOwn) tasks[task] = own(i + 1);',
    to: 'if (this.areOwn) tasks[task] = own(i + 2);',
    ...browser('pictures', 'machines and shares are painted as before'),
  },
  {
    guard: 'offline',
    file: 'web/vite.config.js',
    from: "globPatterns: ['**/*'],",
    to: "globPatterns: ['**/*.html'],",
    step: 'page build',
    command: 'node scripts/build.mjs',
    says: /Not kept for use without a network/,
  },
  // Nightly.
  {
    guard: 'documentation-of-the-code',
    file: `${BFS}/mod.rs`,
    from: '//! | `check_preempt` |',
    to: '//! | [`check_preempt_of_nobody`] |',
    step: 'documentation of the code',
    command: 'cargo doc --quiet --no-deps -p sim-schedulers',
  },
];
