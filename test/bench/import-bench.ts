import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { RecordType } from '../../src/contract/entities/index.ts';
import { importRows } from '../../src/store/import/import.ts';
import { openFile, readSource } from '../../src/store/import/import-source.ts';
import { openStore } from '../../src/store/open.ts';
import { searchedDocument } from '../../src/store/search/searched-document.ts';
import { openDatabase } from '../../src/store/sqlite/database.ts';
import { openSqlite } from '../../src/store/sqlite/driver.ts';
import { createSearchIndex } from '../../src/store/sqlite/search/sqlite-search-index.ts';
import { temporaryFolder } from '../support/program.ts';
import { companyRows, importRates, writeRows } from './import-rates.ts';
import { batches } from './search/synthetic.ts';

/** Rows per transaction of what an import is measured against. */
const BATCH = 400;
const TYPE: RecordType = 'companies';
const STATUS = '/proc/self/status';
/** Fields of a company whose words are searched. */
const FTS5_FIELDS = ['name', 'tags', 'tagline', 'overview'] as const;
/** As noted without the words of records, which are all that is made anew then; and as noted without anything. */
const NO_WORDS = `json_remove(value, '$."${TYPE} words"')`;
const NOTHING = "'{}'";
const SIDE_TABLES = ['record_keys', 'labels'] as const;

/**
 * `npm run bench -- import [--records 100000]`: the whole import of an NDJSON file (reading, mapping, checking, linking,
 * keeping) against a bare batched insert of the finished rows into the same tables and index, and against FTS5 with prefixes.
 * Then all that is derived is made anew, and the index alone, as after a change of its definitions; then companies, investors
 * and rounds on both engines, in rows per second of processor time (of all threads together), which other programs on the
 * machine do not change.
 */
export async function importBench(words: readonly string[]): Promise<object> {
  const { values } = parseArgs({ args: [...words], options: { records: { type: 'string', default: '20000' } } });
  const records = Number(values.records);
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'companies.ndjson');
    await writeRows(file, companyRows(records));
    const imported = await importFile(file, join(folder.path, 'imported.db'));
    const rebuilt = await rebuild(join(folder.path, 'imported.db'), NOTHING);
    const index = await rebuild(join(folder.path, 'imported.db'), NO_WORDS);
    const bareSeconds = await insertBare(join(folder.path, 'imported.db'), join(folder.path, 'bare.db'));
    const fts5Seconds = fillFts5(companyRows(records), join(folder.path, 'fts5.db'));
    const result = {
      records,
      importedPerSecond: records / imported.seconds,
      importedPerProcessorSecond: records / imported.processorSeconds,
      indexedPerProcessorSecond: records / index.processorSeconds,
      rebuiltPerProcessorSecond: records / rebuilt.processorSeconds,
      importedToFts5: fts5Seconds / imported.processorSeconds,
      rebuiltToFts5: fts5Seconds / rebuilt.processorSeconds,
      rebuiltMegabytes: rebuilt.megabytes,
      barePerSecond: records / bareSeconds,
      ratio: bareSeconds / imported.seconds,
      memoryAtQuarterMegabytes: imported.megabytes[Math.floor(imported.megabytes.length / 4)] ?? 0,
      memoryAtEndMegabytes: imported.megabytes.at(-1) ?? 0,
    };
    console.table(Object.fromEntries(Object.entries(result).map(([name, value]) => [name, Number(value.toFixed(2))])));
    const rates = await importRates(folder.path, records);
    console.table(rates);
    return { ...result, rates };
  } finally {
    folder.remove();
  }
}

/** Without the pages of files, which the system takes back when it needs them, where the system tells the two apart. */
function residentMegabytes(): number {
  const status = existsSync(STATUS) ? readFileSync(STATUS, 'utf8') : '';
  const kilobytes = /^RssAnon:\s+(\d+)/m.exec(status)?.[1];
  return kilobytes === undefined ? process.memoryUsage().rss / 1e6 : (Number(kilobytes) * 1024) / 1e6;
}

