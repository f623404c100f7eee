import { NAMED_TYPES, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import type { RelatedList } from '../../contract/relations.ts';
import type { Records, SearchPage, SearchRequest } from '../../store/port/records.ts';

export const parseRecords = (results: readonly string[]): readonly RecordData[] =>
  results.map((json) => JSON.parse(json) as RecordData);

/** The records of some references; those without one are left out. */
export async function readRecords(
  records: Records,
  references: readonly { readonly type: string; readonly slug: string }[],
): Promise<readonly RecordData[]> {
  const read = await Promise.all(references.map(({ type, slug }) => records.get(type as RecordType, slug)));
  return parseRecords(read.flatMap((one) => one?.json ?? []));
}

type ParsedPage = Pick<SearchPage, 'total' | 'isTyped'> & { readonly found: readonly RecordData[] };

/** What a search asks for; without a text, everything that its filters leave. */
type Asked = Omit<SearchRequest, 'text' | 'window'> & Partial<Pick<SearchRequest, 'text'>>;

export async function readFirst(records: Records, limit: number, asked: Asked): Promise<ParsedPage> {
  const { results, total, isTyped } = await records.search({ text: '', ...asked, window: { offset: 0, limit } });
  return { found: parseRecords(results), total, isTyped };
}

export async function readFirstRelated(
  records: Records,
  limit: number,
  { list, id }: { readonly list: RelatedList; readonly id: number },
): Promise<Pick<ParsedPage, 'found' | 'total'>> {
  const { results, total } = await records.related(list, id, { offset: 0, limit });
  return { found: parseRecords(results), total };
}

export const countMatches = async (records: Records, asked: Asked): Promise<number> =>
  (await readFirst(records, 0, asked)).total;

/** Searches records. Rounds follow the others, because a company may have thousands; none if only the others match exactly. */
export async function searchInOrder(records: Records, request: SearchRequest): Promise<SearchPage> {
  if (request.types.length === 1) return records.search(request);
  const { offset, limit } = request.window;
  const named = await records.search({ ...request, types: NAMED_TYPES });
  if ((named.understood?.type ?? named.understood?.list) !== undefined) return named;
  const window = { offset: Math.max(offset - named.total, 0), limit: limit - named.results.length };
  const rounds = await records.search({ ...request, types: ['rounds'], window });
  if (named.total === 0 || rounds.total === 0) return named.total === 0 ? rounds : named;
  if (named.isTyped && !rounds.isTyped) return named;
  return {
    ...named,
    results: [...named.results, ...rounds.results],
    total: named.total + rounds.total,
    totals: { ...named.totals, ...rounds.totals },
  };
}
