import { undefinedIfInvalid } from '../../contract/errors.ts';
import { foldName } from '../../contract/names.ts';
import { dayOf } from '../../contract/record-texts.ts';
import { type Backer, backersOf, companyOf, countsText, isGrant } from '../../contract/rounds.ts';
import { countText, isBlank } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { InvestorLink, Listed, RecordLink } from '../components.tsx';
import { readFirst } from './read-records.ts';
import type { SearchOutcome } from './search.ts';

const COMPANIES_SHOWN = 5;
const OTHERS_SHOWN = 8;

/** What the rounds say of an investor that has no record; null unless all rounds that name it are listed, and nothing else is asked for. */
export function NamedInvestor({ effective, found, results }: SearchOutcome) {
  const { type, query, given } = effective;
  const { investor: asked, funding_stage: _, ...others } = given;
  const isAll = results.length > 0 && results.length === found?.total;
  if (type !== 'rounds' || query !== '' || asked === undefined || Object.keys(others).length > 0 || !isAll) return null;
  const backers = backersOf(results);
  const self = backers.find(({ investor: { name, slug } }) => slug == null && foldName(name) === foldName(asked));
  if (self?.joined !== results.length) return null;
  const grants = results.filter(isGrant).length;
  const first = results
    .filter((round) => !isBlank(round['announced_date']))
    .toSorted((one, other) => (String(one['announced_date']) < String(other['announced_date']) ? -1 : 1))[0];
  const byName = new Map(results.map(companyOf).map((company) => [company.slug ?? company.name, company]));
  const companies = [...byName].map(([name, company]) => <RecordLink key={name} to={company} />);
  const beside = backers.filter((backer) => backer !== self).toSorted((one, other) => other.joined - one.joined);
  return (
    <div class="answer">
      <p>
        {self.investor.name} has no record here, but is named in{' '}
        <strong>{countsText({ rounds: results.length - grants, grants })}</strong> on record
        {first === undefined ? '' : `${results.length === 1 ? ', of' : ' since'} ${dayOf(first)}`}
        {self.led === 0 ? '' : results.length === 1 ? ', as lead' : `, in ${countText(self.led)} of them as lead`}: of{' '}
        <Listed parts={companies} shownMax={COMPANIES_SHOWN} />.
      </p>
      {beside.length === 0 ? null : (
        <p>
          Co-investors: <Listed parts={beside.map(backerText)} shownMax={OTHERS_SHOWN} />.
        </p>
      )}
    </div>
  );
}

const backerText = ({ investor, joined }: Backer) => (
  <>
    <InvestorLink to={investor} />
    {joined === 1 ? '' : ` (${countText(joined)} rounds)`}
  </>
);

/** The query of the rounds in which an investor without a record took part; undefined if none names it. */
export async function roundsNaming(records: Records, slug: string): Promise<string | undefined> {
  const filters = { investor: { mode: 'any', values: [slug] } } as const;
  // A name that neither a record nor a round has is an error of the filter.
  const read = await readFirst(records, 1, { types: ['rounds'], filters }).catch(undefinedIfInvalid);
  const [round] = read?.found ?? [];
  if (round === undefined) return undefined;
  const { investor } = backersOf([round]).find(({ investor: { name } }) => foldName(name) === foldName(slug)) ?? {};
  return new URLSearchParams({ type: 'rounds', investor: investor?.name ?? slug }).toString();
}
