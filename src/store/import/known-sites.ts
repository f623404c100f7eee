import type { RecordType } from '../../contract/entities/index.ts';
import { type Fields, namesOf } from '../matching/matcher.ts';
import { ownSite } from '../matching/resolver.ts';
import type { Records } from '../port/records.ts';

/** Finds the record with the website of a row; undefined for none, or if the row is of that record. */
type SiteLookup = (fields: Fields, slug: string) => string | undefined;

/** Bounds the memory of a large import; sites beyond are not compared. */
const SITES_MAX = 500_000;

/** The websites of companies or investors, of which a second one is probably the same; of other types, none is found. */
export async function readSites({ walk }: Pick<Records, 'walk'>, type: RecordType): Promise<SiteLookup> {
  const slugs = new Map<string, string>();
  const lookUp: SiteLookup = (fields, slug) => {
    const site = ownSite(namesOf(fields), String(fields['website'] ?? ''))?.domain;
    if (site === undefined) return undefined;
    const known = slugs.get(site);
    if (known === undefined && slugs.size < SITES_MAX) slugs.set(site, slug);
    return known === slug ? undefined : known;
  };
  if (type !== 'companies' && type !== 'investors') return () => undefined;
  for await (const json of walk(type)) {
    const fields = JSON.parse(json) as Fields;
    lookUp(fields, String(fields['slug']));
  }
  return lookUp;
}
