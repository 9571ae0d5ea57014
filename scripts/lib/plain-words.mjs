// How long the sentences of a text are: the words of a sentence in Markdown, whatever it stands in.
import MarkdownIt from 'markdown-it';

const md = new MarkdownIt({ html: true });

/** The sentences of a text in Markdown: of paragraphs, items of lists and cells of tables. Programs have none. */
export function sentences(text) {
  return md
    .parse(text, {})
    .filter(({ type }) => type === 'inline')
    .flatMap(({ children }) => {
      const line = children
        // A name in code counts as one word, whatever stands in it.
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

/** Sentences with more words than allowed. A colon or a semicolon ends none. */
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
