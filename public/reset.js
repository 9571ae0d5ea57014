'use strict';

document.querySelector('button').addEventListener('click', async () => {
  const status = document.querySelector('[role=status]');
  try {
    const own = new URL('./', location.href).href;
    for (const registration of await navigator.serviceWorker.getRegistrations()) {
      if (registration.scope === own) await registration.unregister();
    }
    for (const name of await caches.keys()) {
      if (name.endsWith(own)) await caches.delete(name);
    }
    status.textContent = 'Done. Opening Timeslice loads it anew.';
  } catch (error) {
    status.textContent = `That did not work: ${error.message}`;
  }
});
