// The texts of each file as the build met them, by their places in the file's list. So a text that no catalog has yet is
// said in English. The configuration of wuchale and the plugin are loaded apart, so they meet here.

/** Texts by file and place. */
export const texts = (globalThis[Symbol.for('timeslice.texts')] ??= new Map());

/** What a text is known by. */
export const keyOf = (english, context) => `${english}\n${context ?? ''}`.trim();

/** Remembers what a file says. */
export async function remembering(transform, file) {
  const found = await transform(file);
  const list = [];
  for (const { msgStr, context } of found.msgs) {
    const key = keyOf(msgStr.join('\n'), context);
    list[file.index.get(key)] = { key, english: msgStr.join('\n') };
  }
  texts.set(file.filename.replaceAll(/[^a-zA-Z0-9]+/g, '_'), list);
  return found;
}
