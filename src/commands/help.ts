import { groupBy } from '../contract/group-by.ts';
import { COMMON, type Command, type CommandGroup, type Flag, type Flags } from './command.ts';
import { describedFlagsOf } from './flags.ts';
import { commands } from './index.ts';
import { paragraph, print, proseWidth, styled, wrap } from './output.ts';
import { packageVersion } from './package.ts';
import { asTyped } from './started-as.ts';

const INDENT = 2;
const GAP = 2;
/** Longer names have their description on the next line. */
const NAME_WIDTH_MAX = 26;

export function showAll(): number {
  paragraph(`web3-bi ${packageVersion()}: Web3 companies, people, investors, events and rounds for agents and people.`);
  print(asTyped('\nUsage: web3-bi COMMAND [flags]'));
  const entries = Object.entries(commands);
  const width = columnWidth(Object.keys(commands));
  for (const topic of new Set(entries.map(([, entry]) => entry.topic))) {
    heading(topic);
    for (const [name, entry] of entries) if (entry.topic === topic) row(name, entry.about, width);
  }
  print('');
  paragraph(asTyped('web3-bi help COMMAND shows what a command does, its flags and an example.'));
  return 0;
}

export function showCommand(
  name: string,
  typed: Command | CommandGroup,
  command: Command | CommandGroup = typed,
): number {
  paragraph(command.about);
  if ('actions' in command) showActions(name, command);
  else {
    const isGroup = 'actions' in typed && typed.otherwise === command;
    const usages = [command, ...(isGroup ? Object.values(typed.actions) : [])].map(({ usage }) => usage);
    print(asTyped(`\nUsage: ${usages.map((usage) => `web3-bi ${usage} [flags]`).join('\n       ')}`));
    showFlags(describedFlagsOf(command));
    for (const [topic, rows] of Object.entries(command.topics ?? {})) {
      heading(topic);
      for (const [name, about] of Object.entries(rows)) row(name, about, columnWidth(Object.keys(rows)));
    }
    showExamples([command.example, ...(command.moreExamples ?? [])]);
  }
  return 0;
}

function showActions(name: string, { actions, defaultAction }: CommandGroup): void {
  const names = Object.keys(actions);
  print(asTyped(`\nUsage: web3-bi ${name} ${defaultAction === undefined ? 'ACTION' : '[ACTION]'} [flags]`));
  heading('Actions');
  const width = columnWidth(names);
  for (const [action, { about }] of Object.entries(actions))
    row(action, action === defaultAction ? `${about} The default.` : about, width);
  print('');
  paragraph(asTyped(`web3-bi help ${name} ACTION shows the flags of an action and an example.`));
  const [first] = Object.values(actions);
  if (first !== undefined) showExamples([first.example]);
}

/** Examples as a shell takes them, also if they need several lines. */
function showExamples(examples: readonly string[]): void {
  heading(examples.length === 1 ? 'Example' : 'Examples');
  for (const example of examples) {
    const [first = '', ...flags] = asTyped(example).split(/ (?=--)/);
    const lines = [first];
    for (const flag of flags) {
      const joined = `${lines.at(-1)} ${flag}`;
      if (joined.length + ' \\'.length + INDENT <= proseWidth()) lines[lines.length - 1] = joined;
      else lines.push(`  ${flag}`);
    }
    print(lines.map((line) => ' '.repeat(INDENT) + line).join(' \\\n'));
  }
}

function showFlags(flags: Flags): void {
  const described = Object.entries(flags).map(([name, flag]) => ({
    section: flag.section ?? 'Flags',
    name: `--${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    about: describe(flag),
  }));
  const width = columnWidth(described.map(({ name }) => name));
  const sections = groupBy(described, ({ section }) => section);
  // The command's own flags come first, shared ones last.
  for (const section of [...sections.keys()].sort((left, right) => rankOf(left) - rankOf(right))) {
    heading(section);
    for (const { name, about } of sections.get(section) ?? []) row(name, about, width);
  }
}

const rankOf = (section: string): number => (section === 'Flags' ? 0 : section === COMMON ? 2 : 1);

function describe({ description, choices, default: usual, max, multiple, required, variable }: Flag): string {
  const parts = [description];
  // A sort field covers both directions; values already in the description are not repeated.
  const listed = choices?.filter((choice) => !choices.includes(choice.replace(/^-/, '')) || !choice.startsWith('-'));
  if (listed?.some((choice) => !description.includes(choice)))
    parts.push(`${multiple ? 'Some' : 'One'} of ${listed.join(', ')}.`);
  if (max !== undefined) parts.push(`At most ${max}.`);
  if (required) parts.push('Required.');
  if (usual !== undefined) parts.push(`Default: ${usual}.`);
  if (variable !== undefined) parts.push(`(${variable})`);
  return parts.join(' ');
}

const heading = (text: string): void => print(`\n${styled('bold', text)}`);

const columnWidth = (names: readonly string[]): number =>
  Math.min(NAME_WIDTH_MAX, Math.max(...names.map((name) => name.length)));

function row(name: string, about: string, width: number): void {
  const start = ' '.repeat(INDENT + width + GAP);
  const lines = about.split('\n').flatMap((line) => wrap(line, proseWidth() - start.length));
  const [first = '', ...rest] = lines;
  const title = ' '.repeat(INDENT) + styled('cyan', name);
  if (name.length > width) print(`${title}\n${start}${first}`);
  else print(`${title}${' '.repeat(width - name.length + GAP)}${first}`);
  for (const line of rest) print(start + line);
}
