// Turns a text in Markdown into the content of a manual page, with its headings and its entries for the search.
import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from '../paths.mjs';

/** Address of the page after `npm start`: links to it work in the texts, and become relative in the manual. */
export const LOCAL_PAGE = 'http://127.0.0.1:4173/';

const words = (tokens) => tokens.map((t) => (t.type === 'softbreak' ? ' ' : t.content)).join('');

/**
 * The target of a text's link: { href } within the manual, { repository } for a file that only the repository has, or
 * { problem }. `site` knows the pages and collects the pictures.
 */
function target(link, page, site) {
  const up = '../'.repeat(page.id.split('/').length - 1);
  if (link.startsWith(LOCAL_PAGE)) return { href: `${up}../${link.slice(LOCAL_PAGE.length)}` };
  if (/^(https?|mailto):/.test(link)) return { href: link, isFar: true };
  if (link.startsWith('#')) return { href: link };
  const [relative, fragment] = link.split('#');
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(page.file), relative));
  const found = site.pageOf(file);
  if (found) return { href: `${up}${found.id}.html${fragment ? `#${fragment}` : ''}` };
  if (!existsSync(inRoot(file))) return { problem: `${page.file}: there is no ${file}` };
  return { repository: file };
}

/** The address of a picture, which is copied into the manual. */
function picture(link, page, site) {
  const up = '../'.repeat(page.id.split('/').length - 1);
  const file = path.posix.normalize(path.posix.join(path.posix.dirname(page.file), link));
  const place = site.take(file);
  return place === undefined
    ? { problem: `${page.file}: there is no picture ${file}` }
    : { href: `${up}${place}` };
}

function followLinks(md, page, site) {
  md.core.ruler.push('places', ({ tokens }) => {
    for (const { children } of tokens.filter((t) => t.type === 'inline')) {
      const open = [];
      for (const token of children) {
        if (token.type === 'link_open') {
          const to = target(token.attrGet('href'), page, site);
          open.push(to);
          if (to.problem) site.problems.push(to.problem);
          if (to.href) token.attrSet('href', to.href);
          if (to.isFar) token.attrSet('rel', 'noreferrer');
          if (to.repository) {
            token.tag = 'span';
            token.attrs = [
              ['class', 'elsewhere'],
              ['title', `in the repository: ${to.repository}`],
            ];
          }
        } else if (token.type === 'link_close') {
          if (open.pop()?.repository) token.tag = 'span';
        }
      }
    }
  });
}

/** The manual's policy only allows the styles of its style sheet. */
function alignByClass(md) {
  md.core.ruler.push('align', ({ tokens }) => {
    for (const token of tokens.filter((t) => t.attrGet('style'))) {
      const to = /text-align:(\w+)/.exec(token.attrGet('style'))?.[1];
      token.attrs = [...token.attrs.filter(([name]) => name !== 'style'), ['class', `to-${to}`]];
    }
  });
}

/** Pictures exist for light and dark; tables and programs scroll by themselves on a narrow screen. */
function dress(md, page, site) {
  const { rules } = md.renderer;
  const escape = md.utils.escapeHtml;
  rules.image = (tokens, i) => {
    const token = tokens[i];
    const link = token.attrGet('src');
    const [light, dark] = [link, link.replace('-light.', '-dark.')].map((p) =>
      picture(p, page, site),
    );
    for (const { problem } of [light, dark]) if (problem) site.problems.push(problem);
    const img = `<img src="${light.href}" alt="${escape(token.content)}">`;
    return link.includes('-light.')
      ? `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark.href}">${img}</picture>`
      : img;
  };
  let tables = 0;
  rules.table_open = () => {
    tables += 1;
    return `<div class="scroll" role="region" tabindex="0" aria-label="Table ${tables}"><table>`;
  };
  rules.table_close = () => '</table></div>';
  // A heading without text is not a heading.
  rules.th_open = (tokens, i, options, env, self) => {
    if (tokens[i + 1].content === '') tokens[i].tag = tokens[i + 2].tag = 'td';
    else tokens[i].attrSet('scope', 'col');
    return self.renderToken(tokens, i, options);
  };
  rules.fence = (tokens, i) => `<pre tabindex="0"><code>${escape(tokens[i].content)}</code></pre>`;
}

/** Gives headings the addresses that GitHub gives them, and divides the text into entries for the search. */
function cut(tokens) {
  const slugger = new GithubSlugger();
  const parts = [{ slug: '', heading: '', level: 1, text: [] }];
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (token.type === 'heading_open') {
      const heading = words(tokens[i + 1].children);
      const slug = slugger.slug(heading);
      token.attrSet('id', slug);
      parts.push({ slug, heading, level: Number(token.tag.slice(1)), text: [] });
      i += 1;
    } else if (token.type === 'inline') parts.at(-1).text.push(words(token.children));
    else if (token.type === 'fence') parts.at(-1).text.push(token.content);
  }
  return parts.map((part) => ({ ...part, text: part.text.join(' ').replace(/\s+/g, ' ') }));
}

/** `{ title, html, parts }` of a page; problems are added to `site.problems`. */
export function rendered(text, page, site) {
  const md = new MarkdownIt({ linkify: false, typographer: false });
  followLinks(md, page, site);
  alignByClass(md);
  dress(md, page, site);
  const env = {};
  const tokens = md.parse(text, env);
  const parts = cut(tokens);
  const title = parts.find(({ level, slug }) => level === 1 && slug !== '')?.heading;
  if (!title) site.problems.push(`${page.file}: has no title`);
  return { title: title ?? page.id, html: md.renderer.render(tokens, md.options, env), parts };
}
