import { GROUPS } from '../../contract/aggregate.ts';
import { capitalize } from '../../contract/capitalize.ts';
import { dayText } from '../../contract/day-text.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { isBound } from '../../contract/filter-words.ts';
import { type FilterName, fieldsOf } from '../../contract/filters.ts';
import { PERIODS, utcDay } from '../../contract/periods.ts';
import { INVESTORS_LISTED, MISSING } from '../../contract/sample-notes.ts';
import { isUnsourced } from '../../contract/unsourced.ts';
import { countText, isBlank, withOr } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import type { Vocabulary } from '../../contract/vocabulary-response.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, FactList, Link, NoRecords, Notice, namedRow, PageHead, Table } from '../components.tsx';
import { countBy } from '../data/aggregate-page.tsx';
import { GRANTS, kindPath, ROUNDS, type SearchKind } from '../data/parsed-search.ts';
import { readFundingRounds } from '../data/round-statistics.ts';
import { citesShippedSources, SourcesCard } from './data-sources.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';

/** The coverage page: what is held of each kind, how much of it is known, how recent it is, and what is not held. */
export function createCoveragePage({ store: { records }, clock }: PublicDeps): () => Promise<PublicPage> {
  const read = createReader(records, clock);
  return async () => ({
    title: 'Coverage',
    description:
      'How many records of each kind are on this instance, how much of each is known, how recent they are, and what is not held.',
    body: <Coverage {...(await read())} />,
  });
}

type CoverageData = Awaited<ReturnType<typeof readCoverage>>;

/** Some 20 aggregates, computed once a day and after a change of the records. */
function createReader(records: Records, clock: PublicDeps['clock']): () => Promise<CoverageData> {
  let known:
    | { readonly vocabulary: Vocabulary; readonly day: string; readonly data: Promise<CoverageData> }
    | undefined;
  return async () => {
    const vocabulary = await records.vocabulary();
    const day = utcDay(clock());
    if (known?.vocabulary === vocabulary && known.day === day) return known.data;
    const data = readCoverage(records, vocabulary, twoYearsBefore(day));
    known = { vocabulary, day, data };
    data.catch(() => {
      known = undefined;
    });
    return data;
  };
}

const twoYearsBefore = (day: string): string =>
  `${Number(day.slice(0, 4)) - 2}${day.slice(4)}`.replace('02-29', '02-28');

async function readCoverage(records: Records, { coverage }: Vocabulary, since: string) {
  const types = RECORD_TYPES.filter((type) => coverage[type].records > 0);
  const held = await Promise.all(types.map((type) => readHeld(records, { type, coverage: coverage[type], since })));
  const hasRounds = types.includes('rounds');
  const grants = hasRounds ? await readSpan(records, GRANTS, since) : undefined;
  const hasShipped = await citesShippedSources(records);
  const rounds = hasRounds ? await readRoundsHeld(records) : undefined;
  // Dates of what happened say more than dates of lists.
  const dated = [...held.filter(({ kind }) => kind === ROUNDS), ...(grants ? [grants] : [])];
  return { hasShipped, held, rounds, spans: [...dated, ...held.filter(({ kind }) => kind !== ROUNDS)] };
}

const ROUNDS_READ_MAX = 5_000;

/** Counts rounds by fields that no aggregate has; of too many to read, none. */
async function readRoundsHeld(records: Records) {
  const { rounds, total } = await readFundingRounds(records, ROUNDS_READ_MAX);
  if (total === 0 || total > ROUNDS_READ_MAX) return undefined;
  return {
    all: total,
    valued: rounds.filter((round) => !isBlank(round['valuation_usd'])).length,
    unsourced: rounds.filter(isUnsourced).length,
  };
}

