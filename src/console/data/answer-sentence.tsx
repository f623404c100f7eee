import type { ComponentChildren } from 'preact';
import type { Extreme, Measure } from '../../contract/aggregate.ts';
import type { AnswerParts } from '../../contract/answer-parts.ts';
import { answerSentence } from '../../contract/answer-sentence.ts';
import type { AnsweredTotal } from '../../contract/answer-totals.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { daysOf, placeOf } from '../../contract/record-texts.ts';
import { countText, joinTexts } from '../../contract/value-text.ts';
import { RecordLink } from '../components.tsx';
import { listedBy, type Totalled } from './aggregate-page.tsx';
import { NamedInvestor } from './named-investor.tsx';
import { seriesOf } from './result-parts.ts';
import type { SearchOutcome } from './search.ts';

/** The answer to a question in a sentence, of no more than the records below it state; null where only a list answers. */
export function AnswerSentence(outcome: SearchOutcome) {
  const { totalled, parsed, effective, found, results } = outcome;
  if (parsed.page > 1) return null;
  const parts = answerSentence({
    ...{
      query: parsed.query,
      type: effective.type,
      text: effective.query,
      given: effective.given,
      sort: effective.sort,
    },
    ...{ understood: found.understood, results, total: found.total, isApproximate: !found.isTyped },
    totalled: totalled && answeredTotal(totalled),
  });
  const text = found.understood === undefined ? seriesText(outcome) : parts && textOf(parts);
  return text === undefined ? <NamedInvestor {...outcome} /> : <p class="answer">{text}</p>;
}

const answeredTotal = ({ asked, data, note = '' }: Totalled): AnsweredTotal => ({
  asked: {
    ...{ of: asked.of, group_by: asked.groups, measure: asked.measure as Measure },
    ...{ order: asked.order as Extreme | undefined, filters: listedBy(asked) },
  },
  data,
  note,
});

const textOf = (parts: AnswerParts): ComponentChildren =>
  parts.map((part) => {
    if (typeof part === 'string') return part;
    return 'strong' in part ? <strong>{part.strong}</strong> : <RecordLink to={part.record}>{part.text}</RecordLink>;
  });

/** How many editions of a series of events are on record, if a search is for its name, and the newest. */
function seriesText({ parts, results, found }: SearchOutcome): ComponentChildren | undefined {
  const [first] = results;
  const isWhole = results.length === found.total || results.at(-1)?.type !== 'events';
  const [part] = first?.type === 'events' && isWhole ? parts : [];
  const editions = part?.records ?? [];
  const [newest, ...others] = editions;
  const oldest = others.at(-1);
  if (newest === undefined || oldest === undefined || part?.title === '') return undefined;
  const yearIn = (event: RecordData): string => String(event['start_date'] ?? '').slice(0, 4);
  return (
    <>
      <strong>{countText(editions.length)} editions</strong> of {seriesOf(editions)} are on record, {yearIn(oldest)} to{' '}
      {yearIn(newest)}; the newest is <RecordLink to={newest} />, {joinTexts(', ', placeOf(newest), daysOf(newest))}.
    </>
  );
}
