import type { ComponentChildren, VNode } from 'preact';
import type { RecordData } from '../../contract/entities/index.ts';
import { amountText, dayOf, leadsMark, UNDISCLOSED } from '../../contract/record-texts.ts';
import { backersOf, companyOf, isGrant, type NamedReference, namedIn } from '../../contract/rounds.ts';
import { citedSources, DAGGER_NOTE, isUnsourced, UNSOURCED } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank } from '../../contract/value-text.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, ExternalLink, InvestorLink, RecordLink, row, Table } from '../components.tsx';
import { businessOf } from '../data/round-statistics.ts';
import { SourceText, Unsourced } from './cited-sources.tsx';

/** Names of who led a round, or gave a grant, with a mark if only the editors of the data set state the leads. */
const Leads = ({ round }: { round: RecordData }) => (
  <>
    {leadsIn(round).map((party, index) => [index === 0 ? '' : ', ', <InvestorLink to={party} />])}
    {leadsMark(round) === '' ? null : <Unsourced record={round} field="lead_investors" />}
  </>
);

const leadsIn = (round: RecordData): readonly NamedReference[] =>
  namedIn(round, isGrant(round) ? 'investors' : 'lead_investors');

/** What the mark of leads in a table of rounds says; nothing for a table without it. */
export function LeadsNote({ rounds }: { rounds: readonly RecordData[] }) {
  return rounds.some((round) => leadsMark(round) !== '') ? <p class="hint under">{DAGGER_NOTE}</p> : null;
}

/** Who led a round, or gave a grant; of a round without leads, how many took part. */
export function LeadParties({ round, hasOthers = false }: { round: RecordData; hasOthers?: boolean }) {
  const leads = leadsIn(round);
  const others = isGrant(round) ? 0 : backersOf([round]).length - leads.length;
  const noun = `${leads.length === 0 ? 'investor' : 'other'}${others === 1 ? '' : 's'}`;
  if (leads.length === 0 && others > 0) return <span class="muted">{`not stated (${countText(others)} ${noun})`}</span>;
  return (
    <>
      {leads.length === 0 ? UNKNOWN : <Leads round={round} />}
      {others === 0 || !hasOthers ? null : <span class="muted">{` + ${countText(others)} ${noun}`}</span>}
    </>
  );
}

/** The disclosed valuation of a round, on a line below its amount. */
export const Valuation = ({ round: { valuation_usd: valuation } }: { round: RecordData }) =>
  isBlank(valuation) ? null : <p class="business">at {shortMoney(Number(valuation))} valuation</p>;

/** Whether the sources of some rounds may list only some of the investors. */
export const isCut = (rounds: readonly RecordData[]): boolean =>
  rounds.some((round) => round['investors_may_be_cut'] === true);

/** A number of investors, with a plus where the sources of a round may list only some of them. */
export const orMore = (count: string, rounds: readonly RecordData[]): string =>
  count !== '' && isCut(rounds) ? `${count}+` : count;

/** Values of rounds that lead somewhere or are marked, by their field: a date leads to its round, and names to their records. */
export const ROUND_CELLS: Readonly<Record<string, (round: RecordData) => ComponentChildren>> = {
  company: (round) => <RecordLink to={companyOf(round)} />,
  announced_date: (round) => <RecordLink to={round}>{dayOf(round)}</RecordLink>,
  amount_usd: (round) => (isBlank(round['amount_usd']) ? <span class="muted">{UNDISCLOSED}</span> : amountText(round)),
  lead_investors: (round) => <Leads round={round} />,
  investors: (round) => {
    const count = backersOf([round]).length;
    return count === 0 ? UNKNOWN : orMore(countText(count), [round]);
  },
  announcement: (round) => <Announcement round={round} />,
};

/** A round's name mostly ends with the year of its date. */
const nameText = ({ name, announced_date: date }: RecordData): string =>
  name.replace(` (${String(date).slice(0, 4)})`, '');

const saysStage = ({ name, stage }: RecordData): boolean =>
  isBlank(stage) || name.toLowerCase().includes(vocabularyLabel(String(stage)).toLowerCase());

