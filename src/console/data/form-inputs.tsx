import type { NamedReference } from '../../contract/rounds.ts';
import { isBlank } from '../../contract/value-text.ts';
import { isVocabularyField, labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Submit } from '../components.tsx';
import { Checkboxes, type Option, Select, TextArea, TextField } from '../fields.tsx';
import type { Faults } from '../form.ts';
import { toText } from './field-texts.ts';
import type { FormField } from './fields.ts';
import { hasFault } from './form-faults.ts';
import { ROWS_MAX, type Row, rowsOf } from './form-rows.ts';

interface InputProps {
  readonly field: FormField;
  /** What the record has. */
  readonly value: unknown;
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Faults;
}

/** The inputs of a field: one, two of a place, and those of each row of a list of objects. */
export function Input(props: InputProps) {
  const { field, value, values, faults } = props;
  const { name, kind, hint } = field;
  if (kind === 'rows') return <Rows {...props} />;
  if (kind === 'place') return <Place {...props} />;
  const hints = [hint, kind === 'names' ? unlinkedText(value) : ''].filter(Boolean).join(' ');
  return <OneInput at={name} part={field} text={values[name] ?? toText(kind, value)} hint={hints} faults={faults} />;
}

/** Names of a list that are linked to no record. */
function unlinkedText(value: unknown): string {
  const names = ((value ?? []) as readonly NamedReference[]).filter(({ slug }) => slug == null).map(({ name }) => name);
  return names.length === 0 ? '' : `Without a record: ${names.join(', ')}.`;
}

interface OneInputProps {
  /** Name and id of the input. */
  readonly at: string;
  readonly part: FormField['parts'][number];
  readonly text: string;
  readonly hint?: string;
  readonly faults: Faults;
}

/** Types of inputs; others are plain text. A number is text, so that what is none of it is sent, and said. */
const TYPES: Partial<Record<FormField['kind'], string>> = { date: 'date', url: 'url' };
const MODES: Partial<Record<FormField['kind'], string>> = { money: 'decimal', number: 'numeric', year: 'numeric' };
const UNKNOWN: Option = { value: '', label: 'Not known' };
const YES_OR_NO: readonly Option[] = [UNKNOWN, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }];

/** Lines of a text area that grows with its text where the browser can. */
const linesOf = (text: string, least: number): number => Math.min(Math.max(text.split('\n').length, least), 8);

function OneInput({ at, part, text, hint, faults }: OneInputProps) {
  const { name, kind, options, isRequired } = part;
  const common = { label: labelOf(name), name: at, hint, faults };
  switch (kind) {
    case 'flag':
      return <Select {...common} chosen={text} options={YES_OR_NO} />;
    case 'choice':
      return (
        <Select
          {...common}
          chosen={text}
          options={[UNKNOWN, ...options.map((one) => ({ value: one, label: vocabularyLabel(one) }))]}
        />
      );
    case 'choices': {
      const write = isVocabularyField(name) ? vocabularyLabel : labelOf;
      const shown = options.map((one) => ({ value: one, label: write(one) }));
      return <Checkboxes {...common} options={shown} chosen={text.split(',')} />;
    }
    case 'list':
    case 'names':
      return <TextArea {...common} text={text} rows={linesOf(text, 2)} />;
    case 'text':
      return <TextArea {...common} text={text} rows={6} class="wide" />;
    default:
      return (
        <TextField
          {...common}
          type={TYPES[kind]}
          inputmode={MODES[kind]}
          value={text}
          required={isRequired && at === name}
          placeholder={PLACEHOLDERS[kind] ?? (at !== name && name === 'as_of' ? '2024-01-31' : undefined)}
        />
      );
  }
}

const PLACEHOLDERS: Partial<Record<FormField['kind'], string>> = {
  url: 'https://',
  series: 'tags, website',
};

function Place({ field: { name }, value, values, faults }: InputProps) {
  const known = (value ?? {}) as Readonly<Record<string, string | null>>;
  return (
    <>
      {['city', 'country'].map((part) => {
        const at = `${name}.${part}`;
        return (
          <TextField key={at} label={labelOf(part)} name={at} faults={faults} value={values[at] ?? known[part] ?? ''} />
        );
      })}
    </>
  );
}

/** More rows than this would be more inputs than a form may send. */
const ROWS_TYPED_MAX = 2 * ROWS_MAX;

/** Of a list with more filled rows than the first number, those beyond the second are folded. */
const ROWS_UNFOLDED = [5, 3] as const;

/** A list of objects. Its buttons send the form and show it again, with a row more or less and with all that was typed. */
function Rows({ field, value, values, faults }: InputProps) {
  const { name, parts, hint } = field;
  const rows = rowsOf(field, value, values);
  const others = (value as readonly unknown[] | undefined)?.slice(ROWS_MAX) ?? [];
  const drawn = rows.map((row, index) => (
    <ItemRow key={index} {...{ field, row, index, faults }} isOnly={rows.length === 1 && isBlank(row)} />
  ));
  const filled = rows.filter((row) => !isBlank(row)).length;
  const [most, least] = ROWS_UNFOLDED;
  const [from, to] = filled > most ? [least, filled] : [0, 0];
  const isWrong = rows.slice(from, to).some((_, index) => hasFault(faults, `${name}.${from + index}`));
  return (
    <fieldset
      class={parts.length > 3 ? 'field rows' : 'field rows few'}
      id={name}
      tabIndex={-1}
      aria-describedby={`${name}-hint`}
    >
      <legend>{labelOf(name)}</legend>
      {faults[name] === undefined ? null : <p class="fault">{faults[name]}</p>}
      <p class="hint" id={`${name}-hint`}>
        {hint} {others.length === 0 ? '' : `${others.length} more are not shown here and stay as they are.`}
      </p>
      <input type="hidden" name={name} value="" />
      {drawn.slice(0, from)}
      {from === to ? null : (
        <details open={isWrong}>
          <summary>{to - from} more rows</summary>
          {drawn.slice(from, to)}
        </details>
      )}
      {drawn.slice(to)}
      {rows.length >= ROWS_TYPED_MAX ? null : (
        <Submit
          look="small"
          name="add"
          value={name}
          formnovalidate
          formaction={`#${name}.${rows.length}.${parts[0]?.name}`}
        >
          Add another<span class="sr"> row of {labelOf(name)}</span>
        </Submit>
      )}
    </fieldset>
  );
}

interface ItemRowProps extends Pick<InputProps, 'field' | 'faults'> {
  readonly row: Row;
  readonly index: number;
  readonly isOnly: boolean;
}

function ItemRow({ field: { name, parts }, row, index, faults, isOnly }: ItemRowProps) {
  const title = `${labelOf(name)}, row ${index + 1}`;
  return (
    <fieldset class="item">
      <legend class="sr">{title}</legend>
      {parts.map((part) => {
        const at = `${name}.${index}.${part.name}`;
        return <OneInput key={at} at={at} part={part} text={row[part.name] ?? ''} faults={faults} />;
      })}
      {isOnly ? null : (
        <Submit
          look="small plain"
          name="remove"
          value={`${name}.${index}`}
          formnovalidate
          formaction={`#${name}`}
          title="Remove"
          aria-label={`Remove ${title}`}
        >
          ×
        </Submit>
      )}
    </fieldset>
  );
}
