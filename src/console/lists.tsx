import type { ComponentChildren } from 'preact';
import { parseNumber } from '../contract/fields.ts';
import { DEPTH_MAX } from '../contract/queries.ts';
import { countText } from '../contract/value-text.ts';
import { ButtonLink, Empty, Link, Notice, SmallLink, Submit } from './components.tsx';

/** The cursor parameter `before` of a list; undefined for the first page. */
export const beforeOf = ({ before }: Readonly<Record<string, string | undefined>>): number | undefined =>
  parseNumber(before);

interface PagesProps {
  readonly number: number;
  readonly total: number;
  readonly size: number;
  readonly to: (number: number) => string;
}

/** Links to the previous and next page, up to the depth limit; to the last page from a page after it. */
export function Pages({ number, total, size, to }: PagesProps) {
  const all = Math.ceil(total / size);
  const last = Math.min(all, Math.floor(DEPTH_MAX / size));
  if (number === 1 && last <= 1) return null;
  if (number > last && last > 0)
    return (
      <Empty title={`There is no page ${countText(number)}`}>
        <p>
          The list ends on <Link to={to(last)}>page {countText(last)}</Link>.
        </p>
      </Empty>
    );
  return (
    <nav class="pages" aria-label="Pages">
      {number > 1 ? (
        <SmallLink to={to(number - 1)} rel="prev">
          Previous
        </SmallLink>
      ) : null}
      {to(last).length > ADDRESS_MAX ? (
        <span class="muted">
          Page {countText(number)} of {countText(last)}
        </span>
      ) : (
        numbersOf(number, last).map((page, index, pages) => [
          page - (pages[index - 1] ?? 0) > 1 ? <span aria-hidden="true">…</span> : null,
          page === number ? (
            <span aria-current="page">
              <span class="sr">Page </span>
              {countText(page)}
            </span>
          ) : (
            <SmallLink to={to(page)}>{countText(page)}</SmallLink>
          ),
        ])
      )}
      {number < last ? (
        <SmallLink to={to(number + 1)} rel="next">
          Next
        </SmallLink>
      ) : null}
      {last < all ? (
        <span class="muted">
          The first {countText(DEPTH_MAX)} of {countText(total)} records: choose a kind or a filter to see the others.
        </span>
      ) : null}
    </nav>
  );
}

/** Pages of a longer address have no numbers, so that they stay light. */
const ADDRESS_MAX = 150;

const numbersOf = (number: number, last: number): readonly number[] =>
  [...new Set([1, number - 1, number, number + 1, last])].filter((page) => page >= 1 && page <= last);

/** The parameters of an address as hidden fields of a form. */
export function KeptFields({ search }: { search: string }) {
  return (
    <>
      {[...new URLSearchParams(search.replace(/^.*\?/, ''))].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Names the parameters of an address that the page ignores. */
export function Ignored({ parameters }: { parameters: readonly string[] }) {
  if (parameters.length === 0) return null;
  const [is, has] = parameters.length === 1 ? ['is', 'it has'] : ['are', 'they have'];
  return (
    <Notice tone="warn">
      {parameters.join(', ')} {is} unknown to this page; {has} no effect.
      {parameters.includes('year') ? ' Periods are asked for by from and to, such as from=2021&to=2021.' : ''}
    </Notice>
  );
}

interface FilterProps {
  readonly label: string;
  readonly name: string;
  readonly id?: string;
  readonly all?: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string | undefined;
}

/** A select that submits its form on change. */
export function FilterSelect({ label, name, id = name, all, options, chosen }: FilterProps) {
  return (
    <span>
      <label for={id}>{label}</label>
      <select id={id} name={name} data-submit>
        {all === undefined ? null : <option value="">{all}</option>}
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The button of a form of selects, which scripts make needless. */
export function ShowButton() {
  return <Submit look="small without-script">Show</Submit>;
}

export function SelectForm({ children, ...filter }: FilterProps & { children?: ComponentChildren }) {
  return (
    <form method="get" class="filters">
      <FilterSelect {...filter} />
      <ShowButton />
      {children}
    </form>
  );
}

export function Older({ what, to, hasMore }: { what: string; to: string; hasMore: boolean }) {
  return hasMore ? (
    <p class="pages">
      <ButtonLink to={to}>Older {what}</ButtonLink>
    </p>
  ) : null;
}

interface Figure {
  readonly label: string;
  readonly value: string;
  /** What the value names, each with its URL: several by their names in the value, one as the whole value. */
  readonly links?: readonly { readonly name: string; readonly to: string }[] | undefined;
  readonly isBad?: boolean;
  /** What the value is of. */
  readonly note?: string | undefined;
}

/** A longer text is set smaller, in a wider tile. */
const LONG_MIN = 28;

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map(({ label, value, links = [], isBad, note }) => (
        <div key={label} class={isBad ? 'bad' : undefined}>
          <dt>{label}</dt>
          <dd class={/[a-z],? /i.test(value) ? (value.length > LONG_MIN ? 'words long' : 'words') : undefined}>
            <Value value={value} links={links} />
          </dd>
          {note === undefined ? null : <dd class="note">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

function Value({ value, links }: { value: string; links: NonNullable<Figure['links']> }) {
  const [first, ...others] = links;
  if (first === undefined) return <>{value}</>;
  const at = value.indexOf(first.name);
  if (at < 0 || value === first.name) return <Link to={first.to}>{value}</Link>;
  const rest = value.slice(at + first.name.length);
  return (
    <>
      {value.slice(0, at)}
      <Link to={first.to}>{first.name}</Link>
      <Value value={rest} links={others.filter(({ name }) => rest.includes(name))} />
    </>
  );
}
