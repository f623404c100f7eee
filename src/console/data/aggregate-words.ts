import type { AggregateData } from '../../contract/aggregate.ts';
import { countValues, unshownWithoutGroup } from '../../contract/aggregate-rows.ts';
import { monthText, statedText } from '../../contract/day-text.ts';
import { INVESTORS_LISTED, ungroupedText } from '../../contract/sample-notes.ts';
import { totalText } from '../../contract/usd.ts';
import { counted, countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';

/** The groups of an aggregate in words: `lead investor and year`. */
export const groupsText = (groups: readonly string[]): string => groups.map(groupText).join(' and ');

const groupText = (group: string): string =>
  group === 'year_founded' ? 'founding year' : labelOf(group).toLowerCase();

export interface Worded {
  /** Names of the group columns; the others are measures. */
  readonly groups: readonly string[];
  readonly data: AggregateData;
  /** Whether the records have dates of their own, as rounds and events do. */
  readonly isDated?: boolean;
  /** What is counted. */
  readonly nouns?: string;
}

/** The first and the last date of records; of grants the months, because registers state no day of many. */
function spanText(ends: readonly string[], isOfGrants: boolean): string {
  return [...new Set(ends.map((end) => (isOfGrants && monthText(end)) || statedText(end)))].join(' to ');
}

/** What an aggregate counted and what it lacks, with so many rows of it shown. */
export function coveredText(given: Worded, shown: number): string {
  const { groups: names, data, isDated = true, nouns = 'records' } = given;
  const { covered, columns } = data;
  const { records, unknown, from, to, grants, overlapping, on_record: onRecord, may_be_cut: cut } = covered;
  // Dates of records that have none of their own are those of their sources.
  const span = from === null || to === null || !isDated ? '' : `, ${spanText([from, to], nouns === 'grants')}`;
  const field = columns
    .slice(names.length)
    .find((column) => column !== 'count')
    ?.replace(/^[a-z]+_/, '');
  const lacked = (field === undefined ? names : [field.replace(/_usd$/, '')]).map(groupText);
  const measure = columns[names.length]?.startsWith('median_')
    ? ` The median is of the ${countText(covered.known)} with one.`
    : '';
  const lacking = unknown === 0 ? '' : ` For ${countText(unknown)} no ${lacked.join(' or ')} is known.${measure}`;
  const ungrouped = unshownWithoutGroup({ ...data, rows: data.rows.slice(0, shown) });
  const nowhere =
    ungrouped === 0 ? '' : ` Of ${countText(ungrouped)} the ${groupsText(names)} is not known${ungroupedText(data)}.`;
  const total = totalText(data);
  const mixed = grants === undefined ? '' : ` ${countText(grants)} of them are grants.`;
  const sampled = onRecord === undefined ? '' : ', a sample of what was announced';
  const atLeast =
    cut === undefined || !names.includes('investor')
      ? ''
      : ` Counts are lower bounds: ${INVESTORS_LISTED}, often the first by alphabet.`;
  const [name = ''] = names;
  const values = names.length > 1 ? 'groups' : `${groupText(name).replace(/y$/, 'ie').replace(/s$/, 'se')}s`;
  const allValues = countValues(data);
  const shownValues = data.rows.slice(0, shown).filter(([value]) => names.length > 1 || value !== null).length;
  const about = [
    shownValues < allValues
      ? ` The first ${countText(shownValues)} of ${countText(allValues)} ${values} are shown.`
      : '',
    overlapping === undefined
      ? ''
      : ` ${counted(overlapping, nouns)} ${overlapping === 1 ? 'counts' : 'count'} in several ${values}.`,
  ].join('');
  return `${counted(records, nouns)}${span}${sampled}${total === undefined ? '' : `, ${total}`}.${lacking}${nowhere}${mixed}${about}${atLeast}`;
}
