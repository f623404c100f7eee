import { capitalize } from '../../contract/capitalize.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import { importColumnsOf, SAMPLE_CSV } from '../../contract/import-names.ts';
import { counted, countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { DIFFERENCES_MAX, type ImportJob, type ImportResult } from '../../service/imports/import-job.ts';
import { type Difference, differenceText, LOSES_SOURCE } from '../../store/import/differences.ts';
import { type ImportReport, NO_ROWS, placeText, unlinkedText } from '../../store/import/report.ts';
import {
  Badge,
  Card,
  EmptyCard,
  FactList,
  Link,
  Listed,
  Notice,
  namedRow,
  PageHead,
  PostForm,
  PrimaryLink,
  RecordLink,
  Submit,
  Table,
} from '../components.tsx';
import { Select } from '../fields.tsx';
import type { Form } from '../form.ts';
import { Figures } from '../lists.tsx';
import { pageReply, type SignedInRequest } from '../page-route.ts';
import { Unpublished } from '../program.tsx';
import { forEditor } from './access-levels.tsx';
import { HeldRows, Later, ROWS_PLACE, StartOver } from './import-later.tsx';
import { choicesIn, ImportChoices, PREVIEW_FORM, Undecided } from './import-proposals.tsx';
import { undoPath } from './import-undo.tsx';
import { inShort } from './values.tsx';

export const importRoutes = [
  forEditor('get', '/account/import', async () => pageReply('Import', <Upload />)),
  {
    ...forEditor('post', '/account/import', async (pageRequest) => {
      const { values } = pageRequest.form;
      const type = RECORD_TYPES.find((one) => one === values['type']);
      const content = contentIn(pageRequest);
      if (type === undefined || isBlank(content))
        return uploadAgain(content, { type, fault: 'Choose a type and a file, or paste rows.' });
      const isCorrected = values['correct'] === 'yes';
      const isDryRun = isCorrected || values['confirmed'] !== 'yes';
      const { author, deps } = pageRequest;
      const result = await deps.imports
        .run({ type, content, isDryRun, ...choicesIn(pageRequest), author })
        .catch(messageIfBusy);
      if (typeof result === 'string')
        return isCorrected
          ? uploadAgain(content, { type, fault: uncheckedText(result) })
          : later(content, values, result);
      if (result.report.read === 0 && result.report.failed === 0) return uploadAgain(content, { type, fault: NO_ROWS });
      if (isCorrected) return uploadAgain(content, { type, report: result.report });
      return isDryRun
        ? preview(content, { ...result, isPublic: deps.publicPages === true })
        : pageReply('Imported', <Done {...result} id={author.requestId} />);
    }),
    takesFile: true,
  },
];

/** What is said while other imports run. Throws any other error. */
function messageIfBusy(error: unknown): string {
  if (error instanceof ServiceError && error.code === 'unavailable') return error.message;
  throw error;
}

const uncheckedText = (why: string): string =>
  `${why} Your rows are below, and can be corrected meanwhile; Preview says what is wrong with them.`;

/** The content to import: a file, pasted text, or the rows of the confirmed preview. */
const contentIn = ({ form }: SignedInRequest): ImportJob['content'] =>
  form.file ?? [Buffer.from(form.values['text'] ?? '')];

const isBlank = (content: ImportJob['content']): boolean =>
  content.every((block) => block.every((byte) => byte <= SPACE));
const SPACE = 0x20;

/** The form with what was sent, to be corrected; a larger file must be chosen again. */
function uploadAgain(content: ImportJob['content'], given: UploadProps) {
  const status = given.fault === undefined ? 200 : 400;
  if (!isCorrectable(content)) return pageReply('Import', <Upload {...given} />, { status });
  const filling = { place: ROWS_PLACE, html: escaped(content) };
  return pageReply('Import', <Upload {...given} hasRows />, { status, filling });
}

/** Whether the content is short enough to be corrected in a page. */
const isCorrectable = (content: ImportJob['content']): boolean =>
  content.reduce((bytes, { length }) => bytes + length, 0) <= CORRECTABLE_BYTES_MAX;
const CORRECTABLE_BYTES_MAX = 100_000;

/** The confirmation form contains the content, to be sent again. */
const preview = (content: ImportJob['content'], result: Omit<PreviewProps, 'isCorrectable'>) =>
  pageReply('Import', <Preview {...result} isCorrectable={isCorrectable(content)} />, {
    filling: { place: ROWS_PLACE, html: escaped(content) },
  });

/** The same form with the same rows and choices, to be sent again. */
const later = (content: ImportJob['content'], values: Form['values'], why: string) =>
  pageReply('Import', <Later {...{ values, why }} />, {
    status: ERRORS.unavailable.status,
    filling: { place: ROWS_PLACE, html: escaped(content) },
  });

const ENTITIES = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
] as const;

