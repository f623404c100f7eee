import { dayText, shownValue } from './day-text.ts';
import type { RecordData } from './entities/index.ts';
import { leadNames } from './rounds.ts';
import { isOfEditors, isUnsourced, UNSOURCED, unsourcedMark } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { isBlank, joinTexts } from './value-text.ts';

/** Facts of records in words, for a sentence or a cell of a table. */

/** The days of an event; blank if they are not known. */
export const daysOf = ({ start_date: start, end_date: end }: RecordData): string => dayText(start, end);

/** City and country of an event, or that it is online; a city state is named once. */
export function placeOf({ location_json: location, format }: RecordData): string {
  const { city, country } = (location ?? {}) as Readonly<Record<string, string | null>>;
  const place = [...new Set([city, country])].filter((part) => !isBlank(part)).join(', ');
  return place === '' && format === 'online' ? 'Online' : place;
}

/** Names of the lead investors of a round after a prefix, marked if they alone are unsourced; blank if there are none. */
export function leadsOf(round: RecordData, before: string): string {
  const names = leadNames(round);
  return names.length === 0 ? '' : before + names.join(', ') + leadsMark(round);
}

/** What stands behind leads that only the editors of the data set state; blank where the whole round is marked. */
export const leadsMark = (round: RecordData): string =>
  !isUnsourced(round) && isOfEditors(round, 'lead_investors') ? ` (${UNSOURCED})` : '';

export const UNDISCLOSED = 'Undisclosed';

export const dayOf = (round: RecordData): string => dayText(shownValue(round, 'announced_date') ?? 'Not known');
/** An amount of rounds in short, marked if a source converted it, or part of it, from another currency. */
export const usdText = (usd: number, rounds: readonly RecordData[]): string =>
  `${rounds.some(({ amount_raw: raw }) => !isBlank(raw)) ? '≈ ' : ''}${shortMoney(usd)}`;
export const amountText = (round: RecordData): string =>
  Number(round['amount_usd'] ?? 0) > 0 ? usdText(Number(round['amount_usd']), [round]) : UNDISCLOSED;

/** What is to be said of the known funding of a company beside its amount; blank for nothing. */
export const fundingNote = (company: RecordData): string =>
  joinTexts(', ', company['token_sales'], unsourcedMark(company));

/** The words of the series of an event, in lower case; blank for other records. */
export const wordsOfSeries = ({ series_slug: series }: RecordData): string => String(series ?? '').replaceAll('-', ' ');

/** The aliases of a record. That of an event which names its series is shown as the series. */
export function ownAliases(record: RecordData): readonly string[] {
  const series = wordsOfSeries(record);
  return ((record['aliases'] ?? []) as readonly string[]).filter((alias) => alias.toLowerCase() !== series);
}
