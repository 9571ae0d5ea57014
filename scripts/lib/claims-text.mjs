// The claims as a page for people, and as data for the product's page.

const words = { holds: 'holds', fails: 'FAILS', unavailable: 'unavailable' };

/** Three places, as many as the bounds have; a bound or a value that is missing is a dash. */
const number = (x) => (x === null ? '–' : x.toFixed(3));

const row = (cells) => `| ${cells.join(' | ')} |\n`;

function section({ id, statement, source, since, measures, note }) {
  const rows = measures.map((m) =>
    row([
      m.name,
      number(m.value),
      number(m.expected),
      number(m.low),
      number(m.high),
      words[m.verdict],
    ]),
  );
  return `
## ${id}: ${statement}

${source}. Evaluated since ${since}.

| Measure | Value | Expected | Holds from | to | |
|---|---|---|---|---|---|
${rows.join('')}${note === '' ? '' : `\n${note}.\n`}`;
}

/** docs/claims.md. */
export function markdown(claims) {
  const rows = claims.map((c) => row([c.id, words[c.verdict], c.statement, c.acceptance]));
  const missing = claims.filter((c) => c.measures.length === 0);
  return `# Published claims

Written by \`npm run claims\`; do not edit. Where a run depends on chance, a number is the mean over 5 seeds; runs without
an end of their own take 60 simulated seconds.

| Claim | Verdict | Statement | Holds if |
|---|---|---|---|
${rows.join('')}${claims
    .filter((c) => c.measures.length > 0)
    .map(section)
    .join('')}
## Not available yet

${missing.map((c) => `- ${c.id}: ${c.note}`).join('\n')}
`;
}

/** scenarios/verdicts.json: what the page shows before anybody pressed Run, with all digits. */
export function verdicts(claims) {
  return `${JSON.stringify(claims, null, 1)}\n`;
}
