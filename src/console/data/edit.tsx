import { shownValue } from '../../contract/day-text.ts';
import { entityOf, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { FactList, Link, Notice, PageHead, PostForm, Submit } from '../components.tsx';
import { type Faults, faultsOf } from '../form.ts';
import { formReply, redirect, type SignedInRequest } from '../page-route.ts';
import { forEditor, noSuchRecord, typeOf } from './access-levels.tsx';
import { fromText, toText } from './field-texts.ts';
import { bySection, type FormField, formFields } from './fields.ts';
import { hasFault, type WordedFaults, wordFaults } from './form-faults.ts';
import { Input } from './form-inputs.tsx';
import { editedItems, rearranged } from './form-rows.ts';
import { FieldValue } from './values.tsx';

export const editRoutes = [
  forEditor('get', '/account/data/:type/new', async (pageRequest) =>
    show(pageRequest, { type: typeOf(pageRequest), record: {} }),
  ),
  forEditor('post', '/account/data/:type/new', create),
  forEditor('get', '/account/data/:type/:id/edit', async (pageRequest) => show(pageRequest, await find(pageRequest))),
  forEditor('post', '/account/data/:type/:id/edit', save),
];

/** The edited record; a new one has no id and no version. */
interface Edited {
  readonly type: RecordType;
  readonly record: Readonly<Record<string, unknown>>;
  readonly version?: number;
}

async function find(pageRequest: SignedInRequest): Promise<Edited> {
  const type = typeOf(pageRequest);
  const found = await pageRequest.deps.store.records.get(type, pageRequest.params['id'] ?? '');
  if (found === undefined) throw noSuchRecord(type);
  return { type, record: JSON.parse(found.json) as Record<string, unknown>, version: found.version };
}

async function create(pageRequest: SignedInRequest) {
  const { deps, form, author } = pageRequest;
  const type = typeOf(pageRequest);
  const values = rearranged(form.values);
  if (values !== undefined) return show({ ...pageRequest, form: { ...form, values } }, { type, record: {} });
  try {
    const input = editedFields(type, {}, form.values);
    const { slug } = await deps.store.records.change({ action: 'create', type, input, author });
    return redirect(`/account/data/${type}/${slug}?done=saved`);
  } catch (error) {
    return show(pageRequest, { type, record: {} }, faultsOf(error));
  }
}

/** Saves the changed fields, unless the record has changed since the form was loaded. */
async function save(pageRequest: SignedInRequest) {
  const { deps, form, author } = pageRequest;
  const current = await find(pageRequest);
  const { type, record } = current;
  const version = Number(form.values['version']);
  const values = rearranged(form.values);
  if (values !== undefined) return show({ ...pageRequest, form: { ...form, values } }, { ...current, version });
  const target = String(record['id']);
  const input = editedFields(type, record, form.values);
  try {
    if (Object.keys(input).length > 0)
      await deps.store.records.change({ action: 'merge', type, target, input, expected: [version], author });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'precondition_failed') {
      const differing = Object.keys(input).map(labelOf).join(', ');
      return show(pageRequest, current, {
        '': `The record was changed by someone else in the meantime. Your text is below; it differs from the record in: ${differing}. Compare both and save again.`,
      });
    }
    return show(pageRequest, { ...current, version }, faultsOf(error));
  }
  return redirect(`/account/data/${type}/${target}?done=saved`);
}

/** The changed fields of a form as a PATCH body: those whose text differs from the one shown. */
function editedFields(
  type: RecordType,
  record: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const changes: Record<string, unknown> = {};
  for (const field of formFields(type)) {
    const { name, kind } = field;
    const value = record[name];
    if (kind === 'rows') {
      const items = editedItems(type, field, value, values);
      if (items !== undefined) changes[name] = items;
      continue;
    }
    if (kind === 'place') {
      const [city, country] = [values[`${name}.city`], values[`${name}.country`]].map((text) => text?.trim() || null);
      const old = (value ?? {}) as { city?: string | null; country?: string | null };
      const isSame = (old.city ?? null) === city && (old.country ?? null) === country;
      if (values[`${name}.city`] !== undefined && !isSame)
        changes[name] = city === null && country === null ? null : { city, country };
      continue;
    }
    // A blank choice precedes the chosen ones, so that a form without any has the field.
    const text = values[name]?.replaceAll('\r\n', '\n').trim().replace(/^,/, '');
    if (text === undefined || text === toText(kind, value).trim()) continue;
    changes[name] = fromText(kind, text, value);
  }
  return changes;
}

