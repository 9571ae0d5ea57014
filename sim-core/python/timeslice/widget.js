// The front end of the widget: shows the page in a frame that has nothing of the notebook, and carries what it says to
// Python and back. docs/embedding.md tells what is said by the port.

/** Pages that this front end has, by their key, for all widgets and all versions of this file. */
const pages = (globalThis[Symbol.for('timeslice.pages')] ??= new Map());

/** Another widget may have asked for the page; its kernel may be gone. */
const PATIENCE_MS = 3000;

const TOLD = ['scenario', 'fragment', 'digests'];

async function unpacked(buffer) {
  const packed = new Blob([buffer]).stream();
  const html = await new Response(packed.pipeThrough(new DecompressionStream('gzip'))).blob();
  return URL.createObjectURL(new Blob([html], { type: 'text/html' }));
}

/** The address of the page. It comes from Python, once for all widgets. */
function pageOf(model) {
  const key = model.get('_key');
  const isFirst = !pages.has(key);
  if (isFirst) {
    const page = {};
    page.url = new Promise((resolve) => (page.resolve = resolve));
    pages.set(key, page);
  }
  const page = pages.get(key);
  const hear = (content, buffers) => {
    if (content?.kind === 'page' && content.key === key) page.resolve(unpacked(buffers[0]));
  };
  model.on('msg:custom', hear);
  const ask = () => model.send({ kind: 'page' });
  const timer = setTimeout(ask, isFirst ? 0 : PATIENCE_MS);
  return page.url.finally(() => {
    clearTimeout(timer);
    model.off('msg:custom', hear);
  });
}

/** What is to be on the page, in the words of the port. */
function wanted(model, id) {
  const fragment = model.get('fragment');
  if (fragment !== '') return { kind: 'open', fragment, id };
  return { kind: 'scenario', json: JSON.stringify(model.get('scenario')), id };
}

function render({ model, el }) {
  const frame = document.createElement('iframe');
  frame.title = 'Timeslice';
  // Without the notebook's origin.
  frame.setAttribute('sandbox', 'allow-scripts allow-downloads');
  frame.allow = 'fullscreen';
  Object.assign(frame.style, { display: 'block', width: '100%', border: '1px solid #8884' });
  const size = () => (frame.style.height = `${model.get('height')}px`);
  size();

  let port = null;
  /** What Python asked for before the page was ready. */
  let waiting = [];
  /** Number of the newest scenario or link that Python has set. */
  let serial = model.get('_serial');
  /** The same of what the frame begins with; −1: nothing of Python's. */
  let first = -1;
  let isLoaded = false;
  let count = 0;

  const tell = (what, given) => {
    const id = given ?? first;
    // Python has set something else since.
    if (id < serial) return;
    for (const [key, value] of Object.entries(what)) model.set(key, value);
    // Always another value, so that what was heard goes along.
    model.set('_heard', [id, (count += 1)]);
    model.save_changes();
  };

  const fromPage = ({ data }) => {
    if (data.kind === 'changed')
      tell(Object.fromEntries(TOLD.map((key) => [key, data[key]])), data.id);
    if (data.kind === 'refused') tell({ problems: data.problems }, data.id);
  };

  const connect = ({ source, data }) => {
    if (source !== frame.contentWindow || data?.timeslice !== 1 || data.kind !== 'ready') return;
    const { port1, port2 } = new MessageChannel();
    port?.close();
    port = port1;
    port.onmessage = fromPage;
    source.postMessage({ timeslice: 1, kind: 'connect' }, '*', [port2]);
    // Loaded anew it begins where it began, and much may have happened since.
    if (isLoaded) first = -1;
    isLoaded = true;
    const isOpening = waiting.some(({ kind }) => kind === 'open' || kind === 'scenario');
    if (first < serial && !isOpening) port.postMessage(wanted(model, serial));
    for (const message of waiting) port.postMessage(message);
    waiting = [];
  };

  const fromPython = (content) => {
    if (content?.kind === 'page') return;
    if (content.id !== undefined) serial = content.id;
    if (port) port.postMessage(content);
    else waiting.push(content);
  };

  addEventListener('message', connect);
  model.on('msg:custom', fromPython);
  model.on('change:height', size);
  el.append(frame);
  pageOf(model).then((url) => {
    const fragment = model.get('fragment');
    if (fragment !== '') first = serial;
    frame.src = `${url}#${fragment}&embed=1`;
  });

  return () => {
    removeEventListener('message', connect);
    model.off('msg:custom', fromPython);
    model.off('change:height', size);
    port?.close();
    frame.remove();
  };
}

export default { render };
