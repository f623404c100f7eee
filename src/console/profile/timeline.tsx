import type { ComponentChildren, VNode } from 'preact';
import { labelOf } from '../../contract/field-labels.ts';
import { sourceFile } from '../../contract/source-file.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card, countText } from '../components.tsx';
import { inShort, isBlank, type RecordData, Text } from '../data/values.tsx';
import { dayText } from '../day-text.ts';

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
const SOURCES_SHOWN_MAX = 5;

/** What happened to a record, with sources, newest first. Rounds and events are tables of their own. */
export function Timeline({ record }: { record: RecordData }): VNode | null {
  const moments = ownMoments(record);
  // When a record was founded is a fact beside it.
  if (moments.every(({ what }) => what === FOUNDED)) return null;
  return (
    <Card title="Timeline">
      <Moments moments={moments} shownMax={SHOWN_MAX} />
    </Card>
  );
}

/** The sources of a record's fields, newest first. */
export function CitedSources({ record }: { record: RecordData }): VNode | null {
  const moments = statements(record);
  if (moments.length === 0) return null;
  return (
    <Card title="Sources">
      <Moments moments={moments} shownMax={SOURCES_SHOWN_MAX} />
    </Card>
  );
}

/** Moments, the newest first; those after some are folded. */
function Moments({ moments, shownMax }: { moments: readonly Moment[]; shownMax: number }): VNode {
  const sorted = moments.toSorted((one, other) => (one.date > other.date ? -1 : Number(one.date < other.date)));
  const items = sorted.map(({ date, what, sources }, index) => (
    <li key={index}>
      <span class="when">{dayText(date) || 'Undated'}</span>
      <div>
        {what}
        <Folding items={sources.map(linkOf)} shownMax={SOURCES_MAX} noun="source" />
      </div>
    </li>
  ));
  return (
    <Folding items={items} shownMax={shownMax} noun="entry">
      {(some) => <ol class="timeline">{some}</ol>}
    </Folding>
  );
}

const SOURCES_MAX = 3;

const linkOf = (source: string): VNode => (
  <small key={source}>
    <SourceText source={source} />
  </small>
);

interface FoldingProps {
  readonly items: readonly VNode[];
  readonly shownMax: number;
  readonly noun: 'source' | 'entry';
  readonly children?: (items: readonly VNode[]) => VNode;
}

/** Items of which those after some are folded. */
function Folding({ items, shownMax, noun, children: draw = (some) => <>{some}</> }: FoldingProps): VNode {
  const more = items.length - shownMax;
  return (
    <>
      {draw(items.slice(0, shownMax))}
      {more <= 0 ? null : (
        <details>
          <summary>
            {countText(more)} more {more === 1 ? noun : noun.replace(/y$/, 'ie').concat('s')}
          </summary>
          {draw(items.slice(shownMax))}
        </details>
      )}
    </>
  );
}

export const citedSources = (record: RecordData): readonly Source[] => (record['sources'] ?? []) as readonly Source[];
const statedBy = (record: RecordData, field: string): readonly string[] =>
  citedSources(record)
    .filter(({ fields }) => fields.includes(field))
    .slice(0, 1)
    .map(({ source }) => source);

const FOUNDED = 'Founded';
/** Date fields and their events. */
const DAYS: readonly (readonly [field: string, what: string])[] = [
  ['founded_date', FOUNDED],
  ['year_founded', FOUNDED],
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
  // That a record is active is no event.
  if (isBlank(record['status']) || record['status'] === 'active') return moments;
  const source = record['status_source'] ?? '';
  const status = {
    date: String(record['status_as_of'] ?? ''),
    what: vocabularyLabel(String(record['status'])),
    sources: source === '' ? statedBy(record, 'status') : [String(source)],
  };
  return [...moments, status];
}

/** Statements of the sources, grouped if they share the day and the repository or the facts. */
function statements(record: RecordData): Moment[] {
  const groups = new Map<string, Source[]>();
  for (const one of citedSources(record)) {
    const key = `${one.as_of} ${sourceFile(one.source)?.repository ?? one.fields}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((some) => ({
    date: some[0]?.as_of ?? '',
    what: [...new Set(some.flatMap(({ fields }) => fields))].map(labelOf).join(', '),
    // Sources may differ in a note after the file.
    sources: [...new Map(some.map(({ source }) => [sourceFile(source)?.url ?? source, source])).values()],
  }));
}

const TEXT_MAX = 110;
const SHORT_MAX = 28;

/** What the editors of the data set know: of their entries there is no page. */
const EDITORS = /^web3-bi editors@/;

/** A source as a link: a URL, or a file of a public repository at its commit. */
export function SourceText({ source, isShort = false }: { source: string; isShort?: boolean }): VNode {
  if (EDITORS.test(source)) return <>{isShort ? 'editors' : 'web3-bi editors, without a page'}</>;
  const file = sourceFile(source);
  if (file === undefined) return <Text text={source} lengthMax={isShort ? SHORT_MAX : TEXT_MAX} />;
  return (
    <a href={file.url} rel="noreferrer nofollow">
      {isShort ? file.repository.split('/')[1] : inShort(`${file.repository}: ${file.path}`, TEXT_MAX)}
    </a>
  );
}