function show({ form }: SignedInRequest, edited: Edited, faults?: Faults) {
  const { type, record } = edited;
  const title = record['id'] === undefined ? `New ${entityOf(type).noun}` : `Edit ${record['name']}`;
  const body = <EditPage title={title} edited={edited} values={form.values} faults={faults} />;
  return formReply(title, body, faults);
}

interface EditProps {
  readonly title: string;
  readonly edited: Edited;
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Faults | undefined;
}

function EditPage({ title, edited, values, faults }: EditProps) {
  const { type, record, version } = edited;
  const fields = formFields(type);
  const isNew = record['id'] === undefined;
  const path = isNew ? `/account/data/${type}/new` : `/account/data/${type}/${record['id']}/edit`;
  const save = isNew ? 'Create' : 'Save changes';
  const { beside, listed } = wordFaults(fields, faults, values);
  return (
    <>
      <PageHead
        title={title}
        lead={`${isNew ? '' : 'Only the fields you change are saved. '}Leave a field empty if it is unknown.`}
      />
      {faults === undefined ? null : <NotSaved listed={listed} />}
      <PostForm to={path} class="record-form">
        {/* What the Enter key sends, which is the first button of a form. */}
        <button type="submit" class="sr" tabIndex={-1} aria-hidden="true">
          {save}
        </button>
        {version === undefined ? null : <input type="hidden" name="version" value={version} />}
        {bySection(fields).map(([section, inSection]) => (
          <Section key={section} title={section} {...{ fields: inSection, record, values, faults: beside }} />
        ))}
        {isNew ? null : <FromRounds type={type} record={record} />}
        <div class="save-bar">
          <Submit>{save}</Submit>
          <Link
            to={isNew ? `/account/data?type=${type}` : `/account/data/${type}/${record['id']}`}
            class="button plain"
          >
            Cancel
          </Link>
        </div>
      </PostForm>
    </>
  );
}

interface SectionProps {
  readonly title: string;
  readonly fields: readonly FormField[];
  readonly record: Edited['record'];
  readonly values: EditProps['values'];
  readonly faults: Faults;
}

/** Fields that belong together: open where there is a text, something to fill or to correct. */
function Section({ title, fields, record, values, faults }: SectionProps) {
  const typed = Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ''));
  const isOpen = fields.some(
    ({ name, isRequired }) =>
      isRequired || !isBlank(record[name]) || values['add'] === name || hasFault({ ...faults, ...typed }, name),
  );
  return (
    <details class="card section" open={isOpen}>
      <summary>
        <h2>{title}</h2>
        <span class="muted">{fields.map(({ name }) => labelOf(name)).join(', ')}</span>
      </summary>
      <div class="fields">
        {fields.map((field) => (
          <Input key={field.name} {...{ field, value: record[field.name], values, faults }} />
        ))}
      </div>
    </details>
  );
}

/** Stands above a form that is longer than the screen, and leads to what is wrong in it. */
function NotSaved({ listed }: Pick<WordedFaults, 'listed'>) {
  return (
    <Notice tone="bad">
      <p>Nothing is saved yet{listed.some(({ input }) => input !== undefined) ? '. To correct:' : '.'}</p>
      <ul>
        {listed.map(({ input, text }) => (
          <li key={text}>{input === undefined ? text : <a href={`#${input}`}>{text}</a>}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** What the service computes, to read beside the fields. */
function FromRounds({ type, record }: Pick<Edited, 'type' | 'record'>) {
  const known = entityOf(type).fromRounds.filter((field) => field !== 'month_only' && !isBlank(record[field]));
  if (known.length === 0) return null;
  const shown = { ...record, type } as RecordData;
  return (
    <details class="card section">
      <summary>
        <h2>From its funding rounds</h2>
        <span class="muted">{known.map(labelOf).join(', ')}</span>
      </summary>
      <p class="muted">
        The service computes these from the rounds on record; what a source states beyond them stays. Edit{' '}
        <Link to={`/account/data/${type}/${record['slug']}/rounds`}>its rounds</Link> or{' '}
        <Link to="/account/data/rounds/new">add one</Link> to change them.
      </p>
      <FactList
        isBeside
        facts={known.map((field) => [
          labelOf(field),
          <FieldValue key={field} of={type} field={field} value={shownValue(shown, field)} />,
        ])}
      />
    </details>
  );
}
