/** Dialogs that are open as long as a state says so. */
import type { Attachment } from 'svelte/attachments';

/** Shows a modal dialog while `isOpen` is true; the dialog's `onclose` has to update the state. */
export function modal(isOpen: () => boolean): Attachment<HTMLDialogElement> {
  return (dialog) => {
    if (isOpen() === dialog.open) return;
    if (dialog.open) dialog.close();
    else dialog.showModal();
  };
}
