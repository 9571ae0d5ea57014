/** CodeMirror with the page's colours, loaded with the first editor. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import {
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A mark in the text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

/** What the editor tells and is told. */
export interface Editor {
  /** Replaces the text if it differs. */
  set(text: string): void;
  /** Underlines places. */
  mark(marks: readonly Mark[]): void;
  /** Puts the cursor there, with the focus. */
  go(offset: number): void;
  close(): void;
}

const looks = EditorView.theme({
  '&': {
    color: 'var(--ink)',
    backgroundColor: 'var(--paper)',
    fontSize: '13px',
    maxHeight: '46vh',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { color: 'var(--muted)', backgroundColor: 'transparent', border: '0' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--hair)' },
  '.cm-tooltip': {
    color: 'var(--ink)',
    backgroundColor: 'var(--raised)',
    border: '1px solid var(--edge)',
  },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'var(--accent)' },
  { tag: [tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  { tag: tags.definition(tags.variableName), fontWeight: '650' },
]);

/** Puts an editor into an element. Its styles stay in a root of its own, as the page's policy allows no others. */
export function editorIn(
  host: HTMLElement,
  { label, text, onchange }: { label: string; text: string; onchange: (text: string) => void },
): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        indentUnit.of('    '),
        python(),
        syntaxHighlighting(colours),
        keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onchange(update.state.doc.toString());
        }),
        looks,
      ],
    }),
  });
  return {
    set(next) {
      const { doc } = view.state;
      if (doc.toString() === next) return;
      view.dispatch({ changes: { from: 0, to: doc.length, insert: next } });
    },
    mark(marks) {
      const { length } = view.state.doc;
      const found = marks.map(({ from, to, message }) => ({
        from: Math.min(from, length),
        to: Math.min(to, length),
        severity: 'error' as const,
        message,
      }));
      view.dispatch(setDiagnostics(view.state, found));
    },
    go(offset) {
      view.dispatch({
        selection: { anchor: Math.min(offset, view.state.doc.length) },
        effects: EditorView.scrollIntoView(offset, { y: 'center' }),
      });
      view.focus();
    },
    close() {
      view.destroy();
    },
  };
}
