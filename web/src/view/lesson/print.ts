/**
 * A lesson on paper: the core's sheet in a frame of its own, which the browser prints. The page's policy forbids
 * styles inside a document, so the sheet's rules become a style sheet object.
 */
import { sheetDocument } from '../../lib/trusted';
import type { LessonState } from '../../state/lesson/lesson.svelte';

/** The rules of a sheet. */
const STYLES = /<style>([^]*?)<\/style>/;

/** Puts a sheet into an empty frame. */
function fill(frame: HTMLIFrameElement, html: string): Window | null {
  const { contentDocument: to, contentWindow } = frame;
  if (!to || !contentWindow) return null;
  const sheet = sheetDocument(html.replace(STYLES, ''));
  const rules = STYLES.exec(html)?.[1] ?? '';
  to.title = sheet.title;
  to.documentElement.lang = sheet.documentElement.lang;
  to.body.replaceChildren(...[...sheet.body.childNodes].map((node) => to.importNode(node, true)));
  const { CSSStyleSheet: Rules } = contentWindow as Window & typeof globalThis;
  const made = new Rules();
  made.replaceSync(rules);
  to.adoptedStyleSheets = [made];
  return contentWindow;
}

/** Prints the worksheet; returns whether there was one. */
export async function printSheet(lesson: LessonState, isForTeacher: boolean): Promise<boolean> {
  let frame: HTMLIFrameElement | null = null;
  try {
    const html = await lesson.worksheet(isForTeacher);
    if (html === '') return false;
    document.querySelector('iframe.worksheet')?.remove();
    frame = document.createElement('iframe');
    frame.className = 'worksheet';
    frame.title = 'Worksheet';
    // The frame must exist to be printed, but nobody should reach it.
    frame.inert = true;
    frame.ariaHidden = 'true';
    document.body.append(frame);
    const window = fill(frame, html);
    window?.print();
    return window !== null;
  } catch {
    frame?.remove();
    return false;
  }
}