interface Imported {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly megabytes: number[];
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Has the next start make anew what other definitions than those that are noted made, and starts. */
async function rebuild(file: string, noted: string): Promise<{ processorSeconds: number; megabytes: number }> {
  const { database } = await openDatabase(file);
  database.exec(`UPDATE search_definitions SET value = ${noted} WHERE name = 'current'`);
  database.close();
  const before = processorSeconds();
  const store = await openStore(`sqlite:${file}`);
  const spent = processorSeconds() - before;
  await store.close();
  return { processorSeconds: spent, megabytes: residentMegabytes() };
}

async function importFile(file: string, database: string): Promise<Imported> {
  const store = await openStore(`sqlite:${database}`);
  const { signal } = new AbortController();
  const megabytes: number[] = [];
  const startedAt = performance.now();
  const before = processorSeconds();
  const source = await readSource(openFile(file), { type: TYPE, format: 'ndjson' }, signal);
  const onBatch = (): void => void megabytes.push(residentMegabytes());
  const { records, compactIndex } = store;
  await importRows({ records, compactIndex, type: TYPE, source, isDryRun: false, signal, onBatch });
  const seconds = (performance.now() - startedAt) / 1000;
  const spent = processorSeconds() - before;
  await store.close();
  return { seconds, processorSeconds: spent, megabytes };
}

/**
 * Fills a table of the rows and an FTS5 index with prefixes of 2 and 3 from the same words, and merges its segments.
 * @returns the seconds of processor time
 */
function fillFts5(rows: Iterable<object>, file: string): number {
  const database = openSqlite(file);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE companies (id INTEGER PRIMARY KEY, document TEXT NOT NULL)');
  database.exec(`CREATE VIRTUAL TABLE words USING fts5(${FTS5_FIELDS.join()}, tokenize = 'porter', prefix = '2 3')`);
  const keep = database.prepare('INSERT INTO companies (document) VALUES (?)');
  const index = database.prepare(`INSERT INTO words VALUES (${FTS5_FIELDS.map(() => '?').join()})`);
  const before = processorSeconds();
  const put = database.transaction((batch: readonly object[]) => {
    for (const row of batch) {
      keep.run(JSON.stringify(row));
      index.run(FTS5_FIELDS.map((field) => [(row as Record<string, unknown>)[field]].flat().join(' ')));
    }
  });
  for (const batch of batches(rows, BATCH)) put.immediate(batch);
  database.exec("INSERT INTO words (words) VALUES ('optimize')");
  const spent = processorSeconds() - before;
  database.close();
  return spent;
}

/** Copies what an import made, batch by batch, with nothing read, mapped, checked or linked. */
async function insertBare(from: string, to: string): Promise<number> {
  const { database } = await openDatabase(to);
  database.prepare('ATTACH ? AS made').run(from);
  const index = createSearchIndex(database, [TYPE]);
  const ids = database.prepare<[number], { id: number; document: string }>(
    `SELECT id, document FROM made.${TYPE} WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
  );
  const insert = database.prepare(`INSERT INTO main.${TYPE} SELECT * FROM made.${TYPE} WHERE id > ? AND id <= ?`);
  const beside = SIDE_TABLES.map((table) =>
    database.prepare(
      `INSERT INTO main.${table} SELECT * FROM made.${table} WHERE type = '${TYPE}' AND id > ? AND id <= ?`,
    ),
  );
  const copy = database.transaction((first: number, last: number, rows: readonly { document: string }[]) => {
    insert.run(first, last);
    for (const statement of beside) statement.run(first, last);
    index.putMany(
      TYPE,
      rows.map((row) => searchedDocument(JSON.parse(row.document), 0)),
      'later',
    );
  });
  const compact = database.transaction(() => index.compact());
  const startedAt = performance.now();
  let last = 0;
  for (let rows = ids.all(last); rows.length > 0; rows = ids.all(last)) {
    const end = rows.at(-1)?.id ?? last;
    copy.immediate(last, end, rows);
    last = end;
  }
  while (compact.immediate());
  const seconds = (performance.now() - startedAt) / 1000;
  database.close();
  return seconds;
}
