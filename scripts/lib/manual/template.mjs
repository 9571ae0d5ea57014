// The frame of every page of the manual.
import { policyOf } from '../../../web/csp.js';

const policy = policyOf({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
});

const escape = (text) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);

function contents(sections, page, up) {
  const item = (other) => {
    const here = other.id === page.id ? ' aria-current="page"' : '';
    return `<li><a href="${up}${other.id}.html"${here}>${escape(other.title)}</a></li>`;
  };
  return sections
    .map(
      ({ name, pages }, i) =>
        `<h2 id="part-${i}">${escape(name)}</h2><ul aria-labelledby="part-${i}">${pages.map(item).join('')}</ul>`,
    )
    .join('\n');
}

/** Headings of the second level, if there are enough for a list. */
function onThisPage(parts) {
  const headings = parts.filter(({ level, slug }) => level === 2 && slug !== '');
  if (headings.length < 4) return '';
  const items = headings.map(
    ({ slug, heading }) => `<li><a href="#${slug}">${escape(heading)}</a></li>`,
  );
  return `<details class="here"><summary>On this page</summary><ul>${items.join('')}</ul></details>`;
}

/** The whole of one page; `before` and `after` are its neighbours. */
export function framed({ page, sections, before, after }) {
  const up = '../'.repeat(page.id.split('/').length - 1);
  const step = (other, rel, words) =>
    other
      ? `<a rel="${rel}" href="${up}${other.id}.html">${words}: ${escape(other.title)}</a>`
      : '';
  const title = page.id === 'index' ? 'Timeslice manual' : `${page.title} · Timeslice manual`;
  const [head, ...rest] = page.html.split('</h1>');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<link rel="icon" href="${up}../icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${up}manual.css">
<script defer src="${up}search.js"></script>
</head>
<body data-up="${up}">
<a class="skip" href="#text">Skip to the text</a>
<header>
<p><a class="home" href="${up}../">Timeslice</a> <a href="${up}index.html">Manual</a></p>
<a class="to-contents" href="#contents">Contents</a>
<search hidden>
<label for="sought">Search the manual</label>
<input id="sought" type="search" autocomplete="off" spellcheck="false">
<p id="found-count" role="status"></p>
<ol id="found" aria-label="Found"></ol>
</search>
</header>
<div class="columns">
<main id="text" tabindex="-1">
${head}</h1>
${onThisPage(page.parts)}
${rest.join('</h1>')}
<p class="steps">${step(before, 'prev', 'Before')}${step(after, 'next', 'Next')}</p>
</main>
<nav id="contents" aria-label="Contents" tabindex="-1">
${contents(sections, page, up)}
</nav>
</div>
</body>
</html>
`;
}
