import { OPERATOR } from '../store/port/audit.ts';
import type { RowInput } from '../store/port/records.ts';
import type { Store } from '../store/store.ts';
import { type Command, type CommandGroup, JSON_FLAG, YES_FLAG } from './command.ts';
import { packNames, packRows, shippedRows, withStore } from './configured-store.ts';
import { confirm } from './confirm.ts';
import { print, printJson, printToStderr, shownCount } from './output.ts';

const SETTINGS = ['database', 'data', 'state-dir'] as const;

const add: Command = {
  usage: 'data add [PACK]',
  positionalsMax: 1,
  about:
    'Add the shipped data set, or bring it up to date; unchanged records that it no longer has are dropped. PACK adds one with a licence of its own: privacy (ODbL).',
  example: 'web3-bi data add',
  flags: { json: JSON_FLAG },
  settings: SETTINGS,
  run: ({ settings, flags, positionals: [pack] }) => {
    return withStore(settings, async ({ records }) => {
      if (pack === undefined) {
        const kept = new Set(packNames().flatMap((name) => [...packRows(name)].map(keyOf)));
        const done = await addShipped(records, () => rememberKeys(shippedRows(), kept));
        // Records of an earlier release that neither the data set nor a pack has, such as joined duplicates.
        const dropped = await records.dropShipped(OPERATOR, (type, slug) => kept.has(`${type} ${slug}`));
        return show({ ...done, dropped }, flags['json']);
      }
      const done = await addShipped(records, () => packRows(pack));
      printToStderr(noticeOf(pack));
      return show(done, flags['json']);
    });
  },
};

/** Every pack has a licence of its own, whose duties begin when the database is passed on. */
const noticeOf = (pack: string): string =>
  `${pack} is under the Open Database License 1.0: a database with it that you pass on has to be offered under the same licence, and to name its source (data/packs/${pack}/README.md).`;

const drop: Command = {
  usage: 'data drop',
  positionalsMax: 0,
  about: 'Drop the unchanged records of the shipped data set. Terminals show a confirmation.',
  example: 'web3-bi data drop',
  flags: { yes: YES_FLAG, json: JSON_FLAG },
  settings: SETTINGS,
  needsDatabase: true,
  run: ({ settings, flags }) =>
    withStore(settings, async ({ records }) => {
      await confirm('Drop every unchanged record of the shipped data set?', flags);
      return show({ dropped: await records.dropShipped() }, flags['json']);
    }),
};

export const command: CommandGroup = {
  about: 'Add the shipped data set, or drop its unchanged records.',
  actions: { add, drop },
};

async function addShipped(
  records: Store['records'],
  rows: () => Iterable<RowInput>,
): Promise<Readonly<Record<string, number>>> {
  const counts = { created: 0, updated: 0, unchanged: 0 };
  for (const { change } of await records.addShipped(rows)) counts[change] += 1;
  return counts;
}

const keyOf = ({ type, input }: RowInput): string => `${type} ${input['slug']}`;

/** The rows, whose keys are noted as they are read. */
function* rememberKeys(rows: Iterable<RowInput>, keys: Set<string>): Iterable<RowInput> {
  for (const row of rows) {
    keys.add(keyOf(row));
    yield row;
  }
}

function show(done: Readonly<Record<string, number>>, isJson: unknown): number {
  if (isJson === true) printJson(done);
  else
    print(
      `${Object.entries(done)
        .map(([what, count]) => `${shownCount(count)} ${what}`)
        .join(', ')}.`,
    );
  return 0;
}
