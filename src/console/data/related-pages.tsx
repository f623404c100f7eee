import type { ComponentChildren, VNode } from 'preact';
import { entityOf } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { labelOf } from '../../contract/field-labels.ts';
import { type RelatedList, relatedLists } from '../../contract/relations.ts';
import { countsText, kindsOf } from '../../contract/rounds.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, Empty, Link, PageHead } from '../components.tsx';
import { usePage } from '../context.ts';
import { Pages } from '../lists.tsx';
import { pageNumber, pageWindow } from '../page-number.ts';
import { type PageRoute, pageReply } from '../page-route.ts';
import { RoundLists } from '../profile/round-table.tsx';
import { forReader } from './access-levels.tsx';
import { countsOf, listTitle, RelatedRecords, readRelated } from './related.tsx';
import { readRoundList } from './round-statistics.ts';
import type { RecordData } from './values.tsx';

const PAGE_SIZE = 48;

/** Routes of the complete related lists, at the same paths as in the API. */
export const relatedRoutes: readonly PageRoute[] = relatedLists.map((list) =>
  forReader(`/account/data/${list.of}/:id/${list.name}`, async ({ deps, params, query }) => {
    const shown = await listPage(deps.store.records, { list, idOrSlug: params['id'] ?? '', page: query['page'] });
    return pageReply(shown.title, shown.body);
  }),
);

interface ListPage {
  readonly title: string;
  readonly body: VNode;
}

interface ListRequest {
  readonly list: RelatedList;
  readonly idOrSlug: string;
  readonly page: string | undefined;
}

/** The paged page of a related list. Throws not_found. */
export async function listPage(records: Records, { list, idOrSlug, page: asPage }: ListRequest): Promise<ListPage> {
  const found = await records.get(list.of, idOrSlug);
  if (found === undefined)
    throw new ServiceError('not_found', `There is no ${entityOf(list.of).noun} with this number or slug.`);
  const number = pageNumber.parse(asPage ?? 1);
  const owner = JSON.parse(found.json) as RecordData;
  return list.name === 'rounds'
    ? roundPage(records, { list, owner }, number)
    : relatedPage(records, { list, owner }, number);
}

async function relatedPage(
  records: Records,
  { list, owner }: { list: RelatedList; owner: RecordData },
  number: number,
): Promise<ListPage> {
  const related = await readRelated(records, { list, owner }, pageWindow(number, PAGE_SIZE));
  const title = `${listTitle(related)} of ${owner.name}`;
  const pages = { number, total: related.total, size: PAGE_SIZE };
  const isPast = related.total > 0 && related.records.length === 0;
  return {
    title,
    body: (
      <ListFrame {...{ owner, title, pages }} name={list.name} lead={countsOf(owner, related)}>
        {isPast ? null : (
          <Card>
            {related.total === 0 ? (
              <Empty title="Nothing here" />
            ) : (
              <RelatedRecords records={related.records} label={title} />
            )}
          </Card>
        )}
      </ListFrame>
    ),
  };
}

/** Rows per page of rounds, which are longer than other entries. */
const ROUND_PAGE_SIZE = 30;

async function roundPage(
  records: Records,
  { list, owner }: { list: RelatedList; owner: RecordData },
  number: number,
): Promise<ListPage> {
  const { rounds, totals } = await readRoundList(records, { list, owner }, pageWindow(number, ROUND_PAGE_SIZE));
  const title = `${kindsOf(totals)} of ${owner.name}`;
  const total = totals.rounds + totals.grants;
  const pages = { number, total, size: ROUND_PAGE_SIZE };
  return {
    title,
    body: (
      <ListFrame
        {...{ owner, title, pages }}
        name="rounds"
        lead={`${countsText(totals)}. Rounds that no source here names are missing.`}
      >
        {total === 0 ? (
          <Card>
            <Empty title="Nothing here" />
          </Card>
        ) : (
          <RoundLists rounds={rounds} totals={totals} />
        )}
      </ListFrame>
    ),
  };
}

interface ListFrameProps {
  readonly owner: RecordData;
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly pages: Readonly<Record<'number' | 'total' | 'size', number>>;
  readonly children?: ComponentChildren;
}

function ListFrame({ owner: { type, slug, name: owner }, name, title, lead, pages, children }: ListFrameProps): VNode {
  const { recordsAt, searchAt } = usePage();
  const at = `${recordsAt}/${type}/${slug}`;
  return (
    <>
      <p class="crumbs">
        <Link to={`${searchAt}?type=${type}`}>{labelOf(type)}</Link> / <Link to={at}>{owner}</Link>
      </p>
      <PageHead title={title} lead={lead} />
      {children}
      <Pages {...pages} to={(other) => `${at}/${name}?page=${other}`} />
    </>
  );
}
