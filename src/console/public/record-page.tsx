import type { VNode } from 'preact';
import { entityOf, type RecordType, recordNoun } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { labelOf } from '../../contract/field-labels.ts';
import type { FoundRecord } from '../../store/port/records.ts';
import { Link } from '../components.tsx';
import { relatedOf } from '../data/related.tsx';
import { inShort, isBlank, type RecordData } from '../data/values.tsx';
import { Profile } from '../profile/profile.tsx';
import { ProfileHead } from '../profile/profile-head.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';

const DESCRIPTION_LENGTH = 200;

/** The record of a public page. Throws not_found. */
export async function readRecord({ store }: PublicDeps, type: RecordType, slug: string): Promise<FoundRecord> {
  const found = await store.records.get(type, slug);
  if (found !== undefined) return found;
  throw new ServiceError('not_found', `There is no ${entityOf(type).noun} of this name; search for it.`);
}

/** The page of a record; a former slug redirects to the current one. Throws not_found. */
export async function recordPage(
  deps: PublicDeps,
  type: RecordType,
  slug: string,
): Promise<PublicPage | { readonly moved: string }> {
  const { store, url, clock } = deps;
  const found = await readRecord(deps, type, slug);
  if (found.slug !== slug) return { moved: found.slug };
  const record = JSON.parse(found.json) as RecordData;
  const related = await relatedOf(store.records, record);
  const now = clock();
  const body: VNode = (
    <>
      <p class="crumbs">
        <Link to={`/search?type=${type}`}>{labelOf(type)}</Link>
      </p>
      <ProfileHead record={record} kind={recordNoun(record)} now={now} />
      <Profile {...{ record, related, now, url }} />
    </>
  );
  return { title: record.name, description: describe(record), body };
}

function describe(record: RecordData): string {
  const text = [record['overview'], record['headline'], record['tagline']].find((value) => !isBlank(value));
  const line = String(text ?? `${record.name}, ${recordNoun(record)}`);
  return inShort(line, DESCRIPTION_LENGTH);
}
