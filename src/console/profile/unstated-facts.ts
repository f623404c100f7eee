import type { RecordData, RecordType } from '../../contract/entities/index.ts';
import { isGrant } from '../../contract/rounds.ts';
import { isBlank, withOr } from '../../contract/value-text.ts';
import type { Related } from '../data/related.tsx';

/** What is asked of a record: a fact, with the lists and fields any of which states it. */
const ASKED: Readonly<Partial<Record<RecordType, readonly (readonly [fact: string, ...statedBy: string[]])[]>>> = {
  companies: [
    ['funding', 'rounds', 'total_funding_usd'],
    ['people', 'people', 'founders'],
    ['country', 'location_json'],
    ['year of foundation', 'year_founded'],
  ],
  investors: [
    ['rounds', 'rounds', 'investments_count'],
    ['people', 'people', 'founders'],
    ['country', 'location_json'],
  ],
  people: [
    ['organisation', 'companies', 'roles'],
    ['place', 'location_json'],
    ['accounts on the web', 'twitter', 'github', 'website'],
  ],
  events: [
    ['dates', 'start_date'],
    ['place', 'location_json', 'format'],
    ['speakers', 'speakers'],
  ],
  rounds: [
    ['amount', 'amount_usd'],
    ['date', 'announced_date'],
    ['stage', 'stage'],
    ['valuation', 'valuation_usd'],
    ['lead investor', 'lead_investors'],
    ['investors', 'investors'],
  ],
};

/** A profile that lacks fewer is not a poor one; of rounds and events each fact is asked for. */
const MISSING_MIN: Readonly<Partial<Record<RecordType, number>>> = { companies: 2, investors: 2, people: 2 };

/** What no source states of a record, in words; blank if it lacks little. */
export function unstatedFacts(record: RecordData, related: readonly Related[]): string {
  const totals = new Map(related.map(({ list, total }) => [list.name, total]));
  const isStated = (name: string): boolean => (totals.get(name) ?? 0) > 0 || !isBlank(record[name]);
  const missing = (ASKED[record.type] ?? []).filter(([, ...names]) => !names.some(isStated)).map(([fact]) => fact);
  if (isGrant(record) || missing.length < (MISSING_MIN[record.type] ?? 1)) return '';
  return `${possessive(record.type === 'rounds' ? 'this round' : record.name)} ${withOr(missing)}`;
}

const possessive = (name: string): string => `${name}’${name.endsWith('s') ? '' : 's'}`;