/** UTF-8 as HTML, in blocks: bytes of longer characters never equal one of ASCII, so that a block may end within one. */
function* escaped(content: ImportJob['content']): Generator<Buffer> {
  for (const { buffer, byteOffset, length } of content) {
    let text = Buffer.from(buffer, byteOffset, length).toString('latin1');
    for (const [sign, entity] of ENTITIES) text = text.replaceAll(sign, entity);
    yield Buffer.from(text, 'latin1');
  }
}

const typeOptions = RECORD_TYPES.map((type) => ({ value: type, label: labelOf(type) }));

interface UploadProps {
  readonly fault?: string;
  readonly type?: RecordType | undefined;
  /** Whether the rows are filled in. */
  readonly hasRows?: boolean;
  /** What is to be corrected in the rows. */
  readonly report?: ImportReport;
}

function Upload({ fault, type, hasRows = false, report }: UploadProps) {
  return (
    <>
      <PageHead title="Import" lead="CSV, JSON or NDJSON. Changes are previewed before anything is written." />
      {fault === undefined ? null : <Notice tone="bad">{fault}</Notice>}
      {report === undefined ? null : <Faults report={report} />}
      <Card>
        <PostForm to="/account/import" enctype="multipart/form-data" class="stack">
          <Select label="Type" name="type" chosen={type} options={typeOptions} />
          <div class="field">
            <label for="file">File</label>
            <input
              id="file"
              name="file"
              type="file"
              accept=".csv,.json,.ndjson,.jsonl,.txt"
              aria-describedby="file-hint"
            />
            <p class="hint" id="file-hint">
              Up to 20 MB here; larger files with the command <code>web3-bi import</code>.
            </p>
          </div>
          <div class="field">
            <label for="text">Or paste rows</label>
            <textarea
              id="text"
              name="text"
              rows={6}
              class="code"
              spellcheck={false}
              placeholder={SAMPLE_CSV}
              dangerouslySetInnerHTML={{ __html: hasRows ? ROWS_PLACE : '' }}
            />
          </div>
          <Submit>Preview</Submit>
        </PostForm>
        <Unpublished command="web3-bi" />
      </Card>
      <Card title="How rows are read">
        <FactList isBeside facts={READING} />
      </Card>
      <Card title="Columns">
        <p class="muted">Every row needs a name, and a round its company. Usual other names are understood.</p>
        <FactList isBeside facts={RECORD_TYPES.map((type) => [labelOf(type), importColumnsOf(type).join(', ')])} />
      </Card>
    </>
  );
}

const READING: readonly (readonly [string, string])[] = [
  [
    'Known records',
    'A row changes the record of its slug, or that it is about. What is uncertain is for you to choose.',
  ],
  [
    'Empty cells',
    'They change nothing. A list replaces the list of the record; without a slug, those of a round only grow.',
  ],
  ['Lists in CSV', 'DeFi|Lending: a comma or semicolon is part of a value.'],
  ['Dates, amounts', '2024-03-05 or 5 March 2024; 1250000, 1,250,000 or $5M.'],
  ['People, investors', 'Written by name or slug, and linked to their records.'],
  ['Undo', 'From the page after the import, or from the audit log.'],
];

function Counts({ report }: { report: ImportReport }) {
  const { created, updated, unchanged, failed, leftOut } = report;
  const figures = [
    { label: 'New', value: countText(created) },
    { label: 'Changed', value: countText(updated) },
    { label: 'Unchanged', value: countText(unchanged) },
    { label: 'Refused', value: countText(failed), isBad: failed > 0 },
    ...(leftOut === 0 ? [] : [{ label: 'Left out', value: countText(leftOut) }]),
  ];
  return <Figures figures={figures} />;
}

interface PreviewProps extends ImportResult {
  readonly isPublic: boolean;
  readonly isCorrectable: boolean;
}

function Preview({ report, doubtful, joined, isPublic, isCorrectable }: PreviewProps) {
  const { differences } = report;
  const changes = report.created + report.updated;
  const isChosen = doubtful.length + joined.length > 0;
  return (
    <>
      <PageHead
        title="Preview"
        lead={`What the import would do with ${counted(report.read, 'rows')}. Nothing is written yet.`}
      />
      <Counts report={report} />
      <ImportChoices {...{ report, doubtful, joined }} />
      <Faults report={report} />
      {differences.length === 0 ? (
        <EmptyCard title="Nothing would change" />
      ) : (
        <Card title={changes > differences.length ? `The first ${differences.length} changes` : 'Changes'}>
          <Differences type={report.type} differences={differences} />
        </Card>
      )}
      <PostForm id={PREVIEW_FORM} to="/account/import" enctype="multipart/form-data" class="stack">
        <input type="hidden" name="type" value={report.type} />
        <input type="hidden" name="confirmed" value="yes" />
        <HeldRows />
        {isPublic && (changes > 0 || isChosen) ? (
          <p>Imported records are public at once: this service has public pages.</p>
        ) : null}
        <div class="actions">
          {changes > 0 || isChosen ? (
            <Submit>{isChosen ? 'Import as chosen' : `Import ${counted(changes, 'records')}`}</Submit>
          ) : null}
          {isCorrectable ? (
            <Submit look="plain" name="correct" value="yes">
              Correct the rows
            </Submit>
          ) : null}
          <StartOver />
        </div>
      </PostForm>
    </>
  );
}

