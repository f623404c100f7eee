import type { ComponentChildren } from 'preact';
import { dayText, shownValue, statedText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { ownAliases, wordsOfSeries } from '../../contract/record-texts.ts';
import type { RoundCounts } from '../../contract/rounds.ts';
import { yearOfAmount } from '../../contract/unsourced.ts';
import { isBlank } from '../../contract/value-text.ts';
import { isFinal } from '../../contract/vocabulary.ts';
import { Card, FactList, Link } from '../components.tsx';
import { fieldLabel, SourceText, Unsourced } from './cited-sources.tsx';

/** Fields shown elsewhere or irrelevant to people. */
const NO_FACTS: ReadonlySet<string> = new Set(
  [
    'website twitter github type id name slug tagline headline overview sources logo as_of',
    'is_verified created_at updated_at total_funding_usd investors_count last_round_date',
    'funding_stages known_rounds disclosed_rounds funding_stage_date month_only amount_raw',
    'investors_may_be_cut lead_count last_investment_date rounds_last_year rounds_since median_round_usd',
    'total_employees amount_usd company_stage start_date end_date announced_date valuation_usd',
    'stage funding_stage',
  ].flatMap((line) => line.split(' ')),
);

/** What is said with the status, and marks of what no page states. */
const OF_FACTS = /^(?:status_|unsourced)/;

interface FactsProps {
  readonly record: RecordData;
  readonly isElsewhere: (field: string) => boolean;
  /** What no source states, in words; blank if nothing is said of it. */
  readonly unstated?: string;
  /** Numbers of the rounds and grants of an investor. */
  readonly deals?: RoundCounts | undefined;
  readonly children: (field: string, value: unknown) => ComponentChildren;
}

/** The facts of a record in a list, and what no source states. */
export function FactsCard(props: FactsProps) {
  const { record, isElsewhere, unstated = '', deals, children: draw } = props;
  const facts = Object.keys(record)
    .map((field) => [field, ownValue(record, field)] as const)
    .filter(([field, value]) => !NO_FACTS.has(field) && !OF_FACTS.test(field) && !isElsewhere(field) && !isBlank(value))
    // A listed company is active, too, and its stage says so.
    .filter(([, value]) => value !== 'active' || !isFinal(record['company_stage']))
    .map(
      ([field, value]) =>
        [
          <>
            {fieldLabel(field, deals)}
            {field === 'status' ? null : <Unsourced record={record} field={field} />}
          </>,
          <Fact key={field} {...{ record, field }}>
            {draw(field, value)}
          </Fact>,
        ] as const,
    );
  if (facts.length === 0 && unstated === '') return null;
  return (
    <Card title="Facts">
      {facts.length === 0 ? null : <FactList facts={facts} />}
      {unstated === '' ? null : (
        <p class="muted">
          No source on record states {unstated}. <Link to="/coverage">What is covered</Link>
        </p>
      )}
    </Card>
  );
}

/** A value; an amount or a status with the date of its source, without which it says little. */
function Fact({ record, field, children }: { record: RecordData; field: string; children?: ComponentChildren }) {
  if (field === 'status') return <Status record={record}>{children}</Status>;
  const year = yearOfAmount(record, field);
  return (
    <>
      {children}
      {year === undefined ? null : <span class="muted"> (as of {year})</span>}
    </>
  );
}

/** What became of a company and when, if that is known, with the source and since when it says so. */
function Status({ record, children }: { record: RecordData; children?: ComponentChildren }) {
  const { status_as_of: asOf, status_source: source, status_since: since } = record;
  return (
    <>
      {children}
      {isBlank(since) ? '' : ` in ${statedText(String(since))}, `}
      <span class="muted">
        {isBlank(asOf) ? '' : `as of ${dayText(asOf)}`}
        {isBlank(asOf) || isBlank(source) ? '' : ', '}
        {isBlank(source) ? null : <SourceText source={String(source)} isShort />}
      </span>
    </>
  );
}

export const ownValue = (record: RecordData, field: string): unknown =>
  OWN_VALUES[field]?.(record) ?? shownValue(record, field);

/** Values that are shown otherwise than they are stored. */
const OWN_VALUES: Readonly<Record<string, (record: RecordData) => unknown>> = {
  aliases: ownAliases,
  // The latest first.
  events: ({ events }) => (Array.isArray(events) ? events.toReversed() : undefined),
  // Most names say it.
  edition: ({ name, edition }) => (`${name} `.includes(` ${edition} `) ? [] : edition),
  series_slug: (event) => (isBlank(event['series_slug']) ? undefined : seriesName(event)),
};

/** A series as the name or an alias of its event spells it. */
function seriesName(event: RecordData): string {
  const words = wordsOfSeries(event);
  const names = [...((event['aliases'] ?? []) as readonly string[]), event.name];
  return names.find((name) => name.toLowerCase().startsWith(words))?.slice(0, words.length) ?? words;
}
