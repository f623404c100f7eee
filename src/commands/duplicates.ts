import { NAMED_TYPES, type NamedType } from '../contract/entities/index.ts';
import { parseNumber } from '../contract/fields.ts';
import { counted } from '../contract/value-text.ts';
import { OPERATOR } from '../store/port/audit.ts';
import { DUPLICATE_STATES, type Duplicate, type DuplicateState } from '../store/port/duplicates.ts';
import { type Command, type CommandGroup, type Flag, numberOption, option } from './command.ts';
import { UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import {
  cut,
  isTerminal,
  print,
  printable,
  printJson,
  printTable,
  printText,
  printToStderr,
  styled,
  terminalWidth,
} from './output.ts';

const TYPE: Flag = option('TYPE', 'Only records of this type.', {
  choices: NAMED_TYPES,
  choicesText: `one of ${NAMED_TYPES.join(', ')}; rounds that may be one are named by the import that adds them`,
});
const LIMIT: Flag = numberOption('Maximum number of results.', { max: 1_000, default: 20 });

const typesOf = (type: unknown): readonly NamedType[] => (type === undefined ? NAMED_TYPES : [type as NamedType]);

const scan: Command = {
  usage: 'duplicates scan',
  about: 'Search all records for probable duplicates. Decided pairs stay decided.',
  example: 'web3-bi duplicates scan --type companies',
  flags: { type: TYPE },
  run: ({ settings, flags }) =>
    withStore(settings, async ({ duplicates }) => {
      const open = await duplicates.scan(typesOf(flags['type']), OPERATOR);
      if (flags['json'] === true) printJson({ open });
      else
        printText(`${counted(open, 'candidates')} ${open === 1 ? 'is' : 'are'} open; web3-bi duplicates lists them.`);
    }),
};

const list: Command = {
  usage: 'duplicates list',
  about:
    'List probable duplicates, the likeliest first, with reason and score in percent. Searches for them if none is known.',
  example: 'web3-bi duplicates list --type companies',
  flags: {
    type: TYPE,
    state: option('STATE', 'Which pairs.', { choices: DUPLICATE_STATES, default: 'open' }),
    limit: LIMIT,
  },
  run: ({ settings, flags }) =>
    withStore(settings, async ({ duplicates }) => {
      const query = {
        type: flags['type'] as NamedType | undefined,
        state: flags['state'] as DuplicateState,
        limit: flags['limit'] as number,
      };
      const known = await duplicates.list(query);
      if (known.length === 0 && query.state === 'open') await duplicates.scan(typesOf(query.type), OPERATOR);
      const pairs = known.length === 0 ? await duplicates.list(query) : known;
      if (flags['json'] === true) printJson(pairs);
      else if (pairs.length === 0) printToStderr('No pairs.');
      else if (isTerminal()) showPairs(pairs, await duplicates.count(query));
      else {
        printTable([['ID', 'TYPE', 'SCORE', 'REASON', 'RECORD', 'OTHER'], ...pairs.map(cellsOf)]);
        printTotal(pairs, await duplicates.count(query));
      }
    }),
};

/** Prints the two records of a pair one below the other, because their fields do not fit side by side. */
function showPairs(pairs: readonly Duplicate[], total: number): void {
  for (const { id, type, score, reason, records, gone_id: gone } of pairs) {
    printText(`${type}, ${score}%: ${printable(reason)}`, `${styled('bold', String(id))}  `);
    for (const { id: record, slug, name, website, line } of records) {
      const title = `   ${slug}${record === gone ? ', merged' : ''}  ${printable(name)}`;
      print(
        website === null
          ? cut([title, ...(line === null ? [] : [printable(line)])].join(', '), terminalWidth())
          : `${title}, ${website}`,
      );
    }
  }
  printTotal(pairs, total);
}

function printTotal(pairs: readonly Duplicate[], total: number): void {
  const shown = pairs.length;
  const more = total > shown ? `, of which these are ${shown}; --limit shows more` : '';
  printToStderr(`${counted(total, 'pairs')}${more}`);
  printToStderr('The percentage estimates how often two records that are alike in this way are one.');
  printToStderr('web3-bi duplicates accept ID merges the two of a pair; reject ID keeps them apart.');
}

function cellsOf({ id, type, score, reason, records: [left, right], gone_id: gone }: Duplicate): string[] {
  const named = (record: Duplicate['records'][number]): string =>
    `${record.slug} (${record.website ?? record.name})${record.id === gone ? ', merged' : ''}`;
  return [String(id), type, `${score}%`, reason, named(left), named(right)];
}

const accept: Command = {
  usage: 'duplicates accept ID',
  about:
    'Merge the two records of a pair. No data is lost, the old address redirects to the remaining record, and undo reverts it.',
  example: 'web3-bi duplicates accept 12 --keep uniswap',
  flags: {
    keep: option('SLUG', 'The record that stays; by default the older one.'),
  },
  run: ({ settings, flags, positionals: [text] }) => {
    const id = numberOf(text, 'accept');
    return withStore(settings, async ({ duplicates }) => {
      const survivor = await duplicates.merge(id, OPERATOR, flags['keep'] as string | undefined);
      if (flags['json'] === true) printJson(JSON.parse(survivor.json));
      else printText(`Merged into ${survivor.slug}. To undo: web3-bi duplicates undo ${id}`);
    });
  },
};

const merge: Command = {
  usage: 'duplicates merge TYPE KEEP OTHER',
  about: 'Merge two records that are no candidates, by number or slug; the first one stays.',
  example: 'web3-bi duplicates merge companies uniswap uniswap-labs',
  completes: NAMED_TYPES,
  run: ({ settings, flags, positionals: [type, keep, other] }) => {
    const found = NAMED_TYPES.find((one) => one === type);
    if (found === undefined || keep === undefined || other === undefined)
      throw new UsageError(`merge needs a type (${NAMED_TYPES.join(', ')}) and two records, such as: ${merge.example}`);
    return withStore(settings, async ({ duplicates }) => {
      const pair = await duplicates.mergeChosen({ type: found, keep, other }, OPERATOR);
      if (flags['json'] === true) printJson(pair);
      else printText(`Merged. To undo: web3-bi duplicates undo ${pair.id}`);
    });
  },
};

/** An action that decides about a pair and prints only a confirmation. */
const deciding = (action: 'reject' | 'undo', about: string, done: string): Command => ({
  usage: `duplicates ${action} ID`,
  about,
  example: `web3-bi duplicates ${action} 12`,
  run: ({ settings, flags, positionals: [text] }) => {
    const id = numberOf(text, action);
    return withStore(settings, async ({ duplicates }) => {
      await duplicates[action](id, OPERATOR);
      if (flags['json'] === true) printJson(await duplicates.find(id));
      else print(done);
    });
  },
});

function numberOf(text: string | undefined, action: string): number {
  const id = parseNumber(text) ?? 0;
  if (id > 0) return id;
  throw new UsageError(`Which pair? Give its number from the list, such as: web3-bi duplicates ${action} 12`);
}

export const command: CommandGroup = {
  about: 'Find records that may be one, and merge them or keep them apart.',
  actions: {
    list,
    scan,
    accept,
    reject: deciding(
      'reject',
      'Mark the two records of a pair as different; the pair is not listed again.',
      'Kept apart.',
    ),
    merge,
    undo: deciding(
      'undo',
      'Undo a merge: both records are as before it, except for later changes.',
      'Both records are restored.',
    ),
  },
  defaultAction: 'list',
};
