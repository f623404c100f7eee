import { dayText, shownValue } from '../../contract/day-text.ts';
import { type RecordData, recordNoun } from '../../contract/entities/index.ts';
import type { PersonRole } from '../../contract/person-roles.ts';
import { amountText, daysOf, leadsOf, placeOf } from '../../contract/record-texts.ts';
import { countsText } from '../../contract/rounds.ts';
import { isOfEditors, ledMark, UNSOURCED, unsourcedMark } from '../../contract/unsourced.ts';
import { markedText } from '../../contract/unsourced-texts.ts';
import { shortMoney } from '../../contract/usd.ts';
import { countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { FUNDING_STAGES, stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, RecordLink } from '../components.tsx';
import { RecordTile } from '../profile/tile.tsx';
import { inShort, Marked, sentenceWith, withoutLastRound } from './values.tsx';

interface ResultItemProps {
  readonly record: RecordData;
  /** Grants that an investor gave. */
  readonly grants?: number | undefined;
  readonly business?: string | undefined;
  /** The order of the list, whose field the figure shows. */
  readonly sort?: string | undefined;
  /** The year that its part of the list is about. */
  readonly part?: string | undefined;
  readonly words: readonly string[];
  /** Whether results of several types are mixed. */
  readonly hasKind: boolean;
}

export function ResultItem({ record, grants, sort, part, business, words, hasKind }: ResultItemProps) {
  const { name } = record;
  const [line, note] = textsOf(record, { sort, business });
  const deals = dealsText(record) || String(record['backed'] ?? speakersText(record));
  const [figure, label] = figureOf(record, { grants, sort, part });
  const match = [name, line].some((text) => sentenceWith(text, words) !== undefined)
    ? undefined
    : sentenceWith(String(record['overview'] ?? ''), words);
  return (
    <li>
      <RecordTile record={record} />
      <div>
        <p class="record-name">
          <RecordLink to={record}>
            <Marked text={name} words={words} />
          </RecordLink>{' '}
          {hasKind ? <Badge>{recordNoun(record)}</Badge> : null}
        </p>
        <p class="record-line muted">
          <Marked text={line} words={words} />
        </p>
        {deals === '' ? null : <p class="record-line">{deals}</p>}
        {match === undefined ? null : (
          <p class="record-match muted">
            <Marked text={match} words={words} />
          </p>
        )}
      </div>
      <div class="record-figure">
        {figure + label === '' ? null : (
          <p>
            <strong>{figure}</strong> <span class="muted">{label}</span>
          </p>
        )}
        {note === '' ? null : <p class="muted">{note}</p>}
      </div>
    </li>
  );
}

const LINE_LENGTH = 200;

const count = (value: unknown): string => countText(Number(value));
const sizeOf = (value: unknown): string => countText((value as readonly unknown[]).length);

/** The figure of a result: the first of these fields with a value. */
const FIGURES: readonly (readonly [
  field: string,
  label: string,
  text: (value: unknown, record: RecordData) => string,
])[] = [
  ['total_funding_usd', 'known', (value) => shortMoney(Number(value))],
  ['amount_usd', '', (_, round) => amountText(round)],
  ['angel_investments', 'angel rounds', count],
  ['events', 'events', sizeOf],
];

/** What an investor does in rounds, as whoever raises one asks: leads, of the last year on record, of which size, at which stages. */
function dealsText(record: RecordData): string {
  const { lead_count: led, rounds_last_year: lately, median_round_usd: median, funding_stages: stages } = record;
  if (lately === undefined) return '';
  return joinTexts(
    ' · ',
    Number(led ?? 0) > 0 && `${count(led)} led${ledMark(record)}`,
    Number(lately) > 0 && `${count(lately)} in the last 12 months on record`,
    isBlank(median) ? '' : `median round ${shortMoney(Number(median))}`,
    stageRange((stages ?? []) as readonly string[]),
  );
}

/** The roles of a person beside those that its line names. */
const otherRoles = (person: RecordData, line: string): string =>
  joinTexts(
    ', ',
    ...((person['roles'] ?? []) as readonly PersonRole[]).flatMap(({ title, organization, as_of: asOf }) =>
      organization === null || line.includes(organization)
        ? []
        : joinTexts(' of ', title ?? '', organization) + (isOfEditors(person, 'roles', asOf) ? ` (${UNSOURCED})` : ''),
    ),
  );

/** The first and last of some stages that follow each other, such as `Seed to Series C`. */
export function stageRange(stages: readonly string[]): string {
  const known = FUNDING_STAGES.slice(0, FUNDING_STAGES.indexOf('series_h') + 1).filter((stage) =>
    stages.includes(stage),
  );
  return [...new Set([known[0], known.at(-1)])]
    .flatMap((stage) => (stage ? [vocabularyLabel(stage)] : []))
    .join(' to ');
}

function figureOf(record: RecordData, props: Pick<ResultItemProps, 'grants' | 'sort' | 'part'>): Figure {
  const { grants = 0, sort = '', part = '' } = props;
  if (record.type === 'events') return [part === '' ? daysOf(record) : daysOf(record).replaceAll(` ${part}`, ''), ''];
  const rounds = Number(record['investments_count'] ?? 0);
  if (sort.endsWith('lead_count') && rounds > 0)
    return [count(record['lead_count'] ?? 0), `led${ledMark(record)} of ${countsText({ rounds, grants: 0 })}`];
  const [figure] = knownFigures(record, sort);
  if (figure !== undefined) return figure;
  if (record.type === 'rounds') return ['', 'undisclosed'];
  if (rounds + grants === 0) return ['', ''];
  const [number = '', ...words] = countsText({ rounds, grants }).split(' ');
  return [number, words.join(' ')];
}

type Figure = readonly [value: string, label: string];

/** The known figures of a record; of a person the largest first, unless the list is sorted by one. */
function knownFigures(record: RecordData, sort: string): readonly Figure[] {
  const known = FIGURES.filter(([field]) => !isBlank(record[field])).map(([field, label, text]): Figure => {
    const figure = text(record[field], record);
    return [figure, nounAfter(figure, label)];
  });
  const isRanked = record.type === 'people' && !sort.endsWith('angel_investments');
  return isRanked ? known.toSorted(([one], [other]) => Number(other) - Number(one)) : known;
}

/** Whether the stage of a company is from a round before its last one. */
export const isStageEarlier = (record: RecordData): boolean =>
  !isBlank(record['funding_stage']) &&
  !isBlank(record['last_round_date']) &&
  record['funding_stage_date'] !== record['last_round_date'];

/** The stage of a company and the date of its last round, which may be of another stage. */
function stageTexts(record: RecordData): readonly string[] {
  const stage = stageOfCompany(record);
  const isOfLast = stage === record['funding_stage'] && record['funding_stage_date'] === record['last_round_date'];
  const last = dayText(shownValue(record, 'last_round_date'));
  // An earlier stage beside the date of a later round would read as the stage of that round.
  const text =
    isBlank(stage) || (stage === record['funding_stage'] && isStageEarlier(record))
      ? ''
      : vocabularyLabel(String(stage));
  return [text, isOfLast || last === '' ? last : `last round ${last}`];
}

/** What is counted, after one of it without the plural. */
const nounAfter = (figure: string, label: string): string => (figure === '1' ? label.replace(/s$/, '') : label);

/** What is known beside the figure: events of a person, speakers of an event. */
function furtherOf(record: RecordData, sort: string): readonly string[] {
  if (record.type === 'events') {
    const speakers = sizeOf(record['speakers'] ?? []);
    return speakers === '0' ? [] : [`${speakers} ${nounAfter(speakers, 'speakers')} on record`];
  }
  if (record.type !== 'people') return [];
  const [, ...others] = knownFigures(record, sort);
  return others.map((figure) => figure.join(' '));
}

/** Facts that a result shows only in a list sorted by them. */
const FACTS_OF_ORDER: readonly (readonly [field: string, write: (value: string) => string])[] = [
  ['year_founded', (year) => `founded ${year}`],
  ['total_employees', (employees) => `${countText(Number(employees))} employees`],
  ['updated_at', (time) => `updated ${dayText(time.slice(0, 10))}`],
];

/** What the line of an investor says that its figures say. */
const INVESTS_SINCE = /, with known investments since \d{4}(: )?/;

/** The line of a person without what the figures beside it count, unless it says nothing else. */
function withoutCounted(line: string): string {
  const parts = line.split('; ').filter((part) => !/^(speaker at|angel investor)/i.test(part));
  return parts.length === 0 ? line : parts.join('; ');
}

function textsOf(
  record: RecordData,
  { sort = '', business = '' }: Pick<ResultItemProps, 'sort' | 'business'>,
): readonly [line: string, note: string] {
  const text = (field: string, write: (value: string) => string): string =>
    isBlank(record[field]) ? '' : write(String(shownValue(record, field)));
  // The line of an event repeats its dates.
  const own = record.type === 'events' ? [] : LINE_FIELDS.filter((field) => !isBlank(record[field]));
  const said = withoutCounted(own[0] === undefined ? '' : markedText(record, own[0], ` (${UNSOURCED})`));
  const line = inShort(withoutLastRound(said).replace(INVESTS_SINCE, ' · ').replace(/ · $/, ''), LINE_LENGTH);
  const place = placeOf(record);
  const stage = text('stage', vocabularyLabel);
  const isNamed = record.name.toLowerCase().includes(stage.toLowerCase());
  const facts = [text('event_type', vocabularyLabel), isNamed ? '' : stage, leadsOf(record, 'led by '), business];
  const roles = record.type === 'people' ? otherRoles(record, line) : '';
  const lines = line === '' ? [roles, ...facts] : [line, ...facts, roles];
  const notes = [
    ...stageTexts(record),
    text('announced_date', dayText),
    String(record['token_sales'] ?? ''),
    unsourcedMark(record),
    text('last_investment_date', (day) => `last ${dayText(day)}`),
    ...furtherOf(record, sort),
    ...FACTS_OF_ORDER.filter(([field]) => sort.endsWith(field)).map(([field, write]) => text(field, write)),
  ];
  if (!line.includes(place.split(',')[0] ?? place))
    (line === '' || record.type === 'investors' ? lines : notes).push(place);
  return [joinTexts(' · ', ...lines), joinTexts(' · ', ...notes)];
}

/** What a record is, in the first of these that it has. */
const LINE_FIELDS = ['headline', 'tagline', 'overview'];

/** The first speakers of an event, at the end of what is said of it. */
const speakersText = ({ type, overview }: RecordData): string =>
  type === 'events'
    ? String(overview ?? '')
        .replace(/^.*?(?=Speakers on record|$)/s, '')
        .replace(/^((?:[^,]*, ){2}[^,]*),.*/s, '$1 and others')
    : '';