const SHOWN_MAX = 80;

function Differences({ type, differences }: { type: RecordType; differences: readonly Difference[] }) {
  return (
    <Table label="Changes" head={['Record', 'Change', 'Fields']}>
      {differences.map(({ name, change, record: slug, fields }) =>
        namedRow(
          slug,
          change === 'updated' ? <Link to={`/account/data/${type}/${slug}`}>{name}</Link> : name,
          <Badge tone={change === 'created' ? 'good' : 'info'}>{change}</Badge>,
          <ul class="changed">
            {fields
              .filter((field) => change === 'updated' || field.name !== 'name')
              .map((field) => (
                <li key={field.name}>
                  <span class="muted">{labelOf(field.name)}</span>{' '}
                  {change === 'updated' ? `${shortText(field.name, field.before)} → ` : ''}
                  {change === 'updated' && shortText(field.name, field.before) === shortText(field.name, field.after)
                    ? 'another text with the same beginning'
                    : shortText(field.name, field.after)}
                  {field.isUncited ? <span class="muted"> ({LOSES_SOURCE})</span> : null}
                </li>
              ))}
          </ul>,
        ),
      )}
    </Table>
  );
}

const shortText = (field: string, value: unknown): string =>
  inShort(differenceText(field, value), SHOWN_MAX) || 'not known';

function Faults({ report }: { report: ImportReport }) {
  const { errors, moreErrors, ignoredFields, warnings } = report;
  const unlinked = unlinkedText(report);
  return (
    <>
      {ignoredFields.size === 0 ? null : (
        <Notice tone="warn">
          Fields and values that records do not have, and that are left out:{' '}
          {[...ignoredFields].slice(0, DIFFERENCES_MAX).join(', ')}.
        </Notice>
      )}
      {unlinked === '' ? null : (
        <Notice tone="warn">Kept as names, because no record, or several, have them: {unlinked}.</Notice>
      )}
      {warnings.length === 0 ? null : (
        <Card title="Values to check">
          <p class="muted">No row is refused for them. Where one is wrong, correct the file and import it again.</p>
          <Table
            label="Values to check"
            head={['Value', 'Field', 'Why', 'First line', 'Rows']}
            numbers={['First line', 'Rows']}
          >
            {warnings.map(({ rows, line, field, value, message, meant }) => {
              const why = meant === undefined ? message : `${message} (${meant}?)`;
              return namedRow(`${field} ${message}`, value, labelOf(field), why, line, countText(rows));
            })}
          </Table>
        </Card>
      )}
      {errors.length === 0 ? null : (
        <Card title="Refused rows">
          <Table label="Refused rows" head={['Where', 'Record', 'Value', 'Error']}>
            {errors.slice(0, DIFFERENCES_MAX).map(({ field, message, name = '', value = '', ...row }, index) => {
              const where = [placeText(row), ...(field === null ? [] : [labelOf(field)])].join(', ');
              return namedRow(index, capitalize(where), name, value, message.replaceAll('`', ''));
            })}
          </Table>
          {errors.length + moreErrors > DIFFERENCES_MAX ? (
            <p class="muted">and {countText(errors.length + moreErrors - DIFFERENCES_MAX)} more</p>
          ) : null}
        </Card>
      )}
    </>
  );
}

function Done({ report, doubtful, joined, written, id }: ImportResult & { id: string | null }) {
  const rows = report.created + report.updated;
  return (
    <>
      <PageHead
        title="Imported"
        action={<PrimaryLink to={lastChangedPath(report.type)}>Browse {report.type}</PrimaryLink>}
      />
      <Notice tone={report.failed > 0 ? 'warn' : 'good'}>
        {rows === 0 ? 'Nothing was written.' : `${counted(rows, 'rows')} ${rows === 1 ? 'is' : 'are'} written.`}
        {report.failed > 0 ? ` ${countText(report.failed)} refused: correct and import only those.` : ''}{' '}
        {id === null || rows === 0 ? null : <Link to={undoPath(id)}>Undo this import</Link>}
      </Notice>
      <Counts report={report} />
      {rows === 0 ? null : (
        <Card title="Imported records">
          <FactList
            isBeside
            facts={[
              ['New', writtenList(report.type, written.created)],
              ['Changed', writtenList(report.type, written.updated)],
            ]}
          />
        </Card>
      )}
      <Faults report={report} />
      <Undecided {...{ report, doubtful, joined }} />
    </>
  );
}

const lastChangedPath = (type: RecordType): string => `/account/data?type=${type}&sort=-updated_at`;

/** Null without records. */
function writtenList(type: RecordType, { count, first }: ImportResult['written']['created']) {
  if (first.length === 0) return null;
  const links = first.map(({ slug, name }) => <RecordLink key={slug} to={{ type, slug, name }} />);
  const more = count - first.length;
  const others = more > 0 ? [<Link to={lastChangedPath(type)}>{countText(more)} more</Link>] : [];
  return <Listed parts={[...links, ...others]} />;
}
