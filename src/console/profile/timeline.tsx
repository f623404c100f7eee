import type { ComponentChildren, VNode } from 'preact';
import { labelOf } from '../../contract/field-labels.ts';
import { sourceFile } from '../../contract/source-file.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, countText, Link, RecordLink } from '../components.tsx';
import { usePage } from '../context.ts';
import type { Related } from '../data/related.tsx';
import { isGrant } from '../data/round-statistics.ts';
import { inShort, isBlank, moneyText, type RecordData, Text } from '../data/values.tsx';

interface Source {
  readonly source: string;
  readonly as_of: string | null;
  readonly fields: readonly string[];
}

/** A dated statement; the source may be blank. */
interface Moment {
  readonly date: string;
  readonly what: ComponentChildren;
  readonly sources: readonly string[];
}

const SHOWN_MAX = 10;

/** Dated facts with their sources, newest first. */
export function Timeline({ record, related }: { record: RecordData; related: readonly Related[] }): VNode | null {
  // A round's page shows the other rounds of its company elsewhere.
  const listed = record.type === 'rounds' ? [] : related.flatMap(listMoments);
  const moments = [...listed, ...withoutRepeats([...ownMoments(record), ...statements(record)])].toSorted(
    (one, other) => (one.date > other.date ? -1 : Number(one.date < other.date)),
  );
  if (moments.length === 0) return null;
  const [shown, folded] = [moments.slice(0, SHOWN_MAX), moments.slice(SHOWN_MAX)];
  return (
    <Card title="Timeline and sources">
      <Moments moments={shown} />
      {folded.length === 0 ? null : (
        <details>
          <summary>
            {countText(folded.length)} earlier {folded.length === 1 ? 'entry' : 'entries'}
          </summary>
          <Moments moments={folded} />
        </details>
      )}
      {record.type === 'rounds'
        ? null
        : related.map((one) => <Left key={one.list.name} record={record} related={one} />)}
    </Card>
  );
}

/** Says how many of the rounds or events the timeline leaves out, and where they are. */
function Left({ record, related }: { record: RecordData; related: Related }): VNode | null {
  const { recordsAt } = usePage();
  const shown = listMoments(related).length;
  const { list, total, statistics } = related;
  const all = statistics === undefined ? total : statistics.rounds || statistics.grants;
  if (shown === 0 || all <= shown) return null;
  const kind = statistics?.rounds === 0 ? 'grants' : list.name;
  return (
    <p class="muted">
      The newest {countText(shown)} of {countText(all)} {kind}.{' '}
      <Link to={`${recordsAt}/${record.type}/${record.slug}/${list.name}`}>All {kind}</Link>
    </p>
  );
}

