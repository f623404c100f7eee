import { type ComponentChildren, cloneElement, createContext, isValidElement, toChildArray, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { enumerated, type Named } from '../contract/answer-parts.ts';
import type { SiteContext } from './assets.ts';

/** HTML attributes, not checked against the element. */
type Attributes = Readonly<Record<string, unknown>>;
type Children = { readonly children?: ComponentChildren };

/** A link within the pages; plain text where there are none. */
export function Link({ to, children, ...more }: Children & { to: string } & Attributes) {
  const { base, hasPages } = usePage();
  if (!hasPages) return <>{children}</>;
  return (
    <a href={base + to} {...(more as object)}>
      {children}
    </a>
  );
}

/** A link to a record, by default with its name; plain text for a name without a record. */
export function RecordLink({
  to: { type, slug, name },
  children = name,
}: Children & { to: { type?: unknown; slug?: unknown; name?: ComponentChildren } }) {
  const { recordsAt } = usePage();
  if (!slug) return <>{children}</>;
  return <Link to={`${recordsAt}/${type}/${slug}`}>{children}</Link>;
}

/** Where somebody leads who took part in a round: to the record or, of a name without one, to the rounds that have the name. */
export const partyPath = (
  { recordsAt, searchAt }: Pick<PageContext, 'recordsAt' | 'searchAt'>,
  { type, slug, name }: Named,
): string =>
  slug ? `${recordsAt}/${type}/${slug}` : `${searchAt}?${new URLSearchParams({ type: 'rounds', investor: name })}`;

export const InvestorLink = ({ to }: { to: Named }) => <Link to={partyPath(usePage(), to)}>{to.name}</Link>;

/** A form with the CSRF token. */
export function PostForm({ to, children, ...more }: Children & { to: string } & Attributes) {
  const { base, formToken } = usePage();
  return (
    <form method="post" action={to === '' ? undefined : base + to} {...(more as object)}>
      <input type="hidden" name="form_token" value={formToken} />
      {children}
    </form>
  );
}

export const ButtonLink = (link: Children & { to: string } & Attributes) => <Link class="button" {...link} />;

export const PrimaryLink = (link: Children & { to: string }) => <Link class="button primary" {...link} />;
export const SmallLink = (link: Children & { to: string } & Attributes) => <Link class="button small" {...link} />;

/** A link that a record states, to another site, without a recommendation to search engines; no page sends a referrer. */
export const ExternalLink = ({ to, children }: Children & { to: string }) => (
  <a href={to} rel="nofollow">
    {children}
  </a>
);

export function Submit({ look = 'primary', children, ...more }: Children & { look?: string } & Attributes) {
  return (
    <button type="submit" {...(more as object)} class={`button ${look}`.trim()}>
      {children}
    </button>
  );
}

export function WhereSold({ children }: Children) {
  if (!usePage().isSelling) return null;
  return <>{children}</>;
}

/** The operator of this service, with a link to the contact if one is set. */
export function Operator() {
  const { contact } = usePage();
  if (contact === undefined) return <>the operator of this service</>;
  return (
    <>
      the operator of this service (
      <ExternalLink to={contact.includes('://') ? contact : `mailto:${contact}`}>{contact}</ExternalLink>)
    </>
  );
}

/** Theme switch, shown only with scripts; the system theme applies otherwise. */
export function ThemeSwitch() {
  return (
    <button type="button" class="theme" data-theme-switch hidden>
      Theme
    </button>
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'info' | 'plain';

export function Badge({ tone = 'plain', children }: Children & { tone?: Tone }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Card(props: Children & { title?: string; action?: VNode; id?: string }) {
  const { title, action, children, id } = props;
  return (
    <section class="card" id={id}>
      {title === undefined ? null : (
        <header>
          <h2>{title}</h2>
          {action}
        </header>
      )}
      {children}
    </section>
  );
}

export function PageHead(props: { title: string; lead?: ComponentChildren; action?: VNode | null }) {
  const { title, lead, action } = props;
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {action}
    </div>
  );
}

export function Empty({ title, children }: Children & { title: string }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}

export const EmptyCard = (empty: Children & { title: string }) => (
  <Card>
    <Empty {...empty} />
  </Card>
);

/** Placeholder for an empty database. */
export function NoRecords({ of = 'records' }: { of?: string }) {
  return (
    <Empty title={`No ${of} yet`}>
      <p>
        <code>web3-bi data add</code>, with the same <code>--database</code> or <code>--state-dir</code> as{' '}
        <code>web3-bi serve</code>, adds the shipped companies, people, investors, events and rounds.
      </p>
      <p>
        Add your own records with <Link to="/account/import">Import</Link> or <code>web3-bi import</code>.
      </p>
    </Empty>
  );
}

export function Notice({ tone, children }: Children & { tone: Tone }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export function Copyable({ id, text, label }: { id: string; text: string; label: string }) {
  return (
    <div class="copyable">
      <pre id={id}>
        <code>{text}</code>
      </pre>
      <button type="button" class="button small copy" data-copy={id} hidden>
        Copy<span class="sr"> {label}</span>
      </button>
    </div>
  );
}

interface TimeProps {
  readonly at: string | Date | null;
  /** Shown without a time. */
  readonly empty?: string;
  readonly hasSeconds?: boolean;
}

/** A UTC time; a script adds local time. */
export function Time({ at, empty = 'Never', hasSeconds = false }: TimeProps) {
  if (at === null) return <span class="muted">{empty}</span>;
  const iso = typeof at === 'string' ? at : at.toISOString();
  return (
    <time dateTime={iso} data-local>
      {iso.slice(0, hasSeconds ? 19 : 16).replace('T', ' ')} UTC
    </time>
  );
}

/** How long something took, which is never nothing. */
export const millisecondsText = (ms: number): string => (ms === 0 ? '< 1 ms' : `${ms} ms`);

/** A date, with the full time as tooltip. */
export function Day({ at }: { at: string | null }) {
  if (at === null) return <span class="muted">Never</span>;
  return (
    <time dateTime={at} data-local title={`${at.slice(0, 16).replace('T', ' ')} UTC`}>
      {at.slice(0, 10)}
    </time>
  );
}

interface FactListProps {
  /** Facts without a value are omitted. */
  readonly facts: readonly (readonly [label: ComponentChildren, value: ComponentChildren])[];
  /** Whether labels are placed beside values if there is room. */
  readonly isBeside?: boolean;
}

export function FactList({ facts, isBeside = false }: FactListProps) {
  return (
    <dl class={isBeside ? 'facts beside' : 'facts'}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([label, value], index) => (
          <div key={index}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export interface TableProps extends Children {
  readonly label: string;
  readonly head: readonly string[];
  /** Right-aligned columns. */
  readonly numbers?: readonly string[];
  /** Draws the heads that are more than a text. */
  readonly drawHead?: (text: string, place: number) => VNode | undefined;
  /** By default `stacks`: rows become cards on phones. Rows of figures have none and remain rows, to be compared. */
  readonly look?: string;
}

const STACKS = 'stacks';

/** Columns whose values need no name in the card layout. */
const SELF_EXPLANATORY: ReadonlySet<string | undefined> = new Set(
  'Amount|Beside the largest|Fields|Known funding|Meaning|Round|Source|Stage|Status|Request|Location|Tags|Role|Time'.split(
    '|',
  ),
);

/** Adds the look of its column to each cell, and its name for the card layout, unless its value is clear without. */
function inColumns(row: ComponentChildren, { head, numbers = [], look: ofTable }: TableProps): ComponentChildren {
  if (!isValidElement(row) || row.type !== 'tr') return row;
  const cells = toChildArray((row as VNode<Children>).props.children).map((cell, index) => {
    if (!isValidElement(cell)) return cell;
    const { class: own = '', children: text } = cell.props as Children & Attributes;
    // Cards leave out what is not known.
    const look = [own || (numbers.includes(head[index] ?? '') && 'number'), text === '–' && 'none'];
    const isLabelled = ofTable?.startsWith(STACKS) && cell.type === 'td' && !SELF_EXPLANATORY.has(head[index]);
    return cloneElement(cell, {
      class: look.filter(Boolean).join(' ') || undefined,
      'data-label': isLabelled ? head[index] : undefined,
    } as object);
  });
  return cloneElement(row, {}, cells);
}

/** A row of a table. Cells are contents, or cells of their own look. */
export const row = (key: number | string, ...cells: readonly ComponentChildren[]) => (
  <tr key={key}>
    {cells.map((cell) => (isValidElement(cell) && /^t[dh]$/.test(String(cell.type)) ? cell : <td>{cell}</td>))}
  </tr>
);

/** A row that its first cell names. */
export const namedRow = (key: number | string, name: ComponentChildren, ...cells: readonly ComponentChildren[]) =>
  row(key, <th scope="row">{name}</th>, ...cells);

/** A table that scrolls horizontally, also by keyboard. */
export function Table({ look = STACKS, ...table }: TableProps) {
  const { label, head, numbers = [], drawHead, children } = table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table" aria-label={label} tabIndex={0}>
      <table class={look || undefined}>
        <thead>
          <tr>
            {head.map(
              (text, place) =>
                drawHead?.(text, place) ?? (
                  <th key={text} scope="col" class={numbers.includes(text) ? 'number' : undefined}>
                    {text === '' ? <span class="sr">Actions</span> : text}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>{toChildArray(children).map((row) => inColumns(row, { ...table, look }))}</tbody>
      </table>
    </section>
  );
}

/** Parts with commas, and `and` before the last; of more than some, the number of the others. */
export const Listed = ({ parts, shownMax }: ListedProps) => <>{enumerated(parts, shownMax)}</>;

interface ListedProps {
  readonly parts: readonly ComponentChildren[];
  readonly shownMax?: number;
}

interface FoldedProps<Item> {
  readonly items: readonly Item[];
  readonly shownMax: number;
  /** What unfolds the others, by their number. */
  readonly summary: (more: number) => string;
  readonly look?: 'behind';
  readonly children: (some: readonly Item[], isFolded: boolean) => ComponentChildren;
}

/** Items, of which those beyond a maximum are collapsed, without script. */
export function Folded<Item>({ items, shownMax, summary, look, children: draw }: FoldedProps<Item>) {
  return (
    <>
      {draw(items.slice(0, shownMax), false)}
      {items.length <= shownMax ? null : (
        <details class={look}>
          <summary>{summary(items.length - shownMax)}</summary>
          {draw(items.slice(shownMax), true)}
        </details>
      )}
    </>
  );
}

interface PageContext extends Omit<SiteContext, 'assets'> {
  /** Whether links to pages work; not in views rendered by a host. */
  readonly hasPages: boolean;
  readonly formToken: string;
  /** Path prefix of record pages: the console's, or empty for public pages. */
  readonly recordsAt: string;
  readonly searchAt: string;
}

const Context = createContext<PageContext>({
  base: '',
  hasPages: false,
  formToken: '',
  isSelling: false,
  recordsAt: '',
  searchAt: '/search',
});

export const PageContextProvider = Context.Provider;
export const usePage = (): PageContext => useContext(Context);

/** A call of the API, which breaks into lines between its parameters. */
export const CallText = ({ children }: { children: string }) => (
  <code class="call">
    {`GET ${children.replaceAll('%3A', ':')}`.split(/(?=&)/).map((part) => (
      <span key={part}>
        {part}
        <wbr />
      </span>
    ))}
  </code>
);
