import type { VNode } from 'preact';
import { entityOf, NAMED_TYPES, type RecordData, type RecordType } from '../../contract/entities/index.ts';
import { isNearMiss } from '../../contract/name-similarity.ts';
import { foldName } from '../../contract/names.ts';
import type { Records } from '../../store/port/records.ts';
import { Link, NoRecords, usePage } from '../components.tsx';
import { roundsNaming } from './named-investor.tsx';
import { ResultItem } from './result-item.tsx';
import { countAll } from './search.ts';

/** Where a record moved: permanent, unless another record may get the name. */
export interface Moved {
  readonly moved: string;
  readonly status: 301 | 302;
  /** Whether the lists of a record are below the address, too. */
  readonly hasLists?: boolean;
}

/** What stands at the address of no record. */
interface Missing {
  readonly title: string;
  /** What is to be searched for. */
  readonly searched: string;
  readonly body: VNode;
}

const NEAREST_MAX = 6;
/** Records that are compared with the name: what is found by one of its words comes after others. */
const COMPARED_MAX = 20;

/**
 * For the address of no record: the only record with this name, alias or handle, the rounds of an investor who is known by
 * name only, or else a page with the nearest records.
 */
export async function missingRecord(records: Records, type: RecordType, slug: string): Promise<Missing | Moved> {
  const text = slug.replaceAll('-', ' ');
  // Alone, because a typo is corrected only where no record has the word.
  const searches = [[type], NAMED_TYPES.filter((other) => other !== type)].map((types) =>
    records.search({ types, text, window: { offset: 0, limit: COMPARED_MAX } }),
  );
  const results = (await Promise.all(searches)).flatMap((found) => found.results);
  const isEmpty = results.length === 0 && (await countAll(records)) === 0;
  const found = results.map((json) => JSON.parse(json) as RecordData);
  const named = found.filter((record) => namesOf(record).includes(foldName(slug)));
  const ofType = named.filter((record) => record.type === type);
  const [only, ...others] = ofType.length > 0 ? ofType : named;
  if (only !== undefined && others.length === 0)
    return { moved: `/${only.type}/${only.slug}`, status: 302, hasLists: true };
  const rounds = type === 'investors' ? await roundsNaming(records, slug) : undefined;
  if (rounds !== undefined) return { moved: `/search?${rounds}`, status: 302 };
  const nearest = found.filter(({ name }) => named.length > 0 || isMeant(name, text)).slice(0, NEAREST_MAX);
  return { title: 'Nothing is here', searched: text, body: <NotThere {...{ type, text, nearest, isEmpty }} /> };
}

/** Whether a text may mean a name: it is like it, or one of them is like the beginning of the other. */
function isMeant(name: string, text: string): boolean {
  const beginning = text.split(' ').slice(0, name.split(' ').length).join(' ');
  return (
    [name, name.slice(0, text.length)].some((one) => isNearMiss(one, text)) || foldName(beginning) === foldName(name)
  );
}

interface NotThereProps {
  readonly type: RecordType;
  readonly text: string;
  readonly nearest: readonly RecordData[];
  readonly isEmpty: boolean;
}

function NotThere({ type, text, nearest, isEmpty }: NotThereProps) {
  const { searchAt } = usePage();
  return (
    <div class="error-page">
      <p class="error-status">404</p>
      <h1>
        There is no {entityOf(type).noun} “{text}”
      </h1>
      {isEmpty ? (
        <NoRecords />
      ) : (
        <>
          {nearest.length === 0 ? null : (
            <>
              <p>{nearest.length === 1 ? 'Did you mean this one?' : 'Did you mean one of these?'}</p>
              <ul class="records">
                {nearest.map((record) => (
                  <ResultItem key={`${record.type} ${record.id}`} record={record} words={[]} hasKind />
                ))}
              </ul>
            </>
          )}
          <p class="actions">
            <Link
              to={`${searchAt}?${new URLSearchParams({ query: text })}`}
              class={nearest.length === 0 ? 'button primary' : 'button'}
            >
              Search for “{text}”
            </Link>
            <Link to={`${searchAt}?type=${type}`} class="button">
              All {type}
            </Link>
          </p>
        </>
      )}
    </div>
  );
}

/** The names of a record in URLs, folded, with those of its accounts and site. */
function namesOf({ name, aliases, former_names: former, website, ...record }: RecordData): readonly string[] {
  const handles = [record['twitter'], record['github']].map((address) => String(address ?? '').replace(/^.*\//, ''));
  const [site = ''] = /[^./]+(?=\.[a-z]+\/?$)/.exec(String(website ?? '')) ?? [];
  return [name, aliases ?? [], former ?? [], handles, site].flat().map((one) => foldName(String(one)));
}
