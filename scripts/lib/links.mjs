// Checks links in texts of the repository and in pages of the built manual. Other hosts are not contacted; their
// addresses only need a valid form.
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { LOCAL_PAGE } from './manual/render.mjs';
import { inRoot } from './paths.mjs';

const md = new MarkdownIt({ html: true });

/** Whether an address of another host has a valid form. */
export const isAddress = (link) =>
  URL.canParse(link) && /^(https?|mailto):/.test(link) && !/\s/.test(link);

/** Links of a text in Markdown, including pictures in HTML, and the addresses of its headings. */
export function linksIn(text) {
  const slugger = new GithubSlugger();
  const [links, anchors] = [[], new Set()];
  const tokens = md.parse(text, {});
  tokens.forEach((token, i) => {
    if (token.type === 'heading_open')
      anchors.add(slugger.slug(tokens[i + 1].children.map((t) => t.content).join('')));
    for (const inner of [token, ...(token.children ?? [])]) {
      const link = inner.attrGet?.('href') ?? inner.attrGet?.('src');
      if (link) links.push(link);
      if (/^html_/.test(inner.type))
        links.push(
          ...[...inner.content.matchAll(/\b(?:href|src|srcset)="([^"]+)"/g)].map(([, l]) => l),
        );
    }
  });
  return { links, anchors };
}

/** The problem with a fragment of the page, as far as the repository's own texts show it. */
export function pageProblem(address) {
  const [file, fragment = ''] = address.split('#');
  if (file !== '' && file !== 'index.html') {
    const place = /^manual\/(.*)\.html$/.exec(file);
    return place ? '' : `the page has no ${file}`;
  }
  const scenario = /^s\.([\w-]+)$/.exec(fragment)?.[1];
  if (scenario !== undefined)
    return existsSync(inRoot('scenarios', 'experiments', `${scenario}.json`))
      ? ''
      : `there is no scenario ${scenario}`;
  const lesson = /^l(\d+)(\.\d+)?$/.exec(fragment)?.[1];
  if (lesson !== undefined) {
    const lessons = readdirSync(inRoot('scenarios', 'lessons')).filter((name) =>
      name.startsWith(`l${lesson.padStart(2, '0')}-`),
    );
    return lessons.length > 0 ? '' : `there is no lesson ${lesson}`;
  }
  return fragment === '' || /^(start|r=[\w-]*)$/.test(fragment)
    ? ''
    : `#${fragment} is no place of the page`;
}

/** Broken links of one text of the repository, as sentences. */
export function brokenLinks(file, read = (name) => readFileSync(inRoot(name), 'utf8')) {
  const { links, anchors } = linksIn(read(file));
  return links.flatMap((link) => {
    const wrong = (why) => [`${file}: ${link}: ${why}`];
    if (link.startsWith(LOCAL_PAGE)) {
      const why = pageProblem(link.slice(LOCAL_PAGE.length));
      return why === '' ? [] : wrong(why);
    }
    if (/^\w+:/.test(link)) return isAddress(link) ? [] : wrong('has not the form of an address');
    const [name, fragment] = link.split('#');
    if (name === '') return anchors.has(fragment) ? [] : wrong('there is no such heading');
    const other = path.posix.normalize(path.posix.join(path.posix.dirname(file), name));
    if (!existsSync(inRoot(other))) return wrong('there is no such file');
    if (fragment === undefined || !other.endsWith('.md')) return [];
    return linksIn(read(other)).anchors.has(fragment)
      ? []
      : wrong('there is no such heading there');
  });
}

/** Checks every link of the pages in a folder against its content; `{ checked, problems }`. */
export function brokenInSite(folder, below) {
  const files = readdirSync(folder, { recursive: true })
    .map((name) => name.split(path.sep).join('/'))
    .filter((name) => statSync(path.join(folder, name)).isFile());
  const ids = new Map();
  const idsOf = (name) => {
    if (!ids.has(name)) {
      const html = readFileSync(path.join(folder, name), 'utf8');
      ids.set(name, new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id]) => id)));
    }
    return ids.get(name);
  };
  const problems = [];
  let checked = 0;
  const isThere = new Set(files);
  for (const file of files.filter((name) => name.startsWith(below) && name.endsWith('.html'))) {
    const html = readFileSync(path.join(folder, file), 'utf8');
    // Text that a table shows when its source is missing.
    for (const [word] of html.matchAll(/\bNaN\b|>undefined<|\[object \w+\]|<!-- table/g))
      problems.push(`${file}: says ${word}`);
    for (const [, raw] of html.matchAll(/\b(?:href|src|srcset)="([^"]*)"/g)) {
      const link = raw.replaceAll('&amp;', '&');
      checked += 1;
      const wrong = (why) => problems.push(`${file}: ${link}: ${why}`);
      if (/^\w+:/.test(link)) {
        if (!isAddress(link)) wrong('has not the form of an address');
        continue;
      }
      const [name, fragment] = link.split('#');
      let other =
        name === '' ? file : path.posix.normalize(path.posix.join(path.posix.dirname(file), name));
      if (other === './' || other === '.') other = 'index.html';
      if (!isThere.has(other)) wrong('there is no such file');
      else if (other === 'index.html') {
        const why = pageProblem(fragment === undefined ? '' : `#${fragment}`);
        if (why !== '') wrong(why);
      } else if (fragment && !idsOf(other).has(decodeURIComponent(fragment)))
        wrong('nothing has this address there');
    }
  }
  return { checked, problems };
}
