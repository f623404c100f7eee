import type { VNode } from 'preact';
import { entityOf, NAMED_TYPES, type RecordData, type RecordType, recordNoun } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isNearMiss } from '../../contract/name-similarity.ts';
import { foldName } from '../../contract/names.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { FoundRecord, Records } from '../../store/port/records.ts';
import { Link, NoRecords } from '../components.tsx';
import { roundsNaming } from '../data/named-investor.tsx';
import { readProfile } from '../data/read-profile.tsx';
import { ResultItem } from '../data/result-item.tsx';
import { countAll } from '../data/search.ts';
import { inShort, isBlank } from '../data/values.tsx';
import { Profile } from '../profile/profile.tsx';
import { ProfileHead } from '../profile/profile-head.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';

const DESCRIPTION_LENGTH = 200;

/** The record of an address. Throws not_found. */
export async function readRecord({ store }: PublicDeps, type: RecordType, slug: string): Promise<FoundRecord> {
  const found = await store.records.get(type, slug);
  if (found !== undefined) return found;
  throw new ServiceError('not_found', `There is no ${entityOf(type).noun} of this name; search for it.`);
}

/** Where a record moved: permanent, unless another record may get the name. */
interface Moved {
  readonly moved: string;
  readonly status: 301 | 302;
  /** Whether the lists of a record are below the address, too. */
  readonly hasLists: boolean;
}

/** The page of a record. A former slug, or a name of exactly one record, redirects to it. */
export async function recordPage(deps: PublicDeps, type: RecordType, slug: string): Promise<PublicPage | Moved> {
  const { store, url, clock } = deps;
  const found = await store.records.get(type, slug);
  if (found === undefined) return missingRecord(store.records, type, slug);
  if (found.slug !== slug) return { moved: `/${type}/${found.slug}`, status: 301, hasLists: true };
  const record = JSON.parse(found.json) as RecordData;
  const now = clock();
  const profile = await readProfile(store.records, record, now);
  const body: VNode = (
    <>
      <p class="crumbs">
        <Link to={`/search?type=${type}`}>{labelOf(type)}</Link>
      </p>
      <ProfileHead record={profile.record} kind={recordNoun(record)} now={now} />
      <Profile {...profile} {...{ now, url }} />
    </>
  );
  return { title: record.name, description: describe(record), body };
}

function describe(record: RecordData): string {
  const text = [record['overview'], record['headline'], record['tagline']].find((value) => !isBlank(value));
  const line = String(text ?? `${record.name}, ${recordNoun(record)}`);
  return inShort(line, DESCRIPTION_LENGTH);
}

const NEAREST_MAX = 6;

/**
 * For the address of no record: the only record with this name, alias or handle, the rounds of an investor who is known by
 * name only, or else a page with the nearest records.
 */
export async function missingRecord(records: Records, type: RecordType, slug: string): Promise<PublicPage | Moved> {
  const text = slug.replaceAll('-', ' ');
  // Alone, because a typo is corrected only where no record has the word.
  const searches = [[type], NAMED_TYPES.filter((other) => other !== type)].map((types) =>
    records.search({ types, text, window: { offset: 0, limit: NEAREST_MAX } }),
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
  if (rounds !== undefined) return { moved: `/search?${rounds}`, status: 302, hasLists: false };
  const nearest = found
    .filter(({ name }) => named.length > 0 || [name, name.slice(0, text.length)].some((one) => isNearMiss(one, text)))
    .slice(0, NEAREST_MAX);
  return {
    status: 404,
    title: 'Nothing is here',
    description: '',
    searched: text,
    isListed: false,
    body: (
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
                to={`/search?${new URLSearchParams({ query: text })}`}
                class={nearest.length === 0 ? 'button primary' : 'button'}
              >
                Search for “{text}”
              </Link>
              <Link to={`/search?type=${type}`} class="button">
                All {type}
              </Link>
            </p>
          </>
        )}
      </div>
    ),
  };
}

/** The names of a record in URLs, folded, with those of its accounts and site. */
function namesOf({ name, aliases, former_names: former, website, ...record }: RecordData): readonly string[] {
  const handles = [record['twitter'], record['github']].map((address) => String(address ?? '').replace(/^.*\//, ''));
  const [site = ''] = /[^./]+(?=\.[a-z]+\/?$)/.exec(String(website ?? '')) ?? [];
  return [name, aliases ?? [], former ?? [], handles, site].flat().map((one) => foldName(String(one)));
}
