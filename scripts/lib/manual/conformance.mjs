// The accessibility conformance report: docs/accessibility/openacr.yaml as tables, and its required content.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { inRoot } from '../paths.mjs';

/** The criteria of WCAG 2.2 by number and name, without 4.1.1 (Parsing), which was removed. */
export const CRITERIA = {
  a: {
    '1.1.1': 'Non-text Content',
    '1.2.1': 'Audio-only and Video-only (Prerecorded)',
    '1.2.2': 'Captions (Prerecorded)',
    '1.2.3': 'Audio Description or Media Alternative (Prerecorded)',
    '1.3.1': 'Info and Relationships',
    '1.3.2': 'Meaningful Sequence',
    '1.3.3': 'Sensory Characteristics',
    '1.4.1': 'Use of Color',
    '1.4.2': 'Audio Control',
    '2.1.1': 'Keyboard',
    '2.1.2': 'No Keyboard Trap',
    '2.1.4': 'Character Key Shortcuts',
    '2.2.1': 'Timing Adjustable',
    '2.2.2': 'Pause, Stop, Hide',
    '2.3.1': 'Three Flashes or Below Threshold',
    '2.4.1': 'Bypass Blocks',
    '2.4.2': 'Page Titled',
    '2.4.3': 'Focus Order',
    '2.4.4': 'Link Purpose (In Context)',
    '2.5.1': 'Pointer Gestures',
    '2.5.2': 'Pointer Cancellation',
    '2.5.3': 'Label in Name',
    '2.5.4': 'Motion Actuation',
    '3.1.1': 'Language of Page',
    '3.2.1': 'On Focus',
    '3.2.2': 'On Input',
    '3.2.6': 'Consistent Help',
    '3.3.1': 'Error Identification',
    '3.3.2': 'Labels or Instructions',
    '3.3.7': 'Redundant Entry',
    '4.1.2': 'Name, Role, Value',
  },
  aa: {
    '1.2.4': 'Captions (Live)',
    '1.2.5': 'Audio Description (Prerecorded)',
    '1.3.4': 'Orientation',
    '1.3.5': 'Identify Input Purpose',
    '1.4.3': 'Contrast (Minimum)',
    '1.4.4': 'Resize Text',
    '1.4.5': 'Images of Text',
    '1.4.10': 'Reflow',
    '1.4.11': 'Non-text Contrast',
    '1.4.12': 'Text Spacing',
    '1.4.13': 'Content on Hover or Focus',
    '2.4.5': 'Multiple Ways',
    '2.4.6': 'Headings and Labels',
    '2.4.7': 'Focus Visible',
    '2.4.11': 'Focus Not Obscured (Minimum)',
    '2.5.7': 'Dragging Movements',
    '2.5.8': 'Target Size (Minimum)',
    '3.1.2': 'Language of Parts',
    '3.2.3': 'Consistent Navigation',
    '3.2.4': 'Consistent Identification',
    '3.3.3': 'Error Suggestion',
    '3.3.4': 'Error Prevention (Legal, Financial, Data)',
    '3.3.8': 'Accessible Authentication (Minimum)',
    '4.1.3': 'Status Messages',
  },
};

/** Words for the format's levels. */
export const LEVELS = {
  supports: 'Supports',
  'partially-supports': 'Partially supports',
  'does-not-support': 'Does not support',
  'not-applicable': 'Not applicable',
};

export const readReport = () =>
  parse(readFileSync(inRoot('docs', 'accessibility', 'openacr.yaml'), 'utf8'));

const chapter = (report, level) => report.chapters[`success_criteria_level_${level}`];

/** The rows of one level, or the number of criteria with each level. */
export function conformanceTables(table, level) {
  const report = readReport();
  const all = ['a', 'aa'].map((name) => chapter(report, name).criteria);
  if (level === 'summary') {
    const count = (criteria, name) =>
      criteria.filter(({ components: [c] }) => c.adherence.level === name).length;
    const rows = Object.entries(LEVELS).map(([id, name]) => [
      name,
      ...all.map((c) => count(c, id)),
    ]);
    return table(['', 'Level A', 'Level AA'], rows);
  }
  return table(
    ['Criterion', 'Conformance', 'What was tested, and what is not met'],
    chapter(report, level).criteria.map(({ num, components: [{ adherence }] }) => [
      `${num} ${CRITERIA[level][num]}`,
      LEVELS[adherence.level],
      adherence.notes,
    ]),
  );
}

/** The problems of a report, as sentences. */
export function reportProblems(report) {
  const problems = [];
  for (const field of [
    'title',
    'product',
    'author',
    'report_date',
    'evaluation_methods_used',
    'catalog',
  ])
    if (!report[field]) problems.push(`there is no ${field}`);
  for (const [level, names] of Object.entries(CRITERIA)) {
    const found = chapter(report, level)?.criteria ?? [];
    const numbers = found.map(({ num }) => num);
    if (JSON.stringify(numbers) !== JSON.stringify(Object.keys(names)))
      problems.push(`level ${level} has other criteria than WCAG 2.2, or in another order`);
    for (const { num, components } of found) {
      const [{ name, adherence } = {}] = components ?? [];
      if (name !== 'web' || components.length !== 1)
        problems.push(`${num}: is about the web alone`);
      if (!Object.hasOwn(LEVELS, adherence?.level))
        problems.push(`${num}: ${adherence?.level} is no level`);
      if (!adherence?.notes) problems.push(`${num}: says nothing of what was tested`);
    }
  }
  return problems;
}
