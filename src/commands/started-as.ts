import { delimiter, isAbsolute, join, parse, relative, sep } from 'node:path';
import { commands } from './index.ts';
import { packageFolder } from './package.ts';

const COMMAND = 'web3-bi';
const NPX = 'npx web3-bi-mcp';
const PATH_NAMES = [COMMAND, 'web3-bi-mcp'];
const PACKAGED = `${sep}node_modules${sep}`;
/** Where npx keeps a package for a while. */
const NPX_CACHE = `${sep}_npx${sep}`;

/** A command of this program within a text. */
const NAMED = new RegExp(
  `(?<![\\w/])${COMMAND}(?= (?:--help|help|COMMAND|${Object.keys(commands).join('|')})\\b)`,
  'g',
);

/** A text in which the commands begin as a person has to type them: `web3-bi` is found only where it is installed. */
export const asTyped = (text: string): string => text.replace(NAMED, startedAs());

/** What a host starts, in whatever folder: the published package, or the file of a checkout, as a shell here reads it. */
export function inHost(): string {
  const [, file] = /^node (\S+)$/.exec(startedAs()) ?? [];
  if (file === undefined) return 'npx -y web3-bi-mcp';
  return `node ${isAbsolute(file) ? file : `"$PWD/${file}"`}`;
}

/**
 * The words that start this program in any folder of this machine: its name where the search path has it, else Node and its
 * file; undefined for the copy of npx, which does not last.
 */
export function programHere(): readonly string[] | undefined {
  const started = startedAs();
  if (PATH_NAMES.includes(started)) return [started];
  const file = join(packageFolder(), 'dist', 'main.js');
  return file.includes(NPX_CACHE) ? undefined : ['node', file];
}

/** How this program was started: `web3-bi`, `npx web3-bi-mcp`, or `node dist/main.js` in a checkout. */
function startedAs(): string {
  const [, file = ''] = process.argv;
  const { dir, name, base } = parse(file);
  // npm sets it for what npx starts.
  if (process.env['npm_command'] === 'exec') return NPX;
  const searched = (process.env['PATH'] ?? '').split(delimiter);
  if (PATH_NAMES.includes(name)) return searched.includes(dir) ? name : NPX;
  if (base !== 'main.js') return COMMAND;
  const [root = ''] = file.split(PACKAGED);
  // Windows starts the file itself, from a script of the folder with the packages.
  if (file.includes(PACKAGED)) return searched.includes(root) ? COMMAND : NPX;
  const path = relative(process.cwd(), file);
  return `node ${path.startsWith('..') ? file : path}`;
}
