// Measures the length of sentences in Markdown texts.
import MarkdownIt from 'markdown-it';

const md = new MarkdownIt({ html: true });

/** The sentences of a text in Markdown: in paragraphs, items of lists and cells of tables. Code has none. */
export function sentences(text) {
  return md
    .parse(text, {})
    .filter(({ type }) => type === 'inline')
    .flatMap(({ children }) => {
      const line = children
        // A name in code counts as one word, whatever it contains.
        .map((t) =>
          t.type === 'code_inline'
            ? 'code'
            : t.type === 'softbreak'
              ? ' '
              : t.type === 'text'
                ? t.content
                : '',
        )
        .join('');
      return line.split(/(?<=[.!?:;])\s+(?=\S)/);
    });
}

/** Sentences with more words than allowed. A colon or a semicolon does not end a sentence. */
export function longSentences(text, limit) {
  const whole = [];
  for (const part of sentences(text)) {
    const last = whole.at(-1);
    if (last !== undefined && /[:;]$/.test(last)) whole[whole.length - 1] = `${last} ${part}`;
    else whole.push(part);
  }
  return whole.filter(
    (sentence) => sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length > limit,
  );
}
