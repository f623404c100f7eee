import type { VNode } from 'preact';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { Link } from '../components.tsx';
import { relatedOf } from '../data/related.tsx';
import { isBlank, type RecordData } from '../data/values.tsx';
import { Profile, ProfileHead, TakeAlong } from '../profile/profile.tsx';
import type { PublicDeps, PublicPage } from './visit.ts';

const DESCRIPTION_LENGTH = 200;

/** The page of a record. Throws not_found; the address of a former slug leads to the present one. */
export async function recordPage(
  { store, url, clock }: PublicDeps,
  type: RecordType,
  slug: string,
): Promise<PublicPage | { readonly moved: string }> {
  const found = await store.records.get(type, slug);
  if (found === undefined)
    throw new ServiceError('not_found', `There is no ${entityOf(type).noun} of this name; search for it.`);
  if (found.slug !== slug) return { moved: found.slug };
  const record = JSON.parse(found.json) as RecordData;
  const related = await relatedOf(store.records, record);
  const now = clock();
  const body: VNode = (
    <>
      <p class="crumbs">
        <Link to={`/search?type=${type}`}>{type}</Link>
      </p>
      <ProfileHead record={record} now={now} />
      <Profile record={record} related={related} now={now} />
      <TakeAlong record={record} url={url} />
    </>
  );
  return { title: record.name, description: describe(record), body };
}

function describe(record: RecordData): string {
  const text = [record['overview'], record['headline'], record['tagline']].find((value) => !isBlank(value));
  const line = String(text ?? `${record.name}, ${entityOf(record.type).noun}`);
  return line.length > DESCRIPTION_LENGTH ? `${line.slice(0, DESCRIPTION_LENGTH - 1)}…` : line;
}
