import { type ComponentChildren, cloneElement, toChildArray, type VNode } from 'preact';
import type { NetworkId } from '../../contract/networks.ts';
import { namedRow, PageHead, Table } from '../components.tsx';
import type { Guide } from './guide-list.ts';

/** With fewer headings, a page is read without a list of them. */
const LISTED_MIN = 4;

/** A page of the documentation, with ids of its headings and, if there are several, links to them. */
export function DocPage({ title, lead, children }: { title: string; lead: string; children: ComponentChildren }) {
  const parts = toChildArray(children);
  const headings = parts.filter(isHeading);
  return (
    <div class="doc">
      <PageHead title={title} lead={lead} />
      {headings.length < LISTED_MIN ? null : (
        <OnThisPage parts={headings.map((heading) => ({ id: idOf(heading), title: textOf(heading) }))} />
      )}
      {parts.map((part) => (isHeading(part) ? cloneElement(part, { id: idOf(part) }) : part))}
    </div>
  );
}

export const OnThisPage = ({ parts }: Pick<Guide, 'parts'>) => (
  <nav aria-label="On this page">
    <ul class="chips">
      {parts.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

type Part = ReturnType<typeof toChildArray>[number];
type Heading = VNode<{ readonly children?: ComponentChildren }>;

const isHeading = (part: Part): part is Heading => typeof part === 'object' && part.type === 'h2';

const textOf = ({ props }: Heading): string => String(props.children);

const idOf = (heading: Heading): string => textOf(heading).toLowerCase().replaceAll(/\W+/g, '-');

interface NamedTableProps {
  readonly label: string;
  readonly head: readonly [string, string];
  readonly rows: readonly (readonly [name: string, about: string | undefined])[];
}

export function NamedTable({ label, head, rows }: NamedTableProps) {
  return (
    <Table label={label} head={head}>
      {rows.map(([name, about]) => namedRow(name, <code>{name}</code>, about))}
    </Table>
  );
}

export interface DocProps {
  /** Public URL of the service without a trailing slash. */
  readonly url: string;
  readonly version: string;
  /** How a caller without access gets it. */
  readonly keyRemedy: string;
  /** Network on which searches are sold here. */
  readonly network?: NetworkId | undefined;
  /** Whether everybody sees the answers to questions as pages. */
  readonly hasPublicPages: boolean;
}
