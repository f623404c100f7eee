import { type Program, shellCommand } from '../program.tsx';
import type { Guide } from './guide-list.ts';

/** That the package is not published yet, which a guide with commands says first; to be removed then. */
const UNPUBLISHED = /^\s*<p>Not on npm yet: .*<\/p>\n/;
const EXAMPLE = /<pre>[\s\S]*?<\/pre>/g;
/** The program at the beginning of a line, or of a command whose output is used. */
const AT_SHELL = /(?<=<code[^>]*>|\n|\$ |\$\()web3-bi(?= [a-z])/g;
const PACKAGE = '&quot;-y&quot;, &quot;web3-bi-mcp&quot;, ';

/** What a link adds to a host: JSON in base64 or in percent-encoding. */
const ADDED = /(?<=[?;]config=)[^"&]+(?=")/g;

/** A guide whose examples and links start this program, for readers on its machine. */
export function guideFor(guide: Guide, program: Program): Guide {
  const command = escaped(shellCommand(program));
  const [first = '', ...others] = program.map((word) => escaped(JSON.stringify(word)));
  const html = guide.html
    .replace(UNPUBLISHED, () => `<p>Here <code>${command}</code> is what the text calls <code>web3-bi</code>.</p>\n`)
    .replaceAll(ADDED, (server) => added(server, program))
    .replaceAll(EXAMPLE, (example) =>
      example
        .replaceAll('npx -y web3-bi-mcp', () => command)
        .replaceAll(AT_SHELL, () => command)
        .replaceAll(/&quot;npx&quot;|(?<=cmd: )npx/g, () => first)
        .replaceAll(PACKAGE, () => others.map((word) => `${word}, `).join('')),
    );
  return { ...guide, html };
}

function added(server: string, [command, ...others]: Program): string {
  const isPlain = server.startsWith('%7B');
  const published = isPlain ? decodeURIComponent(server) : Buffer.from(server, 'base64').toString();
  const own = JSON.stringify({ ...(JSON.parse(published) as object), command, args: [...others, 'mcp'] });
  return encodeURIComponent(isPlain ? own : Buffer.from(own).toString('base64'));
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
