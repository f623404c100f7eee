import type { ComponentChildren } from 'preact';
import { PASSWORD_LENGTH_MIN } from '../contract/members.ts';
import { Notice } from './components.tsx';
import type { Faults } from './form.ts';

type Attributes = Readonly<Record<string, unknown>>;

interface FieldProps {
  readonly children?: ComponentChildren;
  readonly label: string;
  readonly name: string;
  readonly hint?: ComponentChildren;
  readonly faults?: Faults | undefined;
}

/** The attributes that tie a control to its label, hint and fault. */
const tied = ({ name, hint, faults }: FieldProps) => ({
  id: name,
  name,
  'aria-invalid': faults?.[name] ? ('true' as const) : undefined,
  'aria-describedby':
    [faults?.[name] ? `${name}-fault` : '', hint ? `${name}-hint` : ''].filter(Boolean).join(' ') || undefined,
});

function Around(props: FieldProps) {
  const { label, name, faults, children } = props;
  return (
    <div class={faults?.[name] ? 'field wrong' : 'field'}>
      <label for={name}>{label}</label>
      {children}
      <Advice {...props} />
    </div>
  );
}

function Advice({ name, hint, faults }: FieldProps) {
  const fault = faults?.[name];
  return (
    <>
      {fault ? (
        <p class="fault" id={`${name}-fault`}>
          {fault}
        </p>
      ) : null}
      {hint ? (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      ) : null}
    </>
  );
}

export function TextField(props: FieldProps & Attributes) {
  const { label, name, hint, faults, children: _, ...input } = props;
  return (
    <Around label={label} name={name} hint={hint} faults={faults}>
      <input {...tied(props)} {...(input as object)} />
    </Around>
  );
}

/** A field in which a name is typed before what cannot be undone. */
export const ConfirmField = ({ text, ...field }: Pick<FieldProps, 'name' | 'faults'> & { text: string }) => (
  <TextField label={`Type ${text} to confirm`} autocomplete="off" required data-confirm={text} {...field} />
);

export const EmailField = (props: Partial<FieldProps> & Attributes) => (
  <TextField label="Email" name="email" type="email" autocomplete="username" required {...props} />
);

export const NewPasswordField = ({ hint, ...props }: Partial<FieldProps> & { hint: string }) => (
  <TextField
    label="Password"
    name="password"
    type="password"
    autocomplete="new-password"
    required
    minlength={PASSWORD_LENGTH_MIN}
    hint={`At least ${PASSWORD_LENGTH_MIN} characters. ${hint}`}
    {...props}
  />
);

export function TextArea(props: FieldProps & { text: string } & Attributes) {
  const { label, name, hint, faults, text, children: _, ...area } = props;
  return (
    <Around label={label} name={name} hint={hint} faults={faults}>
      <textarea {...tied(props)} {...(area as object)}>
        {text}
      </textarea>
    </Around>
  );
}

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export function Select(props: FieldProps & { options: readonly Option[]; chosen: string | undefined; form?: string }) {
  const { label, name, hint, faults, options, chosen, form } = props;
  return (
    <Around label={label} name={name} hint={hint} faults={faults}>
      <select {...tied(props)} form={form}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Around>
  );
}

export function Choices(props: { legend: string; name: string; options: readonly Option[]; chosen: string }) {
  const { legend, name, options, chosen } = props;
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {options.map(({ value, label, hint }) => (
        <label key={value} class="choice">
          <input type="radio" name={name} value={value} checked={value === chosen} />
          <span>
            <strong>{label}</strong>
            {hint ? <small>{hint}</small> : null}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Several of a list, sent as one text with commas that begins with one. */
export function Checkboxes(props: FieldProps & { options: readonly Option[]; chosen: readonly string[] }) {
  const { label, name, faults, options, chosen } = props;
  const { 'aria-describedby': describedBy } = tied(props);
  return (
    <fieldset class={faults?.[name] ? 'field checkboxes wrong' : 'field checkboxes'} aria-describedby={describedBy}>
      <legend id={name}>{label}</legend>
      <input type="hidden" name={name} value="" />
      {options.map(({ value, label: text }) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} checked={chosen.includes(value)} /> {text}
        </label>
      ))}
      <Advice {...props} />
    </fieldset>
  );
}

/** Errors that belong to no field. */
export function FormFaults(props: { faults: Faults | undefined; fields: readonly string[] }) {
  const { faults, fields } = props;
  const others = Object.entries(faults ?? {}).filter(([field]) => !fields.includes(field));
  if (others.length === 0) return null;
  return (
    <Notice tone="bad">
      {others.map(([field, message]) => (
        <p key={field}>{field === '' ? message : `${field}: ${message}`}</p>
      ))}
    </Notice>
  );
}
