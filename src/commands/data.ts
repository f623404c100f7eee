import { RECORD_TYPES } from '../contract/entities/index.ts';
import { countText } from '../contract/value-text.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { OPERATOR } from '../store/port/audit.ts';
import type { Store } from '../store/store.ts';
import { lowerPriority } from '../store/thread-priority.ts';
import { type Command, type CommandGroup, YES_FLAG } from './command.ts';
import { withStore } from './configured-store.ts';
import { confirm, printJson, printTable, printText, printToStderr } from './output.ts';
import { createStageProgress } from './progress.ts';
import {
  type Contents,
  changesText,
  contentsOf,
  countChanges,
  countedRows,
  packNames,
  packRows,
  shippedEdition,
  shippedRows,
  shippedUpdate,
} from './shipped-data.ts';

const list: Command = {
  usage: 'data list',
  about: 'Show the shipped data set, the packs and this database: newest date, records by type, licence.',
  example: 'web3-bi data',
  run: ({ settings, flags }) =>
    withStore(settings, async ({ records }) => {
      const sets = [
        { set: 'shipped', licence: 'open, by source', ...contentsOf(shippedRows()) },
        ...packNames().map((name) => ({ set: name, licence: PACK_LICENCE, ...contentsOf(packRows(name)) })),
        { set: 'this database', licence: null, ...(await heldIn(records)) },
      ];
      if (flags['json'] === true) printJson(sets);
      else {
        const headings = ['SET', 'AS OF', ...COUNTED.map((kind) => kind.toUpperCase())];
        const rows = sets.map(({ set, as_of, records: held }) => [
          set,
          as_of ?? '-',
          ...COUNTED.map((kind) => countText(held[kind])),
        ]);
        printTable([headings, ...rows], { whole: headings, dropped: ['AS OF', 'EVENTS', 'GRANTS'] });
        if (isBehind(sets[0]?.records, sets.at(-1)?.records))
          printToStderr('web3-bi data add updates this database to the shipped data set.');
        for (const pack of packNames())
          if (!(await hasPack(records, pack)))
            printToStderr(`web3-bi data add ${pack} adds that pack, which is under ${PACK_LICENCE}.`);
      }
    }),
};

const isBehind = (shipped?: Contents['records'], held?: Contents['records']): boolean =>
  COUNTED.some((kind) => (held?.[kind] ?? 0) < (shipped?.[kind] ?? 0));

const COUNTED = [...RECORD_TYPES, 'grants'] as const;

async function heldIn(records: Store['records']): Promise<Contents> {
  const { coverage } = await records.vocabulary();
  const { total: grants } = await records.search({
    types: ['rounds'],
    text: '',
    filters: { funding_stage: { mode: 'any', values: [GRANT] } },
    window: { offset: 0, limit: 0 },
  });
  const recordCounts = Object.fromEntries(
    RECORD_TYPES.map((type) => [type, coverage[type].records]),
  ) as Contents['records'];
  return {
    as_of: coverage.companies.covered,
    records: { ...recordCounts, rounds: recordCounts.rounds - grants, grants },
  };
}

async function hasPack(records: Store['records'], name: string): Promise<boolean> {
  for (const { type, input } of packRows(name))
    if ((await records.get(type, String(input['slug']))) === undefined) return false;
  return true;
}

const add: Command = {
  usage: 'data add [PACK]',
  about:
    'Add the shipped data set, or bring it up to date; unchanged records that it no longer has are dropped. PACK adds one with a licence of its own: privacy (ODbL).',
  example: 'web3-bi data add',
  completes: packNames(),
  createsDatabase: true,
  run: ({ settings, flags, positionals: [pack] }) => {
    const packed = pack === undefined ? undefined : packRows(pack);
    lowerPriority();
    return withStore(settings, async ({ records }) => {
      if (pack === undefined || packed === undefined) {
        const { rows, isKept, end } = shippedUpdate();
        const upserted = await records.addShipped(rows, { edition: shippedEdition() }).finally(end);
        // Records of an earlier release that neither the data set nor a pack has, such as joined duplicates.
        return show(countChanges(upserted, await records.dropShipped(OPERATOR, isKept)), flags['json']);
      }
      const progress = createStageProgress();
      const rows = [...packed];
      const done = countChanges(await records.addShipped(() => countedRows(rows, progress)).finally(progress.end));
      printToStderr(noticeOf(pack));
      return show(done, flags['json']);
    });
  },
};

const PACK_LICENCE = 'ODbL-1.0';

/** Every pack has its own licence, whose duties begin when the database is passed on. */
const noticeOf = (pack: string): string =>
  `${pack} is under the Open Database License 1.0: a database with it that you pass on has to be offered under the same licence, and to name its source (data/packs/${pack}/README.md).`;

const drop: Command = {
  usage: 'data drop',
  about: 'Drop the unchanged records of the shipped data set. Terminals show a confirmation.',
  example: 'web3-bi data drop',
  flags: { yes: YES_FLAG },
  run: ({ settings, flags }) =>
    withStore(settings, async ({ records }) => {
      await confirm('Drop every unchanged record of the shipped data set?', flags);
      lowerPriority();
      return show({ dropped: await records.dropShipped() }, flags['json']);
    }),
};

export const command: CommandGroup = {
  about: 'Show the data sets, add the shipped one or a pack, or drop unchanged records.',
  actions: { list, add, drop },
  defaultAction: 'list',
};

function show(done: Readonly<Record<string, number>>, isJson: unknown): void {
  if (isJson === true) printJson(done);
  else printText(`${changesText(done)}.`);
}
