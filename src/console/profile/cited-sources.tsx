import type { VNode } from 'preact';
import { dayText } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import type { RoundCounts } from '../../contract/rounds.ts';
import { sourceFile } from '../../contract/source-file.ts';
import {
  citedSources,
  DAGGER,
  DAGGER_NOTE,
  isEditors,
  isOfEditors,
  isUnsourced,
  UNSOURCED,
  unsourcedText,
} from '../../contract/unsourced.ts';
import { counted } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card, ExternalLink, Folded } from '../components.tsx';
import { inShort, Text } from '../data/values.tsx';

const STATEMENTS_SHOWN_MAX = 5;

/** The sources of a record's fields, newest first; those after some are folded. All shipped records have some. */
export function CitedSources({ record, deals }: { record: RecordData; deals: RoundCounts | undefined }) {
  const sorted = statements(record, deals).toSorted((one, other) =>
    one.date > other.date ? -1 : Number(one.date < other.date),
  );
  if (sorted.length === 0)
    return (
      <Card title="Sources">
        <p class="muted">
          None is stated: added on this instance, {dayText(String(record['created_at']).slice(0, 10))}.
        </p>
      </Card>
    );
  const items = sorted.map(({ date, facts, sources }) => ({
    when: dayText(date) || (sources.includes(String(record['announcement'])) ? 'Announcement' : 'No date stated'),
    text: (
      <>
        {facts}
        <Folded items={sources} shownMax={SOURCES_MAX} summary={(more) => counted(more, 'more sources')}>
          {(some) => some.map(linkOf)}
        </Folded>
      </>
    ),
  }));
  return (
    <Card title="Sources">
      <p class="hint">
        The date, where known, is that of the facts.
        {citedSources(record).some(({ source }) => isEditors(source)) ? ` ${DAGGER_NOTE}` : ''}
      </p>
      <TimelineEntries items={items} shownMax={STATEMENTS_SHOWN_MAX} />
    </Card>
  );
}

/** The entries of a timeline, of which those beyond a maximum are collapsed. */
export const TimelineEntries = (entries: { items: readonly { when: string; text: VNode }[]; shownMax: number }) => (
  <Folded {...entries} summary={(more) => counted(more, 'more entries')}>
    {(some) => (
      <ol class="timeline">
        {some.map(({ when, text }, index) => (
          <li key={index}>
            <span class="when">{when}</span>
            <div>{text}</div>
          </li>
        ))}
      </ol>
    )}
  </Folded>
);

const SOURCES_MAX = 3;

const linkOf = (source: string) => (
  <small key={source}>
    <SourceText source={source} />
  </small>
);

const DATES: Readonly<Record<string, string>> = { first_investment_date: 'First', last_investment_date: 'Latest' };
const OF_ROUNDS = ['investments_count', 'lead_count'];

/** The label of a field; of an investor that gives grants, its dates are also those of grants, and without rounds their counts have none. */
export function fieldLabel(field: string, deals: RoundCounts | undefined): string {
  if (deals === undefined || deals.grants === 0) return labelOf(field);
  if (field in DATES) return `${DATES[field]} ${deals.rounds > 0 ? 'round or grant' : 'grant'}`;
  return deals.rounds === 0 && OF_ROUNDS.includes(field) ? '' : labelOf(field);
}

/** Facts that sources of one day state, grouped if they share the day and the repository or the facts. */
function statements(record: RecordData, deals: RoundCounts | undefined) {
  const groups = groupBy(
    citedSources(record),
    ({ as_of, source, fields }) => `${as_of} ${sourceFile(source)?.repository ?? fields}`,
  );
  return [...groups.values()].map((some) => ({
    date: some[0]?.as_of ?? '',
    facts: [...new Set(some.flatMap(({ fields }) => fields))]
      .filter((field) => !field.startsWith('status_'))
      .map((field) => fieldLabel(field, deals))
      .filter(Boolean)
      .join(', '),
    // Sources may differ in a note after the file.
    sources: [...new Map(some.map(({ source }) => [sourceFile(source)?.url ?? source, source])).values()],
  }));
}

const TEXT_MAX = 110;
const SHORT_MAX = 28;

/** The mark of a fact that nobody but the editors states, which the list of sources explains; nothing for others. */
export function Unsourced({ record, field }: { record: RecordData; field: string }) {
  if (!isOfEditors(record, field)) return null;
  return (
    <span class="muted" role="img" title={UNSOURCED}>
      {' '}
      {DAGGER}
    </span>
  );
}

/** How much of the amounts of some rounds has no source page; blank for little. */
export function unsourcedOf(rounds: readonly RecordData[]): string {
  const sum = (some: readonly RecordData[]): number =>
    some.reduce((total, { amount_usd: amount }) => total + Number(amount ?? 0), 0);
  return unsourcedText(sum(rounds.filter(isUnsourced)), sum(rounds));
}

/** A source as a link: a URL, or a file of a public repository at its commit. */
export function SourceText({ source, isShort = false }: { source: string; isShort?: boolean }) {
  if (isEditors(source)) return isShort ? <span class="muted">{UNSOURCED}</span> : <>web3-bi editors, without a page</>;
  const file = sourceFile(source);
  if (file === undefined) return <Text text={source} lengthMax={isShort ? SHORT_MAX : TEXT_MAX} />;
  return (
    <ExternalLink to={file.url}>
      {isShort ? file.repository.split('/')[1] : inShort(`${file.repository}: ${file.path}`, TEXT_MAX)}
    </ExternalLink>
  );
}
