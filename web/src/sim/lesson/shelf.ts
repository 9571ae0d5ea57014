/** The texts of all lessons: a file beside their package. */
import * as core from '../pkg/lessons_wasm';

/** Loads the texts, and gives them to the core as soon as that is loaded. */
export async function provideLessons(ready: Promise<unknown>): Promise<void> {
  const response = await fetch(new URL('../pkg/lessons.json', import.meta.url));
  if (!response.ok) throw new Error(`the lessons did not load: ${String(response.status)}`);
  const [text] = await Promise.all([response.text(), ready]);
  core.provideLessons(text);
}
