import { Fragment, type VNode } from 'preact';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, Link, Notice, PageHead, PostForm, Submit } from '../components.tsx';
import { FormFaults, Select, TextArea, TextField } from '../fields.tsx';
import { type Faults, faultsOf } from '../form.ts';
import { formReply, type PageAnswer, type PageRoute, redirect, type SignedInRequest } from '../page-route.ts';
import { forEditor, noSuchRecord, typeOf } from './access-levels.tsx';
import { editedFields, type FormField, formFields, toText } from './fields.ts';

export const editRoutes: readonly PageRoute[] = [
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

async function create(pageRequest: SignedInRequest): Promise<PageAnswer> {
  const { deps, form, author } = pageRequest;
  const type = typeOf(pageRequest);
  try {
    const input = editedFields(type, {}, form.values);
    const { slug } = await deps.store.records.change({ action: 'create', type, input, author });
    return redirect(`/account/data/${type}/${slug}?done=saved`);
  } catch (error) {
    return show(pageRequest, { type, record: {} }, faultsOf(error));
  }
}

/** Saves the changed fields, unless the record has changed since the form was loaded. */
async function save(pageRequest: SignedInRequest): Promise<PageAnswer> {
  const { deps, form, author } = pageRequest;
  const edited = await find(pageRequest);
  const { type, record } = edited;
  const target = String(record['id']);
  const input = editedFields(type, record, form.values);
  try {
    const expected = [Number(form.values['version'])];
    if (Object.keys(input).length > 0)
      await deps.store.records.change({ action: 'merge', type, target, input, expected, author });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'precondition_failed') {
      return show(pageRequest, edited, {
        '': 'The record was changed by someone else in the meantime. Your text is below; compare both and save again.',
      });
    }
    return show(pageRequest, edited, faultsOf(error));
  }
  return redirect(`/account/data/${type}/${target}?done=saved`);
}

function show({ form }: SignedInRequest, edited: Edited, faults?: Faults): PageAnswer {
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

function EditPage({ title, edited, values, faults }: EditProps): VNode {
  const { type, record, version } = edited;
  const fields = formFields(type);
  const isNew = record['id'] === undefined;
  const path = isNew ? `/account/data/${type}/new` : `/account/data/${type}/${record['id']}/edit`;
  const plain = fields.filter(({ kind }) => kind !== 'json');
  const rich = fields.filter(({ kind }) => kind === 'json');
  return (
    <>
      <PageHead
        title={title}
        lead={`${isNew ? '' : 'Only the fields you change are saved. '}Leave a field empty if it is unknown.`}
      />
      {faults === undefined ? null : <NotSaved wrong={fields.filter(({ name }) => under(name, faults))} />}
      <FormFaults faults={faults} fields={fields.map(({ name }) => name)} />
      <PostForm to={path}>
        {version === undefined ? null : <input type="hidden" name="version" value={version} />}
        <Card>
          <div class="fields">
            {plain.map((field) => (
              <Input key={field.name} field={field} value={record[field.name]} values={values} faults={faults} />
            ))}
          </div>
        </Card>
        {rich.length === 0 ? null : (
          <details class="more" open={rich.some(({ name }) => under(name, faults))}>
            <summary>Lists of objects, as JSON</summary>
            <Card>
              {rich.map((field) => (
                <Input key={field.name} field={field} value={record[field.name]} values={values} faults={faults} />
              ))}
            </Card>
          </details>
        )}
        <div class="actions">
          <Submit>{isNew ? 'Create' : 'Save changes'}</Submit>
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

type InputProps = Pick<EditProps, 'values' | 'faults'> & { readonly field: FormField; readonly value: unknown };

function Input({ field: { name, kind, hint, options, isRequired }, value, values, faults }: InputProps): VNode {
  const text = values[name] ?? toText(kind, value);
  const common = { label: labelOf(name), name, hint, faults: under(name, faults) };
  if (kind === 'place') return <Place name={name} value={value} values={values} />;
  if (kind === 'choice') {
    const blank = { value: '', label: 'Not known' };
    return (
      <Select
        {...common}
        chosen={text}
        options={[blank, ...options.map((one) => ({ value: one, label: vocabularyLabel(one) }))]}
      />
    );
  }
  if (kind === 'list' || kind === 'names')
    return <TextArea {...common} hint={`${hint} One per line.`} text={text} rows={4} />;
  if (kind === 'text') return <TextArea {...common} text={text} rows={6} />;
  if (kind === 'json') return <TextArea {...common} text={text} rows={10} spellcheck={false} class="code" />;
  const input = { line: 'text', name: 'text', money: 'text', number: 'number', date: 'date', url: 'url' }[kind];
  return <TextField {...common} type={input} value={text} required={isRequired} />;
}

/** Stands above a form that is longer than the screen, and leads to what is wrong in it. */
function NotSaved({ wrong }: { wrong: readonly FormField[] }): VNode {
  return (
    <Notice tone="bad">
      Nothing is saved yet{wrong.length === 0 ? '.' : '; to correct: '}
      {wrong.map(({ name, kind }, index) => (
        <Fragment key={name}>
          {index === 0 ? '' : ', '}
          <a href={`#${name}${kind === 'place' ? '.city' : ''}`}>{labelOf(name)}</a>
        </Fragment>
      ))}
    </Notice>
  );
}

/** The error of a field, including those nested in it, with the label in place of the name. */
function under(name: string, faults: Faults | undefined): Faults | undefined {
  const found = Object.entries(faults ?? {}).find(([field]) => field === name || field.startsWith(`${name}.`));
  return found && { [name]: found[1].replace(new RegExp(`^${name}\\b`), labelOf(name)) };
}

function Place({ name, value, values }: Pick<InputProps, 'value' | 'values'> & { name: string }): VNode {
  const { city, country } = (value ?? {}) as { city?: string | null; country?: string | null };
  return (
    <>
      <TextField label="City" name={`${name}.city`} value={values[`${name}.city`] ?? city ?? ''} />
      <TextField label="Country" name={`${name}.country`} value={values[`${name}.country`] ?? country ?? ''} />
    </>
  );
}
