/** Scenarios that are dropped on the page or pasted into it. */
import type { Lab } from '../../state/lab.svelte';

/** Whether a paste belongs to the element that has the focus. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
}

/** Handlers for the window. */
export function takesFiles(lab: Pick<Lab, 'work'>) {
  return {
    ondragover(event: DragEvent) {
      if (
        event.dataTransfer?.types.includes('Files') ||
        event.dataTransfer?.types.includes('text/plain')
      )
        event.preventDefault();
    },
    ondrop(event: DragEvent) {
      const data = event.dataTransfer;
      const files = [...(data?.files ?? [])];
      const text = data?.getData('text/plain') ?? '';
      if (files.length === 0 && text === '') return;
      event.preventDefault();
      void (files.length > 0
        ? lab.work.openFiles(files)
        : lab.work.openText(text, 'the dropped text'));
    },
    onpaste(event: ClipboardEvent) {
      if (isTyping(event.target)) return;
      const files = [...(event.clipboardData?.files ?? [])];
      const text = event.clipboardData?.getData('text/plain') ?? '';
      if (files.length > 0) void lab.work.openFiles(files);
      else if (text.trim() !== '') void lab.work.openText(text, 'the pasted text');
    },
  };
}