interface RoundTableProps {
  readonly rounds: readonly RecordData[];
  readonly label: string;
  /** Whether announcements are omitted for lack of room. */
  readonly isShort?: boolean;
  /** Companies of the rounds, whose business stands below the rounds. */
  readonly companies?: readonly RecordData[];
  /** Whether the rounds are of several companies, by which they are named. */
  readonly isOfDeals?: boolean;
  /** The name of the record on whose page they are, which is not repeated as the giver of its grants. */
  readonly giver?: string | undefined;
}

export function RoundTable({ rounds, label, isShort = false, companies = [], ...look }: RoundTableProps) {
  const isOfGrants = rounds.every(isGrant);
  // Where the company is told, its round is named by the date.
  const isOfDeals = companies.length > 0 || look.isOfDeals === true;
  const hasStages = isOfDeals || (!isOfGrants && !rounds.every(saysStage));
  const isOwn = (round: RecordData): boolean =>
    isGrant(round) && namedIn(round, 'investors').every(({ name }) => name === look.giver);
  const hasParties = !rounds.every(isOwn);
  const columns = [
    isOfDeals ? 'Company' : isOfGrants ? 'Grant' : 'Round',
    'Date',
    ...(hasStages ? [isOfGrants ? 'Programme' : 'Stage'] : []),
    'Amount',
    ...(hasParties ? [isOfGrants ? 'Given by' : 'Led by'] : []),
    ...(isShort ? [] : ['Source']),
  ];
  return (
    <>
      <Table label={label} head={columns} numbers={['Amount']}>
        {rounds.map((round) =>
          row(
            round.id,
            <>
              {isOfDeals ? ROUND_CELLS['company']?.(round) : <RecordLink to={round}>{nameText(round)}</RecordLink>}
              {isShort && isUnsourced(round) ? <span class="muted"> {UNSOURCED}</span> : null}
              {companies.length > 0 ? <p class="business">{businessOf(round, companies)}</p> : null}
            </>,
            <td class="nowrap">{isOfDeals ? ROUND_CELLS['announced_date']?.(round) : dayOf(round)}</td>,
            ...(hasStages ? [<td class={isGrant(round) ? undefined : 'nowrap'}>{programOf(round)}</td>] : []),
            <td class="number main">
              {amountText(round)}
              <Valuation round={round} />
            </td>,
            ...(hasParties ? [<td class="names">{isOwn(round) ? null : <LeadParties round={round} />}</td>] : []),
            ...(isShort ? [] : [<Announcement round={round} />]),
          ),
        )}
      </Table>
      <LeadsNote rounds={rounds} />
    </>
  );
}

interface RoundListsProps {
  readonly rounds: readonly RecordData[];
  readonly owner: RecordData;
  /** Numbers of all funding rounds and grants. */
  readonly totals: { readonly rounds: number; readonly grants: number };
}

export function RoundLists({ rounds, totals, owner }: RoundListsProps) {
  const kinds = [
    { title: 'Funding rounds', total: totals.rounds, shown: rounds.filter((round) => !isGrant(round)) },
    { title: 'Grants', total: totals.grants, shown: rounds.filter(isGrant) },
  ];
  return (
    <>
      {kinds.map(({ title, total, shown }) =>
        shown.length === 0 ? null : (
          <Card key={title} title={`${title}: ${countText(total)}`}>
            <RoundTable rounds={shown} label={title} isOfDeals={owner.type !== 'companies'} giver={owner.name} />
          </Card>
        ),
      )}
    </>
  );
}

/** The stage of a round, or the program of a grant as its source names it. */
export const programOf = (round: RecordData): string =>
  String((isGrant(round) && round['stage_raw']) || stageText(round));

const UNKNOWN = '–';

export const stageText = ({ stage }: RecordData): string => (isBlank(stage) ? UNKNOWN : vocabularyLabel(String(stage)));
/** The host of the page that announced a round, as a link to it; of a round without one, its first source. */
export function Announcement({ round }: { round: RecordData }): VNode | string {
  const [first] = citedSources(round);
  if (isBlank(round['announcement'])) return first === undefined ? UNKNOWN : <SourceText {...first} isShort />;
  const address = String(round['announcement']);
  return (
    <ExternalLink to={address}>
      {URL.canParse(address) ? new URL(address).hostname.replace(/^www\./, '') : address}
    </ExternalLink>
  );
}
