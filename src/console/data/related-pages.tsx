import type { ComponentChildren } from 'preact';
import type { RecordData } from '../../contract/entities/index.ts';
import type { FilterName } from '../../contract/filters.ts';
import { type RelatedList, relatedLists } from '../../contract/relations.ts';
import { countsText, kindsOf } from '../../contract/rounds.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { defaultColumns, MIXED_TYPE_COLUMNS } from '../../service/routes/csv.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, Empty, EmptyCard, Link, PageHead, SmallLink, usePage } from '../components.tsx';
import { Pages } from '../lists.tsx';
import { fileReply, pageReply } from '../page-route.ts';
import { RoundLists } from '../profile/round-table.tsx';
import { type PageQuery, pageNumber, pageWindow } from '../query.ts';
import { forReader, noSuchRecord } from './access-levels.tsx';
import { foundersFirst } from './around-event.tsx';
import { parseRecords } from './read-records.ts';
import { EXPORT_MAX, isFormat, type RecordFile, recordFile } from './record-files.ts';
import { countsOf, FUNDED_FIRST, listTitle, ORDERED_MAX, RelatedRecords, readRelated } from './related.tsx';
import { readRoundList } from './round-statistics.ts';

const PAGE_SIZE = 48;

/** Routes of the complete related lists, at the same paths as in the API. */
export const relatedRoutes = relatedLists.map((list) =>
  forReader(`/account/data/${list.of}/:id/${list.name}`, async ({ deps, params, query }) => {
    const answer = await listPage(deps.store.records, { list, idOrSlug: params['id'] ?? '', query });
    return 'text' in answer ? fileReply(answer) : pageReply(answer.title, answer.body);
  }),
);

interface ListRequest {
  readonly list: RelatedList;
  readonly idOrSlug: string;
  readonly query: PageQuery;
}

/** The paged page of a related list, or its file if the address asks for one. Throws not_found. */
export async function listPage(records: Records, { list, idOrSlug, query }: ListRequest) {
  const { page = 1, format } = query;
  const found = await records.get(list.of, idOrSlug);
  if (found === undefined) throw noSuchRecord(list.of);
  const owner = JSON.parse(found.json) as RecordData;
  if (isFormat(format)) return listFile(records, { list, owner }, format);
  const read = list.name === 'rounds' ? roundList : relatedList;
  const shown = await read(records, { list, owner }, pageNumber.parse(page));
  return { title: shown.title, body: <ListFrame {...{ owner, list }} {...shown} /> };
}

async function listFile(records: Records, { list, owner }: ListOf, format: string): Promise<RecordFile> {
  const { results, total } = await records.related(list, owner.id, { offset: 0, limit: EXPORT_MAX });
  const { types } = list;
  const [type] = types;
  const usual = type === undefined || types.length > 1 ? [...COUNT, ...MIXED_TYPE_COLUMNS] : defaultColumns(type);
  const rows = parseRecords(results);
  const fields = usual.filter((field) => rows.some((row) => !isBlank(row[field])));
  const found = { results, total, isTyped: true, totals: {}, unknown: {}, covered: null };
  return recordFile(`${owner.slug}-${list.name}.${format}`, { found, types, fields });
}

/** In how many rounds a co-investor took part. */
const COUNT = ['count'];

type Shown = Omit<ListFrameProps, 'owner' | 'list'>;
type ListOf = Readonly<{ list: RelatedList; owner: RecordData }>;

const BY_ROLE = 'Founders come first, then those who lead it, and those who left last.';

/** Orders of lists that the store has in another, in words. */
const ORDER_TEXTS: Readonly<Record<string, string>> = {
  'investors portfolio': FUNDED_FIRST,
  'companies people': BY_ROLE,
  'investors people': BY_ROLE,
  'events speakers': 'Founders come first, by the known funding of their organisation.',
};

async function relatedList(records: Records, { list, owner }: ListOf, number: number): Promise<Shown> {
  const order = list.name === 'speakers' ? foundersFirst : undefined;
  const related = await readRelated(records, { list, owner, order }, pageWindow(number, PAGE_SIZE));
  const title = `${listTitle(related)} of ${owner.name}`;
  const isPast = related.total > 0 && related.records.length === 0;
  return {
    title,
    lead: `${countsOf(owner, related)} ${related.total > ORDERED_MAX ? '' : (ORDER_TEXTS[`${list.of} ${list.name}`] ?? '')}`.trim(),
    pages: { number, total: related.total, size: PAGE_SIZE },
    children: isPast ? null : (
      <Card>
        {related.total === 0 ? (
          <Empty title="Nothing here" />
        ) : (
          <RelatedRecords records={related.records} label={title} />
        )}
      </Card>
    ),
  };
}

/** Rows per page of rounds, which are longer than other entries. */
const ROUND_PAGE_SIZE = 30;

async function roundList(records: Records, { list, owner }: ListOf, number: number): Promise<Shown> {
  const { rounds, totals } = await readRoundList(records, { list, owner }, pageWindow(number, ROUND_PAGE_SIZE));
  const total = totals.rounds + totals.grants;
  return {
    title: `${kindsOf(totals)} of ${owner.name}`,
    lead: `${countsText(totals)}. Rounds that no source here names are missing.`,
    pages: { number, total, size: ROUND_PAGE_SIZE },
    children:
      total === 0 ? <EmptyCard title="Nothing here" /> : <RoundLists rounds={rounds} totals={totals} owner={owner} />,
  };
}

interface ListFrameProps {
  readonly owner: RecordData;
  readonly list: RelatedList;
  readonly title: string;
  readonly lead: string;
  readonly pages: Readonly<Record<'number' | 'total' | 'size', number>>;
  readonly children?: ComponentChildren;
}

/** The filter of a search for the records of a list, which sorts and narrows them. */
const FILTERS: Readonly<Record<string, FilterName>> = {
  'companies people': 'company',
  'companies rounds': 'company',
  'investors portfolio': 'investor',
  'investors people': 'company',
  'investors rounds': 'investor',
  'people rounds': 'investor',
  'events speakers': 'event',
};

function ListFrame({ owner: { type, slug, name: owner }, list, title, lead, pages, children }: ListFrameProps) {
  const { recordsAt, searchAt } = usePage();
  const at = `${recordsAt}/${type}/${slug}`;
  const { name, types } = list;
  const filter = FILTERS[`${type} ${name}`];
  const search =
    filter && `${searchAt}?${new URLSearchParams({ type: types[0] ?? '', [filter]: slug, view: 'table' })}`;
  return (
    <>
      <p class="crumbs">
        <Link to={`${searchAt}?type=${type}`}>{labelOf(type)}</Link> / <Link to={at}>{owner}</Link>
      </p>
      <PageHead
        title={title}
        lead={lead}
        action={
          <p class="actions">
            {search === undefined ? null : <SmallLink to={search}>Sort and filter</SmallLink>}
            {['CSV', 'JSON'].map((format) => (
              <SmallLink key={format} to={`${at}/${name}?format=${format.toLowerCase()}`} download>
                {format}
              </SmallLink>
            ))}
          </p>
        }
      />
      {children}
      <Pages {...pages} to={(other) => `${at}/${name}?page=${other}`} />
    </>
  );
}
