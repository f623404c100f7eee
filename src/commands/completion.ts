import type { Command, CommandGroup, Flags } from './command.ts';
import { UsageError } from './config.ts';
import { describedFlagsOf } from './flags.ts';
import { commands } from './index.ts';
import { print } from './output.ts';
import { didYouMean } from './suggest.ts';

export const command: Command = {
  usage: 'completion SHELL',
  about:
    'Print a script with which a shell completes commands, flags and their values. In .bashrc: ' +
    'eval "$(web3-bi completion bash)"; in .zshrc, after compinit: eval "$(web3-bi completion zsh)"; in config.fish: ' +
    'web3-bi completion fish | source.',
  example: 'eval "$(web3-bi completion bash)"',
  completes: ['bash', 'zsh', 'fish'],
  isPlain: true,
  settings: [],
  run: async ({ positionals: [shell = ''] }) => {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
    const shells = Object.keys(SCRIPTS);
    if (script === undefined)
      throw new UsageError(`completion needs one of ${shells.join(', ')}.${didYouMean(shell, shells)}`);
    print(script((await rowsOf()).join('\n')));
  },
};

/** The completion table in a script, so that a key press starts no Node: preceding arguments, candidate, description, with tabs between. */
async function rowsOf(): Promise<string[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { about, load }]) => ({ name, about, ...(await load()) })),
  );
  const alone = [row('', 'help', 'Show what a command does'), row('', '--version', 'Show the version')];
  return alone.concat(
    loaded.flatMap(({ name, about, command: typed }) => [
      row('', name, about),
      row('help', name, about),
      ...('actions' in typed ? rowsOfGroup(name, typed) : rowsOfCommand(name, typed)),
    ]),
  );
}

const rowsOfGroup = (name: string, { actions, defaultAction = '', otherwise }: CommandGroup): string[] => [
  ...Object.entries(actions).flatMap(([action, command]) => [
    row(name, action, command.about),
    row(`help ${name}`, action, command.about),
    ...rowsOfCommand(`${name} ${action}`, command),
  ]),
  ...[actions[defaultAction], otherwise].flatMap((command) =>
    command === undefined ? [] : rowsOfFlags(name, describedFlagsOf(command)),
  ),
];

const rowsOfCommand = (name: string, command: Command): string[] => [
  ...(command.completes ?? []).map((word) => row(name, word)),
  ...rowsOfFlags(name, describedFlagsOf(command)),
];

const rowsOfFlags = (name: string, flags: Flags): string[] =>
  Object.entries(flags).flatMap(([flag, { type, completes = [''], choices = completes, description }]) => [
    row(name, `--${flag}`, description),
    ...(type === 'boolean' ? [] : choices.map((choice) => row(`${name} --${flag}`, choice))),
  ]);

/** Shortened to the first sentence, without characters that end a quoted string; an apostrophe is a typographic one. */
const row = (before: string, word: string, about = ''): string =>
  [
    before,
    word,
    about
      .replace(/[.:;]\s.*$|\.$/s, '')
      .replaceAll("'", '’')
      .replaceAll(/[\\\t]/g, ''),
  ].join('\t');

/** Finds the candidates after the given arguments. Skips arguments that are no command, action or flag, such as values. */
const LOOKUP = `
{ rows[$1] = rows[$1] ($2 == "" ? "" : $2 ($3 == "" ? "" : "\\t" $3) "\\n") }
END {
  count = split(words, word, " ")
  for (i = 1; i <= count; i++) {
    longer = before (before == "" ? "" : " ") word[i]
    if (longer in rows && (word[i] !~ /^-/ || i == count)) before = longer
  }
  printf "%s", rows[before]
}`;

const look = (rows: string, words: string): string =>
  `printf '%s\\n' '${rows}' | awk -F '\\t' -v words="${words}" '${LOOKUP}'`;

/** Without candidates, the scripts complete file names. */
const SCRIPTS: Readonly<Record<string, (rows: string) => string>> = {
  bash: (rows) => `_web3_bi_words() { ${look(rows, '$*')}; }
_web3_bi() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(_web3_bi_words "\${COMP_WORDS[@]:1:COMP_CWORD-1}" | cut -f 1)" -- "\${COMP_WORDS[COMP_CWORD]}"))
  [[ $COMPREPLY == */ ]] && compopt -o nospace 2> /dev/null
}
complete -o default -F _web3_bi web3-bi web3-bi-mcp`,
  zsh: (rows) => `#compdef web3-bi web3-bi-mcp
_web3_bi_words() { ${look(rows, '$*')}; }
_web3_bi() {
  local -a found
  found=("\${(@f)$(_web3_bi_words "\${(@)words[2,CURRENT-1]}")}")
  [[ -n $found ]] || { _files; return }
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found//$'\\t'/:}")
  _describe web3-bi found
}
compdef _web3_bi web3-bi web3-bi-mcp`,
  fish: (rows) => `function __web3_bi_words; ${look(rows, '$argv')}; end
function __web3_bi
    set -l before (commandline -opc)
    set -l found (__web3_bi_words $before[2..])
    if set -q found[1]
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c web3-bi -f -a '(__web3_bi)'
complete -c web3-bi-mcp -f -a '(__web3_bi)'`,
};
