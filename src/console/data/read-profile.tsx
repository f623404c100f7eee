import type { AggregateData } from '../../contract/aggregate.ts';
import { enumerated } from '../../contract/answer-parts.ts';
import { monthText } from '../../contract/day-text.ts';
import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { pickFilters } from '../../contract/filters.ts';
import { isGrant, type NamedReference, namedIn, partiesIn } from '../../contract/rounds.ts';
import { ledMark } from '../../contract/unsourced.ts';
import { shortMoney } from '../../contract/usd.ts';
import { counted, countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { labelOf, NO_GRANTS } from '../../contract/vocabulary.ts';
import type { Records } from '../../store/port/records.ts';
import { Card } from '../components.tsx';
import type { RecordProfile } from '../profile/profile.tsx';
import { stageText } from '../profile/round-table.tsx';
import { cellText } from './aggregate-figures.tsx';
import { countBy } from './aggregate-page.tsx';
import { eventProfile } from './around-event.tsx';
import { personProfile } from './around-person.tsx';
import { GroupText } from './group-text.tsx';
import { withMarkedTexts } from './marked-texts.ts';
import { BesideEarlier, fundedAlike } from './profile-notes.tsx';
import { listIn, type Related, relatedOf } from './related.tsx';
import { companiesOf, newestRoundDate, withRoundFigures } from './round-statistics.ts';
import { sentencesOf } from './values.tsx';

/** A record with its related lists, and what stands beside other records of its kind: what its profile on a page needs. */
export async function readProfile(records: Records, record: RecordData, now: Date): Promise<RecordProfile> {
  const related = await relatedOf(records, record);
  if (record.type === 'rounds') {
    const [company] = await companiesOf(records, [record]);
    return {
      record: { ...withOtherRounds(record, related), company: company ?? record['company'] },
      related,
      children: <BesideEarlier round={record} related={related} />,
    };
  }
  if (record.type === 'people') return personProfile(records, record, { related, now });
  if (record.type === 'events') return eventProfile(records, record, { related, now });
  return { record: await shownOf(records, record), related, children: await besides(records, record, related) };
}

async function shownOf(records: Records, record: RecordData): Promise<RecordData> {
  if (record.type !== 'investors') return withMarkedTexts(record);
  const [shown = record] = await withRoundFigures(records, [record], await newestRoundDate(records));
  const marked = withMarkedTexts(shown);
  const led = Number(shown['lead_count'] ?? 0);
  const overview = sentencesOf(marked['overview'])
    .filter((text) => !STAGES.test(text))
    .join(' ');
  const share = `has led ${countText(led)} of them${ledMark(shown)}`;
  return { ...marked, overview: led > 0 ? overview.replace(SHARE_LED, share) : overview };
}

/** What the overview says of stages, which the page counts. */
const STAGES = /^Stages: /;
/** What it says of the rounds led, which the page numbers. */
const SHARE_LED = /has led (?:some|most) of them/;

async function besides(records: Records, record: RecordData, related: readonly Related[]) {
  const totalOf = (name: string): number => related.find(({ list }) => list.name === name)?.total ?? 0;
  if (record.type === 'companies') return related.some(({ total }) => total > 0) ? null : fundedAlike(records, record);
  if (record.type === 'investors' && totalOf('rounds') >= ROUNDS_MIN) return investedIn(records, record);
  return null;
}

/** A round whose investors have the other rounds of the company in which they took part as their reason. */
function withOtherRounds(round: RecordData, related: readonly Related[]): RecordData {
  const all = listIn(related, 'rounds');
  const others = all.filter((other) => other.id !== round.id && !isGrant(other)).toReversed();
  if (isGrant(round) || others.length === 0) return round;
  const withReason = (party: NamedReference): NamedReference => {
    const joined = others.filter((other) => partiesIn(other).some(({ name }) => name === party.name));
    return joined.length === 0
      ? party
      : { ...party, reason: `also in ${enumerated(joined.map(shortName), NAMES_MAX).join('')}` };
  };
  return {
    ...round,
    lead_investors: namedIn(round, 'lead_investors').map(withReason),
    investors: namedIn(round, 'investors').map(withReason),
  };
}

/** A round by its stage and year, or by its month. */
function shortName(round: RecordData): string {
  const date = String(round['announced_date'] ?? '');
  if (isBlank(round['stage'])) return date === '' ? 'a round' : `a round of ${monthText(date)}`;
  return joinTexts(' ', stageText(round), date.slice(0, 4));
}

const NAMES_MAX = 2;

/** Fewer say nothing about where they come from. */
const ROUNDS_MIN = 5;
const VALUES_SHOWN = 6;
/** Investors with as many rounds as another, among which it is found. */
const TIED_MAX = 8;

async function investedIn(records: Records, { slug }: RecordData) {
  const given = { investor: slug, funding_stage: NO_GRANTS };
  const asked = [
    { of: 'companies', group: 'tag', given: { investor: slug } },
    { of: 'rounds', group: 'stage', given },
    { of: 'rounds', group: 'country', given },
  ] as const;
  const counts = await Promise.all(
    // The records without a value are a row too.
    asked.map(async (one) => ({
      ...one,
      data: await countBy(records, { of: one.of, group_by: one.group, top: String(VALUES_SHOWN + 1), ...one.given }),
    })),
  );
  const lists = counts.filter(({ of, data: { covered } }) => covered.known > (of === 'rounds' ? 1 : 0));
  if (lists.length === 0) return null;
  const hasRounds = lists.some(({ of }) => of === 'rounds');
  const { rows, covered } = await records.aggregate({
    // No other investor is in more of these rounds.
    ...{ of: 'rounds', groups: ['investor'], measures: ['median', 'count'], top: TIED_MAX },
    order: { by: 'measure', column: 1, isDescending: true },
    filters: pickFilters(given),
  });
  const own = rows.find(([party]) => (party as NamedReference | null)?.slug === slug);
  const median = Number(own?.[1] ?? 0);
  return (
    <Card title="What it funds">
      {covered.known < ROUNDS_MIN || median === 0 ? null : (
        <p>
          The median round raised <strong>{shortMoney(median)}</strong> from all its investors together, of{' '}
          {counted(covered.known, 'rounds')} with a known amount. Sources do not state how much of it each investor
          gave.
        </p>
      )}
      <p class="muted">
        Companies by what they do, of which each may have several tags
        {hasRounds ? '; funding rounds by stage and by country' : ''}.
      </p>
      <div class="held">
        <aside aria-label={`Companies by tag${hasRounds ? ', rounds by stage and country' : ''}`}>
          {lists.map((list) => (
            <FrequentValues key={list.group} {...list} />
          ))}
        </aside>
      </div>
    </Card>
  );
}

interface FrequentValuesProps {
  readonly of: RecordType;
  readonly group: string;
  readonly data: AggregateData;
  readonly given: Readonly<Record<string, string>>;
}

function FrequentValues({ of, group, data, given }: FrequentValuesProps) {
  const rows = data.rows.filter(([value]) => value !== null).slice(0, VALUES_SHOWN);
  return (
    <section class="facet">
      <h3>{labelOf(group)}</h3>
      <ol>
        {rows.map(([value = null, number]) => (
          <li key={String(cellText(value))}>
            <GroupText of={of} group={group} cell={value} given={given} />
            <span class="number">{countText(Number(number))}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
