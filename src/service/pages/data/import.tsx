import { Readable } from 'node:stream';
import type { VNode } from 'preact';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { importRows } from '../../../store/import/import.ts';
import type { ImportReport } from '../../../store/import/report.ts';
import { readSource } from '../../../store/import/source.ts';
import type { Kept, Records, Refused, Row } from '../../../store/port/records.ts';
import { Badge, Card, Copyable, count, Empty, Link, Notice, PageHead, PostForm, Select, Table } from '../components.tsx';
import { page, type Reply, type Route, type SignedVisit } from '../reply.ts';
import { forEditor } from './access.tsx';
import { labelOf } from './values.tsx';

const SHOWN_MAX = 20;

export const importRoutes: readonly Route[] = [
  forEditor('get', '/account/import', async () => page('Import', <Upload fault={undefined} type={undefined} />)),
  forEditor('post', '/account/import', async (visit) => (visit.form.values['confirmed'] === 'yes' ? confirm(visit) : preview(visit))),
];

const typeIn = ({ form }: SignedVisit): RecordType | undefined => RECORD_TYPES.find((one) => one === form.values['type']);

/** The text to import: of a file, of the field to paste into, or of the preview that is confirmed. */
const textIn = ({ form }: SignedVisit): string => form.file?.content.toString('utf8') ?? form.values['text'] ?? '';

/** A row that would make a difference, and which fields it would change. */
interface Difference {
  readonly name: string;
  readonly change: Kept['change'];
  readonly target: string;
  readonly fields: readonly { readonly name: string; readonly before: string; readonly after: string }[];
}

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
  const source = await readSource(Readable.from([Buffer.from(text)]), undefined, signal);
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
    if (differences.length >= SHOWN_MAX) return;
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
  const names = Array.isArray(value) ? value.map((item) => (item as { name?: string } | null)?.name ?? item) : undefined;
  const text = names?.every((name) => typeof name === 'string') ? names.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > SHORT_MAX ? `${text.slice(0, SHORT_MAX)}…` : text;
}

const typeOptions = RECORD_TYPES.map((type) => ({ value: type, label: labelOf(type) }));

function Upload({ fault, type }: { fault: string | undefined; type: RecordType | undefined }): VNode {
  return (
    <>
      <PageHead title="Import" lead="CSV, JSON or NDJSON. You see what would change before anything is written." />
      {fault === undefined ? null : <Notice tone="bad">{fault}</Notice>}
      <Card>
        <PostForm to="/account/import" enctype="multipart/form-data" class="stack">
          <Select label="Type" name="type" chosen={type} options={typeOptions} />
          <div class="field">
            <label for="file">File</label>
            <input id="file" name="file" type="file" accept=".csv,.json,.ndjson,.jsonl,.txt" aria-describedby="file-hint" />
            <p class="hint" id="file-hint">
              Up to 20 MB here; larger files with the command <code>web3-bi import</code>.
            </p>
          </div>
          <div class="field">
            <label for="text">Or paste rows</label>
            <textarea id="text" name="text" rows={6} class="code" spellcheck={false} placeholder={'name,website,tags\nAcme,https://acme.example,defi|wallets'} />
          </div>
          <button type="submit" class="button primary">
            Preview
          </button>
        </PostForm>
      </Card>
      <Card title="What rows look like">
        <p>Field names are those of the API; common other spellings are understood. Lists in CSV are separated by |.</p>
        <Copyable id="sample" label="sample CSV" text={'name,website,tags,city,country,year_founded\nAcme,https://acme.example,defi|wallets,Lisbon,Portugal,2021'} />
      </Card>
    </>
  );
}