function Moments({ moments }: { moments: readonly Moment[] }): VNode {
  return (
    <ol class="timeline">
      {moments.map(({ date, what, sources }, index) => (
        <li key={index}>
          <span class="when">{date || 'Undated'}</span>
          <div>
            {what}
            <Sources sources={sources.slice(0, SOURCES_MAX)} />
            {sources.length > SOURCES_MAX ? (
              <details>
                <summary>{moreSources(sources.length - SOURCES_MAX)}</summary>
                <Sources sources={sources.slice(SOURCES_MAX)} />
              </details>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

const SOURCES_MAX = 3;
const moreSources = (count: number): string => `${countText(count)} more ${count === 1 ? 'source' : 'sources'}`;

function Sources({ sources }: Pick<Moment, 'sources'>): VNode {
  return (
    <>
      {sources.map((source) => (
        <small key={source}>
          <SourceText source={source} />
        </small>
      ))}
    </>
  );
}

export const citedSources = (record: RecordData): readonly Source[] => (record['sources'] ?? []) as readonly Source[];
const statedBy = (record: RecordData, field: string): readonly string[] =>
  citedSources(record)
    .filter(({ fields }) => fields.includes(field))
    .slice(0, 1)
    .map(({ source }) => source);

/** Date fields and their events. */
const DAYS: readonly (readonly [field: string, what: string])[] = [
  ['founded_date', 'Founded'],
  ['year_founded', 'Founded'],
  ['announced_date', 'Announced'],
  ['start_date', 'Began'],
  ['end_date', 'Ended'],
];

function ownMoments(record: RecordData): Moment[] {
  const days = DAYS.filter(
    ([field]) => !isBlank(record[field]) && !(field === 'year_founded' && !isBlank(record['founded_date'])),
  );
  const moments = days.map(([field, what]) => ({
    date: String(record[field]),
    what,
    sources: isBlank(record['announcement']) ? statedBy(record, field) : [String(record['announcement'])],
  }));
  if (isBlank(record['status'])) return moments;
  const source = record['status_source'] ?? '';
  const status = {
    date: String(record['status_as_of'] ?? ''),
    what: `Status: ${record['status']}`,
    sources: source === '' ? statedBy(record, 'status') : [String(source)],
  };
  return [...moments, status];
}

/** Rounds and events linked to the record. Grants only if there is nothing else: there may be many small ones. */
function listMoments({ list, records }: Related): Moment[] {
  const field = list.name === 'rounds' ? 'announced_date' : 'start_date';
  if (!['rounds', 'events'].includes(list.name)) return [];
  const others = records.filter((record) => !isGrant(record));
  return (others.length > 0 ? others : records)
    .filter((record) => !isBlank(record[field]))
    .slice(0, MOMENTS_MAX)
    .map((record) => ({
      date: String(record[field]),
      what: (
        <>
          <RecordLink type={record.type} slug={record.slug}>
            {record.name}
          </RecordLink>{' '}
          {isBlank(record['stage']) ? '' : vocabularyLabel(String(record['stage']))}{' '}
          {isBlank(record['amount_usd']) ? '' : moneyText(record['amount_usd'])}
        </>
      ),
      sources: isBlank(record['announcement'])
        ? citedSources(record)
            .slice(0, 1)
            .map(({ source }) => source)
        : [String(record['announcement'])],
    }));
}

/** Entries per list; the complete list has its own page. */
const MOMENTS_MAX = 6;

/** Statements of the sources, grouped if they share the day and the repository or the facts. */
function statements(record: RecordData): Moment[] {
  const groups = new Map<string, Source[]>();
  for (const one of citedSources(record)) {
    const key = `${one.as_of} ${sourceFile(one.source)?.repository ?? one.fields}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((some) => ({
    date: some[0]?.as_of ?? '',
    what: (
      <span class="muted">Source for {[...new Set(some.flatMap(({ fields }) => fields))].map(labelOf).join(', ')}</span>
    ),
    // Sources may differ in a note after the file.
    sources: [...new Map(some.map(({ source }) => [sourceFile(source)?.url ?? source, source])).values()],
  }));
}

/** Undated statements join the moment that cites the same source. */
function withoutRepeats(moments: readonly Moment[]): Moment[] {
  const isSame = (one: Moment, other: Moment): boolean =>
    one.date !== '' && other.sources.every((source) => one.sources.includes(source));
  const undated = moments.filter((moment) => moment.date === '' && moments.some((one) => isSame(one, moment)));
  return moments
    .filter((moment) => !undated.includes(moment))
    .map((moment) => {
      const joined = undated.filter((other) => isSame(moment, other));
      return { ...moment, what: [moment.what, ...joined.map(({ what }) => <div>{what}</div>)] };
    });
}

const TEXT_MAX = 110;

/** A source as a link: a URL, or a file of a public repository at its commit. */
function SourceText({ source }: { source: string }): VNode {
  const file = sourceFile(source);
  if (file === undefined) return <Text text={source} lengthMax={TEXT_MAX} />;
  return (
    <a href={file.url} rel="noreferrer nofollow">
      {inShort(`${file.repository}: ${file.path}`, TEXT_MAX)}
    </a>
  );
}
