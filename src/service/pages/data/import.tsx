import { Readable } from 'node:stream';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { importRows } from '../../../store/import/import.ts';
import type { ImportReport } from '../../../store/import/report.ts';
import { readSource } from '../../../store/import/source.ts';
import type { Kept, Records, Refused, Row } from '../../../store/port/records.ts';
import { page, type Reply, type Route, type SignedVisit } from '../reply.ts';
import { forEditor } from './access.tsx';
import { DIFFERENCES_MAX, type Difference, Done, Preview, Upload } from './import-pages.tsx';

export const importRoutes: readonly Route[] = [
  forEditor('get', '/account/import', async () => page('Import', <Upload fault={undefined} type={undefined} />)),
  {
    ...forEditor('post', '/account/import', async (visit) =>
      visit.form.values['confirmed'] === 'yes' ? confirm(visit) : preview(visit),
    ),
    takesFile: true,
  },
];

const typeIn = ({ form }: SignedVisit): RecordType | undefined =>
  RECORD_TYPES.find((one) => one === form.values['type']);

/** The text to import: of a file, of the field to paste into, or of the preview that is confirmed. */
const textIn = ({ form }: SignedVisit): string => form.file?.content.toString('utf8') ?? form.values['text'] ?? '';

async function preview(visit: SignedVisit): Promise<Reply> {
  const { deps } = visit;
  const type = typeIn(visit);
  const text = textIn(visit);
  if (type === undefined || text.trim() === '') {
    return page('Import', <Upload fault="Choose a type and a file, or paste rows." type={type} />, { status: 400 });
  }
  const { records } = deps.store;
  const differences: Difference[] = [];
  const watched: Records = {
    ...records,
    tryEach: async (rows) => {
      const outcomes = await records.tryEach(rows);
      await collect(records, { type, rows, outcomes, differences });
      return outcomes;
    },
  };
  const report = await run(watched, { type, text, isDryRun: true });
  return page('Import', <Preview report={report} differences={differences} text={text} />);
}

async function confirm(visit: SignedVisit): Promise<Reply> {
  const { deps, author } = visit;
  const type = typeIn(visit);
  if (type === undefined) return preview(visit);
  const { records } = deps.store;
  const signed: Records = { ...records, putEach: (rows) => records.putEach(rows, author) };
  const report = await run(signed, { type, text: textIn(visit), isDryRun: false });
  return page('Imported', <Done report={report} />);
}

interface Job {
  readonly type: RecordType;
  readonly text: string;
  readonly isDryRun: boolean;
}

async function run(records: Records, { type, text, isDryRun }: Job): Promise<ImportReport> {
  const { signal } = new AbortController();
  const source = await readSource(Readable.from([Buffer.from(text)]), { type }, signal);
  return importRows({ records, type, source, isDryRun, signal, onBatch: () => undefined });
}

interface Tried {
  readonly type: RecordType;
  readonly rows: readonly Row[];
  readonly outcomes: readonly (Kept | Refused)[];
  readonly differences: Difference[];
}

/** Shows what the first rows would change, field by field. */
async function collect(records: Records, { type, rows, outcomes, differences }: Tried): Promise<void> {
  for (const [index, outcome] of outcomes.entries()) {
    if (differences.length >= DIFFERENCES_MAX) return;
    if (outcome.change !== 'created' && outcome.change !== 'updated') continue;
    const input = rows[index]?.input ?? {};
    const found = outcome.change === 'updated' ? await records.get(type, outcome.slug) : undefined;
    const before = found === undefined ? {} : (JSON.parse(found.json) as Record<string, unknown>);
    const fields = Object.entries(input)
      .filter(([name, value]) => name !== 'slug' && short(before[name]) !== short(value))
      .map(([name, value]) => ({ name, before: short(before[name]), after: short(value) }));
    const name = String(input['name'] ?? before['name'] ?? outcome.slug);
    differences.push({ name, change: outcome.change, target: outcome.slug, fields });
  }
}

const SHORT_MAX = 80;

/** A value in a line. References are shown by name. */
function short(value: unknown): string {
  if (value === null || value === undefined) return '';
  const names = [value].flat().map((item) => (item as { name?: string } | null)?.name ?? item);
  const isObject = typeof value === 'object' && !names.every((name) => typeof name === 'string');
  const text = isObject ? JSON.stringify(value) : names.join(', ');
  return text.length > SHORT_MAX ? `${text.slice(0, SHORT_MAX)}…` : text;
}