function Counts({ report }: { report: ImportReport }): VNode {
  const { created, updated, unchanged, failed } = report;
  const figures = [
    ['New', created],
    ['Changed', updated],
    ['Unchanged', unchanged],
    ['Refused', failed],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([label, value]) => (
        <div key={label} class={label === 'Refused' && value > 0 ? 'bad' : undefined}>
          <dt>{label}</dt>
          <dd>{count(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function Preview({ report, differences, text }: { report: ImportReport; differences: readonly Difference[]; text: string }): VNode {
  const changes = report.created + report.updated;
  return (
    <>
      <PageHead title="Preview" lead={`What the import would do with ${count(report.read)} ${report.read === 1 ? 'row' : 'rows'}. Nothing is written yet.`} />
      <Counts report={report} />
      <Faults report={report} />
      {differences.length === 0 ? (
        <Card>
          <Empty title="Nothing would change" />
        </Card>
      ) : (
        <Card title={changes > differences.length ? `The first ${differences.length} changes` : 'Changes'}>
          <Differences type={report.type} differences={differences} />
        </Card>
      )}
      <PostForm to="/account/import" enctype="multipart/form-data">
        <input type="hidden" name="type" value={report.type} />
        <input type="hidden" name="confirmed" value="yes" />
        <textarea name="text" hidden aria-label="Rows">
          {text}
        </textarea>
        <div class="actions">
          {changes > 0 ? (
            <button type="submit" class="button primary">
              Import {count(changes)} {changes === 1 ? 'record' : 'records'}
            </button>
          ) : null}
          <Link to="/account/import" class="button plain">
            Start over
          </Link>
        </div>
      </PostForm>
    </>
  );
}

function Differences({ type, differences }: { type: RecordType; differences: readonly Difference[] }): VNode {
  return (
    <Table label="Changes" head={['Record', 'Change', 'Field', 'Now', 'Then']}>
      {differences.flatMap(({ name, change, target, fields }) =>
        fields.map((field, index) => (
          <tr key={`${target} ${field.name}`}>
            <td>{index > 0 ? '' : change === 'updated' ? <Link to={`/account/data/${type}/${target}`}>{name}</Link> : name}</td>
            <td>{index > 0 ? '' : <Badge tone={change === 'created' ? 'good' : 'info'}>{change}</Badge>}</td>
            <td>{labelOf(field.name)}</td>
            <td class="muted">{field.before || '–'}</td>
            <td>{field.after}</td>
          </tr>
        )),
      )}
    </Table>
  );
}

function Faults({ report }: { report: ImportReport }): VNode {
  const { errors, moreErrors, ignoredFields } = report;
  return (
    <>
      {ignoredFields.size === 0 ? null : (
        <Notice tone="warn">
          Fields that records do not have, and that are left out: {[...ignoredFields].slice(0, SHOWN_MAX).join(', ')}.
        </Notice>
      )}
      {errors.length === 0 ? null : (
        <Card title="Rows that are refused">
          <Table label="Refused rows" head={['Line', 'Field', 'What is wrong']}>
            {errors.slice(0, SHOWN_MAX).map(({ line, field, message }, index) => (
              <tr key={index}>
                <td class="number">{line}</td>
                <td>{field === null ? 'the row' : field}</td>
                <td>{message}</td>
              </tr>
            ))}
          </Table>
          {errors.length + moreErrors > SHOWN_MAX ? <p class="muted">and {count(errors.length + moreErrors - SHOWN_MAX)} more</p> : null}
        </Card>
      )}
    </>
  );
}

function Done({ report }: { report: ImportReport }): VNode {
  return (
    <>
      <PageHead
        title="Imported"
        action={
          <Link to={`/account/data?type=${report.type}`} class="button primary">
            Browse {report.type}
          </Link>
        }
      />
      <Notice tone={report.failed > 0 ? 'warn' : 'good'}>
        {count(report.created)} new, {count(report.updated)} changed, {count(report.unchanged)} as they were
        {report.failed > 0 ? `, ${count(report.failed)} refused` : ''}.
      </Notice>
      <Counts report={report} />
      <Faults report={report} />
    </>
  );
}
