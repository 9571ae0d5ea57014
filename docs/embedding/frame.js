'use strict';

// Speaks with a Timeslice page in a frame; docs/embedding.md tells what is said. Free to copy.
globalThis.Timeslice = {
  /**
   * `frame`: an iframe whose address ends with `embed=1` behind the `#`. `changed` is told what it shows, at most four times a
   * second, `refused` what was wrong with something that was asked for. Call it before the frame has loaded.
   */
  connect(frame, { changed = () => {}, refused = console.warn } = {}) {
    let port = null;
    const waiting = [];
    addEventListener('message', ({ source, data }) => {
      // Other frames and windows may say the same.
      if (source !== frame.contentWindow) return;
      if (data === null || typeof data !== 'object') return;
      if (data.timeslice !== 1 || data.kind !== 'ready') return;
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: told }) => {
        if (told.kind === 'changed') changed(told);
        if (told.kind === 'refused') refused(told);
      };
      port = port1;
      source.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);
      for (const message of waiting.splice(0)) port.postMessage(message);
    });
    const say = (message) => {
      if (port) port.postMessage(message);
      else waiting.push(message);
    };
    return {
      open: (fragment) => say({ kind: 'open', fragment }),
      scenario: (scenario) => say({ kind: 'scenario', json: JSON.stringify(scenario) }),
      step: (by = 'migration', back = false) => say({ kind: 'step', by, back }),
      seek: (atNs) => say({ kind: 'seek', atNs }),
      play: () => say({ kind: 'play' }),
      pause: () => say({ kind: 'pause' }),
    };
  },
};
