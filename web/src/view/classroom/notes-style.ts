/** Styles of the notes, for the second window, which has no style sheets of the page. */
export const NOTES_STYLE = `
  .notes { max-width: 46em; margin: 0 auto; padding: 20px 24px; font: 20px/1.45 Inter, system-ui, sans-serif;
    color: var(--ink, #1c1b19); background: var(--paper, #fcfbf9); }
  .notes * { margin: 0; padding: 0; }
  .notes h2 { margin: 16px 0 4px; font: 600 22px/1.3 'Source Serif 4', Georgia, serif; }
  .notes ol { padding-left: 1.4em; }
  .notes li { margin-bottom: 6px; }
  .notes .now { font-weight: 600; }
  .notes .where { color: var(--muted, #5c5851); }
`;
