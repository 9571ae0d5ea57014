// The claims as a page for people, and as data for the page.
import { isDeepStrictEqual } from 'node:util';

const words = {
  holds: 'holds',
  fails: 'FAILS',
  undecided: 'undecided',
  unavailable: 'unavailable',
};

/** At most four decimals; a missing number is a dash. */
const number = (x) => (x === null || x === undefined ? '–' : String(Number(x.toPrecision(4))));
const percent = (x) => (x === null ? '–' : `${(100 * x).toFixed(1)} %`);

const row = (cells) => `| ${cells.join(' | ')} |\n`;

function section({ id, statement, source, measures, bounds, found, note, control }) {
  const rows = measures.map((m) =>
    row([
      m.name,
      m.half ? `${number(m.value)} ± ${number(m.half)}` : number(m.value),
      number(m.published),
      m.text,
      words[m.verdict],
    ]),
  );
  const reasons = [...new Set(bounds.map((b) => b.reason))].filter(Boolean);
  const paragraphs = [
    found,
    note,
    reasons.length > 0 ? `Why these bounds: ${reasons.join(' ')}` : '',
    control
      ? `Control, which must ${control.expects === 'holds' ? 'hold' : 'not hold'}: ${control.what}`
      : '',
  ].filter(Boolean);
  return `
## ${id}: ${statement}

${source}.

| Measure | Value | Published | Holds | |
|---|---|---|---|---|
${rows.join('')}
${paragraphs.join('\n\n')}
`;
}

/** docs/claims.md. */
export function markdown({ seeds, seconds, claims, numbers, meanErrors }) {
  const rows = claims.map((c) => row([c.id, words[c.verdict], c.statement, c.acceptance]));
  const errors = Object.entries(meanErrors).map(([source, error]) => {
    const of = numbers.filter((n) => n.source === source && n.relativeError !== null);
    return row([source, String(of.length), percent(error)]);
  });
  return `# Published claims

Written by \`npm run claims\`; do not edit. Where a run depends on chance, a number is the mean over ${seeds} seeds with half of
its 95 % confidence interval; runs without an end of their own take ${seconds} simulated seconds.

| Claim | Verdict | Statement | Holds if |
|---|---|---|---|
${rows.join('')}
How far the simulated numbers are from the published ones, on average:

| Source | Numbers | Mean absolute relative error |
|---|---|---|
${errors.join('')}${claims.map(section).join('')}`;
}

/** scenarios/verdicts.json: the page shows this, with all digits, before the reader runs anything. */
export const verdicts = (now) => `${JSON.stringify(now, null, 1)}\n`;

/** scenarios/verdicts.lock.json: the inputs of each verdict. */
export const lock = (everything, claims) => `${JSON.stringify({ everything, claims }, null, 1)}\n`;

/** The claims in which two lists differ, in words. */
export function compare(before, now) {
  const old = new Map(before.map((c) => [c.id, c]));
  const differences = [];
  for (const claim of now) {
    const was = old.get(claim.id);
    old.delete(claim.id);
    if (!was) differences.push(`${claim.id}: is new`);
    else if (was.verdict !== claim.verdict) {
      differences.push(`${claim.id}: ${was.verdict} before, ${claim.verdict} now. ${claim.found}`);
    } else if (!isDeepStrictEqual(was, claim)) {
      const values = claim.measures.filter((m, i) => !isDeepStrictEqual(m, was.measures[i]));
      const what = values.length > 0 ? values.slice(0, 3).map((m) => m.name) : ['its words'];
      differences.push(`${claim.id}: differs in ${what.join('; ')}`);
    }
  }
  return [...differences, ...[...old.keys()].map((id) => `${id}: is no more`)];
}
