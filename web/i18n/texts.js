// The texts of each file as the build found them, by their positions in the file's list. So a text that no catalog
// has yet stays English. The configuration of wuchale and the plugin are loaded separately and share this module.

/** Texts by file and place. */
export const texts = (globalThis[Symbol.for('timeslice.texts')] ??= new Map());

/** The key of a text. */
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
