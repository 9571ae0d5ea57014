/** Dialogs that are open as long as a state says so. */
import type { Attachment } from 'svelte/attachments';

/** Shows a dialog above everything else while `isOpen` says so; `onclose` of the dialog has to tell the state. */
export function modal(isOpen: () => boolean): Attachment<HTMLDialogElement> {
  return (dialog) => {
    if (isOpen() === dialog.open) return;
    if (dialog.open) dialog.close();
    else dialog.showModal();
  };
}
