// A pseudo-language: English with accents, longer by 40 %, in brackets. Text on the page that is not in it was never
// given to translators, and text that does not fit will not fit in another language either.

const PLAIN = 'aceiklnorsuyzACEGILNORSUYZ';
const ACCENTED = 'áçéíķļñóŕšúýžÁÇÉĞÍĻÑÓŔŠÚÝŽ';

/** Names in braces and tags stay unchanged. */
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

/** The text that makes it longer. */
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

/** An element of a compiled catalog: a text, or parts with the numbers of the values between them. */
export function pseudoItem(item) {
  if (typeof item === 'string') return pseudo(item);
  if (!Array.isArray(item)) return item;
  return ['[', ...item.map(inside), ` ${padding(letters(item))}]`];
}
