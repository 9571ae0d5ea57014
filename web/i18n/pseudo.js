// A language that nobody speaks: English with accents, longer by 40 %, in brackets. What is not in it on a page was never
// given to the translators, and what does not fit in it will not fit in another language.

const PLAIN = 'aceiklnorsuyzACEGILNORSUYZ';
const ACCENTED = 'áçéíķļñóŕšúýžÁÇÉĞÍĻÑÓŔŠÚÝŽ';

/** Names in braces and tags stay as they are. */
const HELD = /(\{[^{}]*\}|<\/?\d+\/?>)/;

const accented = (text) =>
  text
    .split(HELD)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part.replaceAll(/[a-zA-Z]/g, (letter) => {
            const at = PLAIN.indexOf(letter);
            return at < 0 ? letter : ACCENTED[at];
          }),
    )
    .join('');

/** What it is longer by. */
const padding = (length) => 'øø'.repeat(Math.ceil((length * 0.4) / 2));

/** A text in it. */
export function pseudo(text) {
  const [, before, body, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? [];
  return body ? `${before}[${accented(body)} ${padding(body.length)}]${after}` : text;
}

const letters = (item) =>
  typeof item === 'string'
    ? item.length
    : Array.isArray(item)
      ? item.reduce((sum, one) => sum + letters(one), 0)
      : 0;

const inside = (item) =>
  typeof item === 'string' ? accented(item) : Array.isArray(item) ? item.map(inside) : item;

/** An element of a compiled catalog in it: a text, or parts with the numbers of what stands between them. */
export function pseudoItem(item) {
  if (typeof item === 'string') return pseudo(item);
  if (!Array.isArray(item)) return item;
  return ['[', ...item.map(inside), ` ${padding(letters(item))}]`];
}
