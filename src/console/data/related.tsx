import type { VNode } from 'preact';
import { entityOf } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { type RelatedList, relatedLists, relationOf } from '../../contract/relations.ts';
import type { Records, Window } from '../../store/port/records.ts';
import { Card, count, Empty, Link, PageHead, RecordLink } from '../components.tsx';
import { Pages, pageNumber } from '../lists.tsx';
import { page, type Reply, type Route, type SignedVisit } from '../reply.ts';
import { forReader } from './access.tsx';
import { isBlank, List, labelOf, money, type RecordData, spoken, unlinkedNames } from './values.tsx';

/** How many a page of a record shows of each list. */
const SHOWN_MAX = 12;
/** Of rounds a chart needs more. */
const ROUNDS_MAX = 100;
const PAGE_SIZE = 60;
const asked = pageNumber(PAGE_SIZE);

/** Each list of a record whole, in pages, at the address that it has in the API. */
export const relatedRoutes: readonly Route[] = relatedLists.map((list) =>
  forReader(`/account/data/${list.of}/:id/${list.name}`, (visit) => showList(visit, list)),
);

/** Fields that a related list shows: the one of its name, and the one with the number that sources state. */
export const isInList = (type: RecordData['type'], field: string): boolean =>
  relatedLists.some(({ of, name, stated }) => of === type && (field === name || field === stated));

/** A related list as far as it was read. */
export interface Related {
  readonly list: RelatedList;
  readonly records: readonly RecordData[];
  readonly total: number;
}

/** The beginning of each list of a record. */
export function relatedOf(records: Records, { type, id }: RecordData): Promise<readonly Related[]> {
  const lists = relatedLists.filter(({ of }) => of === type);
  return Promise.all(
    lists.map((list) =>
      read(records, { list, id }, { offset: 0, limit: list.name === 'rounds' ? ROUNDS_MAX : SHOWN_MAX }),
    ),
  );
}

async function read(
  records: Records,
  { list, id }: { list: RelatedList; id: number },
  window: Window,
): Promise<Related> {
  const { results, total } = await records.related(list, id, window);
  return { list, records: results.map((json) => JSON.parse(json) as RecordData), total };
}

interface ListProps {
  readonly record: RecordData;
  readonly related: Related;
}

/** A list on the page of its record; nothing where nobody is known. */
export function RelatedCard({ record, related }: ListProps): VNode | null {
  const { list, records, total } = related;
  const relation = relationOf(record.type, list.name);
  const names = relation === undefined ? [] : unlinkedNames(relation, record[list.name]);
  if (total === 0 && names.length === 0 && statedBy(record, list) === undefined) return null;
  const all =
    total > records.length ? (
      <Link to={`/account/data/${record.type}/${record.id}/${list.name}`} class="button small">
        Show all {count(total)}
        <span class="sr"> of {labelOf(list.name)}</span>
      </Link>
    ) : undefined;
  return (
    <Card title={labelOf(list.name)} {...(all && { action: all })}>
      <p class="muted">{countsOf(record, related)}</p>
      {records.length === 0 ? null : <RelatedRecords records={records} />}
      {names.length === 0 ? null : (
        <>
          <p class="muted">Named by sources, without a record here:</p>
          <List kind="tags" items={names} />
        </>
      )}
    </Card>
  );
}

/** The number that sources state of a list. */
function statedBy(record: RecordData, { stated }: RelatedList): number | undefined {
  const value = stated === undefined ? undefined : record[stated];
  return typeof value === 'number' ? value : undefined;
}

/** How many there are, and of which kind that number is. */
function countsOf(record: RecordData, { list, total }: Related): string {
  const stated = statedBy(record, list);
  const linked = `${count(total)} linked ${total === 1 ? 'record' : 'records'}`;
  return stated === undefined ? `${linked}.` : `${linked}. Sources state ${count(stated)}.`;
}

function RelatedRecords({ records }: Pick<Related, 'records'>): VNode {
  return (
    <ul class="related">
      {records.map((record) => (
        <li key={`${record.type} ${record.id}`}>
          <RecordLink type={record.type} slug={record.slug}>
            {record.name}
          </RecordLink>{' '}
          <span class="muted">{aboutOf(record)}</span>
        </li>
      ))}
    </ul>
  );
}

const ABOUT_LENGTH = 90;

/** What tells a related record from others, in a line. */
function aboutOf(record: RecordData): string {
  const { type, stage, amount_usd, announced_date, start_date, headline, tagline } = record;
  if (type === 'rounds') {
    const parts = [isBlank(stage) ? '' : spoken(String(stage)), isBlank(amount_usd) ? '' : money(amount_usd)];
    return [...parts, announced_date].filter((part) => !isBlank(part)).join(' · ');
  }
  const line = String(start_date ?? headline ?? tagline ?? entityOf(type).noun);
  return line.length > ABOUT_LENGTH ? `${line.slice(0, ABOUT_LENGTH)}…` : line;
}

async function showList({ deps, params, query }: SignedVisit, list: RelatedList): Promise<Reply> {
  const { records } = deps.store;
  const found = await records.get(list.of, params['id'] ?? '');
  if (found === undefined)
    throw new ServiceError('not_found', `There is no ${entityOf(list.of).noun} with this number or slug.`);
  const number = asked.parse(query['page']);
  const window = { offset: (number - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const related = await read(records, { list, id: found.id }, window);
  const record = JSON.parse(found.json) as RecordData;
  return page(
    `${labelOf(list.name)} of ${record.name}`,
    <ListPage record={record} related={related} number={number} />,
  );
}

function ListPage({ record, related, number }: ListProps & { number: number }): VNode {
  const { list, records, total } = related;
  const { type, id, name, slug } = record;
  const pages = Math.ceil(total / PAGE_SIZE);
  return (
    <>
      <p class="crumbs">
        <Link to={`/account/data?type=${type}`}>{type}</Link> / <Link to={`/account/data/${type}/${id}`}>{slug}</Link>
      </p>
      <PageHead title={`${labelOf(list.name)} of ${name}`} lead={countsOf(record, related)} />
      {pages > 1 ? (
        <p class="muted found">
          Page {number} of {count(pages)}
        </p>
      ) : null}
      <Card>{records.length === 0 ? <Empty title="Nothing here" /> : <RelatedRecords records={records} />}</Card>
      <Pages
        number={number}
        total={total}
        size={PAGE_SIZE}
        to={(other) => `/account/data/${type}/${id}/${list.name}?page=${other}`}
      />
    </>
  );
}
