/** CodeMirror with the page's colours, loaded with the first editor. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { python } from '@codemirror/lang-python';
import {
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  WidgetType,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Executed } from '../../state/policy/program-steps.svelte';

/** A mark in the text. */
export interface Mark {
  readonly from: number;
  readonly to: number;
}

const underline = StateEffect.define<readonly Mark[]>();

/** Underlines of mistakes, which move with the text. */
const underlines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    let next = now.map(transaction.changes);
    const { length } = transaction.newDoc;
    for (const effect of transaction.effects)
      if (effect.is(underline)) {
        const marks = effect.value
          .map(({ from, to }) => [Math.max(0, Math.min(from, length - 1)), Math.min(to, length)])
          .filter(([from = 0, to = 0]) => to > from)
          .map(([from = 0, to = 0]) => Decoration.mark({ class: 'mistake' }).range(from, to));
        next = Decoration.set(marks, true);
      }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const traced = StateEffect.define<readonly Executed[]>();

/** Most times beside a line; of more, the last ones stand there. */
const MOST_TURNS = 4;

/** What a line found, beside it: a cell for each time that it was executed. */
class Found extends WidgetType {
  readonly #turns: readonly string[];

  constructor(turns: readonly string[]) {
    super();
    this.#turns = turns;
  }

  override eq(other: Found): boolean {
    return this.#turns.join('\n') === other.#turns.join('\n');
  }

  toDOM(): HTMLElement {
    const box = document.createElement('span');
    box.className = 'found';
    const cut = this.#turns.length - MOST_TURNS;
    for (const turn of [...(cut > 0 ? ['…'] : []), ...this.#turns.slice(-MOST_TURNS)]) {
      const cell = document.createElement('span');
      cell.textContent = turn;
      box.append(cell);
    }
    return box;
  }
}

/** Marks of executed lines, and their values. */
const executedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(now, transaction) {
    let next = now.map(transaction.changes);
    const { newDoc } = transaction;
    for (const effect of transaction.effects)
      if (effect.is(traced)) {
        const marks = effect.value
          .filter(({ line }) => line <= newDoc.lines)
          .flatMap(({ line, turns, isCurrent }) => {
            const { from, to } = newDoc.line(line);
            // @wc-ignore
            const mark = Decoration.line({ class: isCurrent ? 'executed current' : 'executed' });
            const widget = Decoration.widget({ widget: new Found(turns), side: 1 });
            return [mark.range(from), ...(turns.length > 0 ? [widget.range(to)] : [])];
          });
        next = Decoration.set(marks, true);
      }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * What is typed over a selection. A browser would do it with styles in the text, which the page's policy refuses, and says
 * so.
 */
const typesOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType } = event;
    if (inputType !== 'insertText' || data === null || view.state.selection.main.empty)
      return false;
    view.dispatch({ ...view.state.replaceSelection(data), userEvent: 'input.type' });
    return true;
  },
});

/** What the editor tells and is told. */
export interface Editor {
  /** Replaces the text if it differs. */
  set(text: string): void;
  /** Underlines places. */
  mark(marks: readonly Mark[]): void;
  /** Marks lines that were executed, with what they found; none: no more. */
  trace(lines: readonly Executed[]): void;
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
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--hair) 40%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'var(--hair)' },
  '.executed': { boxShadow: 'inset 3px 0 0 var(--edge)' },
  '.executed.current': {
    boxShadow: 'inset 3px 0 0 var(--accent)',
    backgroundColor: 'color-mix(in srgb, var(--hair) 55%, transparent)',
  },
  '.found': { marginLeft: '1.5em', color: 'var(--muted)', fontSize: '12px' },
  '.found > span': {
    display: 'inline-block',
    padding: '0 5px',
    marginRight: '3px',
    border: '1px solid var(--hair)',
    borderRadius: '3px',
  },
  '.current .found': { color: 'var(--ink)' },
  '.mistake': {
    textDecoration: 'underline wavy var(--accent) 1.5px',
    textUnderlineOffset: '3px',
    backgroundColor: 'var(--accent-soft)',
  },
});

const colours = HighlightStyle.define([
  // Not in the accent, which marks mistakes here.
  { tag: [tags.keyword, tags.operatorKeyword], fontWeight: '650' },
  { tag: [tags.comment], color: 'var(--muted)', fontStyle: 'italic' },
  {
    tag: tags.definition(tags.variableName),
    textDecoration: 'underline',
    textUnderlineOffset: '3px',
  },
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
        // Comments are questions: they are read whole.
        EditorView.lineWrapping,
        syntaxHighlighting(colours),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onchange(update.state.doc.toString());
        }),
        underlines,
        executedLines,
        typesOver,
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
      view.dispatch({ effects: underline.of(marks) });
    },
    trace(lines) {
      const current = lines.find(({ isCurrent }) => isCurrent)?.line ?? 0;
      const { doc } = view.state;
      const at = current > 0 && current <= doc.lines ? [doc.line(current).from] : [];
      const seen = at.map((from) => EditorView.scrollIntoView(from, { y: 'nearest', yMargin: 24 }));
      view.dispatch({ effects: [traced.of(lines), ...seen] });
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
