// The search of the manual: its index is loaded from files beside the page when the reader goes to its field.
import MiniSearch from 'minisearch';

const up = document.body.dataset.up ?? '';
const search = /** @type {HTMLElement} */ (document.querySelector('search'));
const field = /** @type {HTMLInputElement} */ (document.querySelector('#sought'));
const list = /** @type {HTMLElement} */ (document.querySelector('#found'));
const count = /** @type {HTMLElement} */ (document.querySelector('#found-count'));

/** @type {Promise<MiniSearch> | undefined} */
let index;

function load() {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${up}search-index.js`;
    script.onload = () => resolve(MiniSearch.loadJSON(globalThis.timesliceManualIndex, __SEARCH__));
    script.onerror = () => reject(new Error('The index of the search did not come.'));
    document.head.append(script);
  });
  return index;
}

/** One entry of the list: its address, and the beginning of its text. */
function entry({ id, title, heading, begin }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = up + id;
  link.textContent = heading === '' ? title : `${title}: ${heading}`;
  item.append(link);
  if (begin !== '') {
    const text = document.createElement('span');
    text.textContent = begin;
    item.append(text);
  }
  return item;
}

async function show() {
  const sought = field.value.trim();
  try {
    const found =
      sought === ''
        ? []
        : (await load()).search(sought, {
            prefix: true,
            fuzzy: 0.2,
            combineWith: 'AND',
            boost: { title: 4, heading: 3 },
          });
    // The reader may have typed on meanwhile.
    if (sought !== field.value.trim()) return;
    list.replaceChildren(...found.slice(0, 12).map(entry));
    count.textContent =
      sought === ''
        ? ''
        : found.length === 0
          ? 'Nothing has all these words.'
          : `${String(found.length)} found`;
  } catch (error) {
    count.textContent = error instanceof Error ? error.message : String(error);
  }
}

search.hidden = false;
field.addEventListener('focus', () => void load().catch(() => undefined));
field.addEventListener('input', () => void show());
field.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    field.value = '';
    void show();
  }
  if (event.key === 'Enter') list.querySelector('a')?.click();
});
