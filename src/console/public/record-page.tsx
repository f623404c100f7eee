import type { VNode } from 'preact';
import { entityOf, type RecordData, type RecordType, recordNoun } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { FoundRecord, Records } from '../../store/port/records.ts';
import { Link } from '../components.tsx';
import { withWordsForMarks } from '../data/marked-texts.ts';
import { type Moved, missingRecord } from '../data/missing-record.tsx';
import { readProfile } from '../data/read-profile.tsx';
import { inShort } from '../data/values.tsx';
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

/** The page of a record. A former slug, or a name of exactly one record, redirects to it. */
export async function recordPage(deps: PublicDeps, type: RecordType, slug: string): Promise<PublicPage | Moved> {
  const { store, publicUrl: url, clock } = deps;
  const found = await store.records.get(type, slug);
  if (found === undefined) return missingPage(store.records, type, slug);
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
  return { title: record.name, description: describe(profile.record), body };
}

function describe(record: RecordData): string {
  const text = [record['overview'], record['headline'], record['tagline']].find((value) => !isBlank(value));
  const line = String(text ?? `${record.name}, ${recordNoun(record)}`);
  return inShort(withWordsForMarks(line), DESCRIPTION_LENGTH);
}

/** The page for the address of no record. */
export async function missingPage(records: Records, type: RecordType, slug: string): Promise<PublicPage | Moved> {
  const missing = await missingRecord(records, type, slug);
  if ('moved' in missing) return missing;
  return { ...missing, status: 404, description: '', isListed: false };
}
