import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { GUIDES, type Guide } from '../src/console/docs/guide-list.ts';

const FOLDER = 'docs';
const { repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly repository: { readonly url: string };
};
const REPOSITORY = repository.url.replace(/^git\+|\.git$/g, '');

/** The documents that the service shows as pages, as HTML: links lead to other pages of the service, or else to the repository. */
export const renderGuides = (): readonly Guide[] => GUIDES.map(renderGuide);

function renderGuide(name: string): Guide {
  const text = readFileSync(join(FOLDER, `${name}.md`), 'utf8').replaceAll(/<!--[\s\S]*?-->/g, '');
  const [heading = '', title = ''] = /^# (.+)\n/.exec(text) ?? [];
  if (title === '') throw new Error(`${FOLDER}/${name}.md does not begin with a heading`);
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, part = '']) => part);
  const parts = headings.map((part) => ({ id: anchorOf(part), title: part.replaceAll('`', '') }));
  return { name, title, parts, html: markdown.parse(text.slice(heading.length), { async: false }) };
}

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }: Tokens.Heading): string {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // As the pages draw a table: its rows are cards on a phone.
    table({ header, rows }: Tokens.Table): string {
      const texts = (cells: readonly Tokens.TableCell[]): string[] =>
        cells.map(({ tokens }) => this.parser.parseInline(tokens));
      const heads = texts(header);
      const head = heads.map((text) => (text === '' ? '<td></td>' : `<th scope="col">${text}</th>`)).join('');
      const lines = rows.map((row) => {
        const [name = '', ...others] = texts(row);
        const cells = others.map((text, index) => `<td data-label="${header[index + 1]?.text ?? ''}">${text}</td>`);
        return `<tr><th scope="row">${name}</th>${cells.join('')}</tr>`;
      });
      const table = `<table class="stacks"><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
      return `<div class="table" tabindex="0">${table}</div>`;
    },
    link({ href, tokens }: Tokens.Link): string {
      return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`;
    },
  },
});

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The id of a heading, as on the usual host of repositories. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Where a link of a document leads from its page. */
function addressOf(href: string): string {
  const [, file = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
  if (file === '' || file.includes(':')) return escaped(href);
  const name = file.replace(/\.md$/, '');
  if (GUIDES.includes(name)) return name + anchor;
  if (name === 'errors') return '../errors';
  return new URL(file, `${REPOSITORY}/blob/main/${FOLDER}/`).href + anchor;
}
