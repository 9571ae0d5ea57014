'use strict';

// The message for a program that does not arrive, or breaks before it is drawn. A classic script, as browsers also
// load it where they refuse modules: in frames without an origin and from a disk.
(() => {
  const isLocal = location.protocol === 'file:';
  const hasNoOrigin = !isLocal && self.origin === 'null';

  const reasonOf = (event) => {
    if (event.target instanceof HTMLScriptElement)
      return `${new URL(event.target.src).pathname.split('/').pop()} could not be loaded`;
    return event.message || (event.reason && event.reason.message) || 'it stopped on an error';
  };

  const advice = () => {
    if (isLocal)
      return 'A page from a disk has to be one file: open timeslice.html beside this one.';
    if (hasNoOrigin)
      return `It is in a frame that has no origin, and there browsers load no programs. Open ${location.href} in a window of its own. Whoever made the page around it can add allow-same-origin to the frame’s sandbox.`;
    return 'Is the network there, and does nothing block scripts? Reload the page. If that does not help, reset it, which fetches it anew and keeps your work.';
  };

  const tell = (event) => {
    const place = document.querySelector('.starting');
    // The page is there and needs no message; it runs without its style sheet or icon.
    if (!place || (event.target instanceof Element && event.target.tagName !== 'SCRIPT')) return;
    const [what, more] = [document.createElement('p'), document.createElement('p')];
    what.textContent = `Timeslice could not be started: ${reasonOf(event)}.`;
    more.textContent = advice();
    place.replaceChildren(what, more);
    if (isLocal || hasNoOrigin) return;
    const [again, reset] = [document.createElement('a'), document.createElement('a')];
    again.href = location.href.replace(/#.*/, '');
    again.textContent = 'Open it anew';
    reset.href = './reset.html';
    reset.textContent = 'Reset';
    const ways = document.createElement('p');
    ways.append(again, ' · ', reset);
    place.append(ways);
  };

  addEventListener('error', tell, true);
  addEventListener('unhandledrejection', tell);
})();
