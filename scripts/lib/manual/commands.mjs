// Commands in the texts, and the part of the manual that the program writes.
import { readFileSync } from 'node:fs';
import { inRoot } from '../paths.mjs';
import { run } from '../run.mjs';

const read = (file) => readFileSync(inRoot(file), 'utf8');

/** Lines of the blocks of a text in one language. */
export const blocks = (text, language) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block]) => block,
  );

/** The commands of a text: lines of its `sh` blocks without comments. */
export const commandsIn = (text) =>
  blocks(text, 'sh').flatMap((block) =>
    block
      .split('\n')
      .map((line) => line.replace(/\s+#.*$/, '').trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );

const PROGRAM = /^(?:cargo run --release -p timeslice --|timeslice) /;

/** Commands that other tests cover: `npm test` runs these suites, and the browser tests rely on `npm start`. */
const ELSEWHERE = /^(?:npm (?:start|test)|pip install '\.\/sim-core\/python\[[\w,]+\]')$/;

/** The command of a line as arguments of the program; null if another test covers it, undefined if none does. */
export function argumentsOf(line) {
  if (ELSEWHERE.test(line)) return null;
  if (!PROGRAM.test(line)) return undefined;
  return line.replace(PROGRAM, '').split(/\s+/);
}

/** Names of the program's commands, and of subcommands, from the help. */
function named(help) {
  const list = /^Commands:\n((?: {2}.*\n)+)/m.exec(help)?.[1] ?? '';
  return [...list.matchAll(/^ {2}(\w+) {2,}/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'help');
}

/** Help of the program and of each command, as Markdown. `ask` returns the output for arguments. */
export async function helpText(ask) {
  const sections = [];
  const tell = async (words) => {
    const help = (await ask([...words, '--help'])).trimEnd();
    const below = named(`${help}\n`);
    if (words.length > 0 && below.length === 0)
      sections.push(`### timeslice ${words.join(' ')}\n\n\`\`\`text\n${help}\n\`\`\``);
    for (const name of below) await tell([...words, name]);
  };
  await tell([]);
  return sections.join('\n\n');
}

const BEGIN = /(<!-- help: [^\n]* -->\n)[\s\S]*?(<!-- end of help -->)/;

/** The command-line page with the help inserted. */
export const withHelp = (page, help) =>
  page.replace(BEGIN, (_, begin, end) => `${begin}\n${help}\n\n${end}`);

/** Runs every command of README and manual that the program can run; `{ passed, problems }`. */
export async function tryCommands(command, folder) {
  const problems = [];
  let passed = 0;
  const lines = [
    'README.md',
    ...['trust', 'scenario', 'why', 'command-line'].map((name) => `docs/manual/${name}.md`),
  ].flatMap((file) => commandsIn(read(file)).map((line) => ({ file, line })));
  const seen = new Map();
  for (const { file, line } of lines) {
    const args = argumentsOf(line);
    if (args === null) continue;
    if (args === undefined) {
      problems.push(`${file}: nothing proves that this works: ${line}`);
      continue;
    }
    const key = args.join(' ');
    // With all seeds, claims take a minute; another suite checks that they hold.
    const short = args[0] === 'claims' ? ['--seeds', '1', '--seconds', '5s'] : [];
    if (!seen.has(key)) seen.set(key, await run([...command(...args), ...short], { cwd: folder }));
    const { code, output } = seen.get(key);
    if (code === 0 || (args[0] === 'claims' && code === 1)) passed += 1;
    else problems.push(`${file}: ${line}\n${output.trim().split('\n').slice(-4).join('\n')}`);
  }
  return { passed, problems };
}
