import shipped from '../../../data/sources.json' with { type: 'json' };
import { dayText, monthText } from '../../contract/day-text.ts';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { EDITORS, UNSOURCED } from '../../contract/unsourced.ts';
import { countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, ExternalLink, Link, namedRow, PageHead, SmallLink, Table } from '../components.tsx';
import type { PublicPage } from './send-page.ts';

const CITATIONS_READ = 20;

/** Whether records of a store come from the shipped data set: by the first ones, since a set that is added adds thousands. */
export async function citesShippedSources(records: Records): Promise<boolean> {
  const window = { offset: 0, limit: CITATIONS_READ };
  const { results } = await records.search({ types: RECORD_TYPES, text: '', window, isInterleaved: true });
  return results.some((json) => shipped.some(({ place }) => json.includes(`"${place}@`)));
}

export function SourcesCard() {
  const licences = shipped.map(({ licence }) => licence);
  const sourcesUnder = (name: string): number => licences.filter((licence) => licence === name).length;
  const names = [...new Set(licences)].toSorted((one, other) => sourcesUnder(other) - sourcesUnder(one));
  const newest = shipped
    .filter((source) => !isOfEditors(source))
    .map(({ date }) => date)
    .reduce((one, other) => (one > other ? one : other));
  return (
    <Card title="Sources" action={<SmallLink to="/coverage/sources">All {shipped.length} sources</SmallLink>}>
      <p>
        The shipped records are facts of {shipped.length} sources up to {dayText(newest)}, under{' '}
        {names.map((name) => `${name} (${sourcesUnder(name)})`).join(', ')}. Every record names its own, with the fields
        that each states; records that you add name yours.
      </p>
    </Card>
  );
}

/** Every source of the shipped data set with its licence, the day it was read as of, and how many records cite it. */
export function dataSourcesPage(): PublicPage {
  return {
    title: 'Sources',
    description:
      'The sources of the shipped records: where each is, its licence, its date and how many records cite it.',
    body: (
      <div class="landing cited">
        <p class="crumbs">
          <Link to="/coverage">Coverage</Link>
        </p>
        <PageHead
          title="Sources"
          lead="Where the facts of the shipped data set come from. Only names, addresses, labels, numbers and dates were taken: no sentence and no image."
        />
        <Table label="Sources of the shipped data set" head={HEAD} numbers={['Records']}>
          {shipped.map(({ title, place, url, date, licence, records, types }) =>
            namedRow(
              title,
              <>
                {url === null ? title : <ExternalLink to={url}>{title}</ExternalLink>}
                {url === null ? <p class="business">{isOfEditors({ place }) ? NO_PAGE : OWN_PAGES}</p> : null}
              </>,
              licence === 'facts only' ? 'None: facts only, no text of the page' : licence,
              `${isOfEditors({ place }) ? 'Edited on ' : ''}${/^\d{4}-\d\d$/.test(date) ? monthText(date) : dayText(date)}`,
              countText(records),
              types.map(labelOf).join(', '),
            ),
          )}
        </Table>
        <LicenceTexts />
      </div>
    ),
  };
}

/** Their date is that of the last change; each of their facts has an earlier one of its own. */
const isOfEditors = ({ place }: { readonly place: string }): boolean => `${place}@` === EDITORS;

const OWN_PAGES = 'Each record links the page of its own.';
const NO_PAGE = `Without a page; amounts of rounds are marked as ${UNSOURCED}.`;
const HEAD = ['Source', 'Licence', 'As of', 'Records', 'In'];

const LICENCES: Readonly<Record<string, string>> = {
  'Apache-2.0': 'https://www.apache.org/licenses/LICENSE-2.0',
  MIT: 'https://opensource.org/license/mit',
  'CC-BY-4.0': 'https://creativecommons.org/licenses/by/4.0/',
  'CC0-1.0': 'https://creativecommons.org/publicdomain/zero/1.0/',
};

/** The texts of the licences, once, because links in neighbouring cells are hard to tap. */
const LicenceTexts = () => (
  <p class="hint">
    Licences:{' '}
    {Object.entries(LICENCES).map(([name, url], index) => [
      index === 0 ? '' : ' · ',
      <a href={url} rel="license noreferrer">
        {name}
      </a>,
    ])}
    . “By document”: only documents that carry one of these or another open licence themselves.
  </p>
);