/** Number of records of a kind, their first and last date, and how many are recent by their date, or by that of their newest source. */
async function readSpan(records: Records, kind: SearchKind & { readonly type: RecordType }, since: string) {
  const [group = ''] = Object.keys(GROUPS[kind.type]);
  const query = { of: kind.type, group_by: group, top: '1', ...(kind === GRANTS && { kind: 'grants' }) };
  const lately = DATED[kind.type] === undefined ? { stale: 'false' } : { from: since };
  const [all, recent] = await Promise.all([countBy(records, query), countBy(records, { ...query, ...lately })]);
  return { kind, all, recent: recent.covered.records };
}

type TypeCoverage = Vocabulary['coverage'][RecordType];

/** Coverage of one type; of rounds, without grants. */
async function readHeld(
  records: Records,
  { type, coverage, since }: { type: RecordType; coverage: TypeCoverage; since: string },
) {
  const [span, known] = await Promise.all([
    readSpan(records, type === 'rounds' ? ROUNDS : { label: labelOf(type), type }, since),
    type === 'rounds' ? knownOfRounds(records) : knownOf(type, coverage),
  ]);
  return { ...span, known };
}

type Known = readonly [label: string, records: number];

/** Fields are named by their filter or bound. */
const knownOf = (type: RecordType, { known }: TypeCoverage): readonly Known[] =>
  Object.entries(known).flatMap(([name, records]): Known[] => {
    const filter = name as FilterName;
    const field = isBound(filter) ? (fieldsOf(type, filter)[0] ?? name) : name;
    return NOT_COVERED.includes(field) ? [] : [[FIELD_TEXTS[`${type} ${field}`] ?? labelOf(field), records]];
  });

/** The date of the source, and a count that is 0 also where the lead of each round is not known. */
const NOT_COVERED = ['as_of', 'lead_count'];

/** What is counted where the label of the field does not say it. */
const FIELD_TEXTS: Readonly<Record<string, string>> = {
  'companies funding_stage': 'Funding stage or grant',
  'companies investor': 'Named investor',
  'companies founder': 'Named founder',
  'people company': 'Role at a company',
  'people event': 'Talk at an event',
  'investors company': 'Company invested in',
  'investors funding_stage': 'Stage invested in',
  'investors founder': 'Named founder',
};

/** The same of rounds without grants, which the vocabulary does not count apart. */
async function knownOfRounds(records: Records): Promise<Known[]> {
  const groups = Object.keys(GROUPS.rounds).filter((group) => !PERIODS.includes(group));
  const fields: (readonly [field: string, group: string, measure?: string])[] = [
    ['announced_date', 'year'],
    ['amount_usd', 'year', 'sum'],
    ...groups.map((group) => [group, group] as const),
  ];
  const knownBy = async ([field, group, measure = 'count']: (typeof fields)[number]): Promise<Known> => {
    const { covered } = await countBy(records, { of: 'rounds', group_by: group, measure, top: '1' });
    return [labelOf(field), covered.known];
  };
  return Promise.all(fields.map(knownBy));
}

