import type { VNode } from 'preact';
import { entityOf, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { MONEY_FORM } from '../../contract/fields.ts';
import { isVocabularyField, labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, FactList, Link, Notice, PageHead, PostForm, Submit } from '../components.tsx';
import { shownValue } from '../day-text.ts';
import { Checkboxes, Select, TextArea, TextField } from '../fields.tsx';
import { type Faults, faultsOf } from '../form.ts';
import { formReply, type PageAnswer, type PageRoute, redirect, type SignedInRequest } from '../page-route.ts';
import { forEditor, noSuchRecord, typeOf } from './access-levels.tsx';
import { bySection, editedFields, type FormField, formFields, MONEY_TYPED, toText } from './fields.ts';
import { FieldValue, isBlank, joinTexts } from './values.tsx';

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
  return (
    <>
      <PageHead
        title={title}
        lead={`${isNew ? '' : 'Only the fields you change are saved. '}Leave a field empty if it is unknown.`}
      />
      {faults === undefined ? null : <NotSaved faults={faults} fields={fields} />}
      <PostForm to={path}>
        {version === undefined ? null : <input type="hidden" name="version" value={version} />}
        {bySection(fields).map(([section, inSection]) => (
          <Card key={section} title={section}>
            <div class="fields">
              {inSection.map((field) => (
                <Input key={field.name} field={field} value={record[field.name]} values={values} faults={faults} />
              ))}
            </div>
          </Card>
        ))}
        {isNew ? null : <FromRounds type={type} record={record} />}
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

/** What the service computes, to read beside the fields. */
function FromRounds({ type, record }: Pick<Edited, 'type' | 'record'>): VNode | null {
  const known = entityOf(type).fromRounds.filter((field) => field !== 'month_only' && !isBlank(record[field]));
  if (known.length === 0) return null;
  const shown = { ...record, type } as RecordData;
  return (
    <Card title="From its funding rounds">
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
    </Card>
  );
}

type InputProps = Pick<EditProps, 'values' | 'faults'> & { readonly field: FormField; readonly value: unknown };

function Input({ field: { name, kind, hint, options, isRequired }, value, values, faults }: InputProps): VNode {
  const text = values[name] ?? toText(kind, value);
  const common = { label: labelOf(name), name, hint, faults: under(name, faults) };
  if (kind === 'place') return <Place name={name} value={value} values={values} faults={faults} />;
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
  if (kind === 'choices') {
    const write = isVocabularyField(name) ? vocabularyLabel : labelOf;
    const shown = options.map((one) => ({ value: one, label: write(one) }));
    return <Checkboxes {...common} options={shown} chosen={text.split(',')} />;
  }
  if (kind === 'list' || kind === 'names') return <TextArea {...common} text={text} rows={3} />;
  if (kind === 'text') return <TextArea {...common} text={text} rows={6} class="wide" />;
  if (kind === 'json') return <TextArea {...common} text={text} rows={4} spellcheck={false} class="code wide" />;
  const input = {
    line: 'text',
    name: 'text',
    money: 'text',
    number: 'number',
    year: 'number',
    date: 'date',
    url: 'url',
  };
  const mode = kind === 'money' ? 'decimal' : undefined;
  return <TextField {...common} type={input[kind]} inputmode={mode} value={text} required={isRequired} />;
}

/** Stands above a form that is longer than the screen, and leads to what is wrong in it, in the order of the page. */
function NotSaved({ faults, fields }: { faults: Faults; fields: readonly FormField[] }): VNode {
  const inOrder = bySection(fields).flatMap(([, inSection]) => inSection.map(({ name }) => name));
  const named = inOrder.flatMap((name) => Object.entries(under(name, faults) ?? {}));
  const others = Object.entries(faults).filter(([at]) => !inOrder.some((name) => isIn(name, at)));
  return (
    <Notice tone="bad">
      <p>Nothing is saved yet{named.length === 0 ? '.' : '. To correct:'}</p>
      <ul>
        {named.map(([at, text]) => (
          <li key={at}>
            <a href={`#${at}`}>{text}</a>
          </li>
        ))}
        {others.map(([at, text]) => (
          <li key={at}>{joinTexts(': ', at, text)}</li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whether a fault is of a field or of what is nested in it. */
const isIn = (name: string, at: string): boolean => at === name || at.startsWith(`${name}.`);

/** The first error of a field or of what is nested in it, in the words of the form. The parts of a place are fields themselves. */
function under(name: string, faults: Faults | undefined): Faults | undefined {
  const [at, text] = Object.entries(faults ?? {}).find(([each]) => isIn(name, each)) ?? [];
  if (at === undefined || text === undefined) return undefined;
  const field = PLACE_PARTS.some((part) => at === `${name}.${part}`) ? at : name;
  const said = inItem(text).replace(field, labelOf(field.slice(field.indexOf('.') + 1)));
  return { [field]: said.replace(/ is required: text$/, ' is required').replace(MONEY_FORM, MONEY_TYPED) };
}

/** A fault of an item of a list, whose place is a number from 0, as people count: `sources, item 1: as_of must be …`. */
const inItem = (fault: string): string =>
  fault.replace(/^(?:\w+\.\d+[. ])+/, (places) =>
    places.replaceAll(/(\w+)\.(\d+)[. ]/g, (_, list, index) => `${list}, item ${Number(index) + 1}: `),
  );

const PLACE_PARTS = ['city', 'country'] as const;

function Place({ name, value, values, faults }: Omit<InputProps, 'field'> & { name: string }): VNode {
  const known = (value ?? {}) as Readonly<Record<string, string | null>>;
  return (
    <>
      {PLACE_PARTS.map((part) => {
        const at = `${name}.${part}`;
        const given = values[at] ?? known[part] ?? '';
        return <TextField key={at} label={labelOf(part)} name={at} faults={under(at, faults)} value={given} />;
      })}
    </>
  );
}
