import { periodNames } from '../contract/day-text.ts';
import { filtersText } from '../contract/filter-words.ts';
import type { UnderstoodSentence } from '../contract/record-responses.ts';
import { type AskedAggregate, asksForLikes, leftOutWords } from '../contract/sentence-calls.ts';
import { shellWord } from '../contract/shell-word.ts';
import { sortText } from '../contract/sorts.ts';
import { flagName } from './flags.ts';
import { nameInWords, printable } from './output.ts';

/** How a sentence was parsed, such as `Read as companies, chain Arbitrum, funding stage Series A.`, and what was not used. */
export function readAs(understood: UnderstoodSentence): string[] {
  const { type, filters, sort, text, period, periods, list_of: owner } = understood;
  const { from: _, to: __, ...undated } = filters;
  // The days from the first compared period to the last are of no period that was asked for.
  const conditions = periods === undefined ? filtersText(filters) : [...filtersText(undated), periodNames(periods)];
  const ofList = [...(type ? [type] : []), ...conditions];
  const parts =
    owner === undefined
      ? [...ofList, ...(sort ? [sortText(sort)] : []), ...(text ? [`"${text}"`] : [])]
      : [`${type ?? 'companies'} similar to ${owner.name}`, ...filtersText(filters)];
  // What nothing can be filtered by is named on its own.
  const unstated = new Set((understood.unstated ?? []).flatMap((words) => words.split(' ')));
  const left = leftOutWords(understood).filter(
    (word) => !unstated.has(word) && (owner === undefined || !asksForLikes([word])),
  );
  const unused = left.map((word) => `"${word}"`);
  return [
    ...(parts.length === 0 ? [] : [`Read as ${parts.join(', ')}.`]),
    ...(unused.length === 0 ? [] : [`Ignored${period ? ' in the list' : ''}: ${unused.join(', ')}.`]),
  ];
}

/** The command that computes an aggregate that a sentence asks for. */
export function commandOf({ of, group_by, measure, order, filters }: AskedAggregate): string {
  const flags: [string, unknown][] = Object.entries({
    group_by: group_by.join(),
    ...(measure && { measure }),
    ...(order && { order }),
    ...filters,
  });
  const words = flags.map(([name, value]) =>
    value === true ? `--${flagName(name)}` : `--${flagName(name)}${value === false ? '=' : ' '}${shellWord(value)}`,
  );
  return printable(
    `For ${measure ?? 'counts'} by ${group_by.map(nameInWords).join(' and ')}: web3-bi aggregate ${of} ${words.join(' ')}`,
  );
}