function Coverage({ hasShipped, held, spans, rounds }: CoverageData) {
  return (
    <div class="landing">
      <PageHead
        title="Coverage"
        lead="What this instance holds, how recent it is, and how many records have each field, counted from them."
      />
      {held.length === 0 ? (
        <div class="card">
          <NoRecords />
        </div>
      ) : (
        <>
          <Recency spans={spans} rounds={rounds} />
          <Spans spans={spans} />
          {spans.every(({ kind }) => DATED[kind.type] !== undefined) ? null : (
            <p class="hint under">
              Companies, people and investors have no day of their own: theirs is that of the newest source that lists
              them. The share of the last two years says how recent that source is, not that something happened.
            </p>
          )}
          {hasShipped ? <SourcesCard /> : null}
          <NotHeld held={held} />
          <div class="held">
            {held.map((one) => (
              <Contents key={one.kind.type} {...one} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

/** Date fields of types that have one; other types use the dates of their sources. */
const DATED: Readonly<Partial<Record<RecordType, string>>> = { rounds: 'Announcement', events: 'First day' };

function Spans({ spans }: { spans: readonly Awaited<ReturnType<typeof readSpan>>[] }) {
  return (
    <Table
      label="Records by kind"
      head={['Kind', 'Records', 'Of the last two years', 'Oldest', 'Newest', 'Dated by']}
      numbers={['Records', 'Of the last two years']}
    >
      {spans.map(({ kind, all: { covered }, recent }) =>
        namedRow(
          kind.label,
          <Link to={kindPath(kind)}>{kind.label}</Link>,
          countText(covered.records),
          shareText(recent, covered.records),
          dayText(covered.from),
          dayText(covered.to),
          <>
            {DATED[kind.type] ?? 'Newest source that lists it'}
            {DATED[kind.type] === undefined || covered.unknown === 0 ? null : (
              <span class="muted">, {countText(covered.unknown)} without</span>
            )}
          </>,
        ),
      )}
    </Table>
  );
}

/** A share in whole per cent; 0 and 100 only for none and all. */
function shareText(records: number, all: number): string {
  const percent = Math.round((records / all) * 100);
  if (percent === 0 && records > 0) return '< 1%';
  return `${records < all ? Math.min(percent, 99) : percent}%`;
}

/** How recent and how well sourced the rounds are, which most is asked about. */
function Recency({ spans, rounds }: Pick<CoverageData, 'spans' | 'rounds'>) {
  const recent = spans.find(({ kind }) => kind === ROUNDS);
  if (recent === undefined) return null;
  const { records, to } = recent.all.covered;
  return (
    <Notice tone="plain">
      {countText(recent.recent)} of {countText(records)} funding rounds were announced in the last two years, the newest
      on {dayText(to)}: a sample, not the whole market.
      {rounds === undefined
        ? null
        : ` The valuation is known for ${countText(rounds.valued)} of all ${countText(rounds.all)}. For ${countText(rounds.unsourced)} there is no page to check them by, only the word of our editors.`}
    </Notice>
  );
}

function NotHeld({ held }: Pick<CoverageData, 'held'>) {
  const facts = held.map(({ kind, known }): readonly [string, string] => {
    const fields = known.filter(([, records]) => records === 0).map(([label]) => label.toLowerCase());
    const lacking = fields.length === 0 ? [] : [`no ${withOr(fields)}`];
    return [kind.label, [...lacking, ...(MISSING_OF[kind.type] ?? [])].map(asSentence).join(' ')];
  });
  return (
    <Card title="Limits of the data">
      <FactList
        facts={[
          ...facts,
          ['Grants', asSentence(MISSING.grants)],
          [
            'Anything',
            'There are no prices, market capitalisations, trading volumes, TVL, revenues, e-mail addresses or phone numbers.',
          ],
        ]}
        isBeside
      />
    </Card>
  );
}

const asSentence = (text: string): string => `${capitalize(text)}.`;

/** What sources leave out of the records of a type. */
const MISSING_OF: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  rounds: [MISSING.rounds],
  investors: [
    MISSING.investors,
    `counts by investor are lower bounds: ${INVESTORS_LISTED}, often the first by alphabet`,
  ],
  people: [MISSING.people],
  events: [MISSING.speakers],
};

/** Completeness of the records of a type. */
function Contents({ kind, all, known }: Awaited<ReturnType<typeof readHeld>>) {
  const { records } = all.covered;
  const name = kind.label.toLowerCase();
  return (
    <Card title={kind.label}>
      <Table label={`How much is known of ${name}`} head={['Field', 'Known', 'Share']} numbers={['Known']} look="">
        {known.map(([field, number]) =>
          namedRow(
            field,
            field,
            countText(number),
            <td class="known">
              <progress value={(number / records).toFixed(2)} aria-hidden="true" />
              {shareText(number, records)}
            </td>,
          ),
        )}
      </Table>
    </Card>
  );
}
