import { anyMeans, isContent, textOf } from './chunks.ts';
import { groupByFilter, withoutValues } from './facet-values.ts';
import { comparesDeeds, comparesFunding } from './groups.ts';
import { leads, leaveNegation, type ParseState } from './parse-state.ts';
import type { Parties } from './parties.ts';

/** Names records of types that a filter cannot be of: `founded by Acme`, which is a company. */
function leaveNames(state: ParseState, { names, others, length }: Parties): number {
  state.unstated.push([...names.map(([name]) => name), ...others].join(' '));
  state.isPartial = true;
  state.role = undefined;
  return length;
}

/** Whether a name is the chain of companies of a sector, which investors state nothing about: `Solana gaming startup`. */
function describesSector({ chunks, request: { knowledge } }: ParseState, name = ''): boolean {
  const next = chunks[chunks.findIndex((chunk) => textOf([chunk]) === name) + 1];
  return (
    isContent(next) &&
    knowledge.typesWith('chain', name).length > 0 &&
    knowledge.typesWith('tag', textOf([next])).length > 0
  );
}

export const PARTIES = ['investor', 'company', 'event', 'founder'] as const;

/** Restricts by the records that are named, or compares them; names what the filter cannot be of. Returns the number of chunks read. */
export function addParties(state: ParseState, parties: Parties, filter: (typeof PARTIES)[number]): number {
  const { names, others, length } = parties;
  const only =
    filter === 'founder' ? 'people' : filter === 'company' && state.type === 'investors' ? 'companies' : undefined;
  // The types of names that only begin with the words are not looked up.
  const isOther = (name: string): boolean => {
    const types = state.request.knowledge.typesNamed(name);
    return types.length > 0 && !types.includes(only ?? 'companies');
  };
  const areOthers = only !== undefined && names.length > 0 && names.flat().every(isOther);
  if (areOthers || (only === 'companies' && describesSector(state, names[0]?.[0]))) return leaveNames(state, parties);
  // A round has one company, and founders are matched per company.
  const isOfRaised = filter === 'company' && comparesFunding(state.chunks);
  const isCompared = isOfRaised || comparesDeeds(state.chunks);
  // `who led more, A or B`
  const isLed = filter === 'investor' && (state.role === 'led' || (isCompared && state.chunks.some(leads)));
  const isAny =
    parties.isAny ||
    isCompared ||
    (filter === 'company' && (state.type === 'rounds' || state.role === 'founds' || anyMeans(state.chunks, 'titles')));
  const known = state.filters.get(filter);
  // `investors of A that also backed B`, `companies backed by A or by B`
  const isBeside = parties.isInstead
    ? state.filters.has('led') === isLed
    : state.type === 'investors' && !parties.isAny;
  const isFurther = isBeside && !state.negation && /^[^:|]+$/.test(String(known ?? ''));
  const isEach = isFurther ? !parties.isInstead : names.length > 1 && !isAny;
  const mode = state.negation ? 'not:' : isEach ? 'all:' : '';
  const excluding = state.negation && withoutValues(known, names.flat());
  // A company may have rounds of which nobody knows who led them.
  const isOnlyLed = state.negation !== undefined && isLed && (known !== undefined || state.type !== 'rounds');
  // A filter has one mode for all names; anything else is reported as ignored.
  const isExpressible = !isOnlyLed && (excluding !== undefined || known === undefined || isFurther);
  const own = mode === 'all:' ? names.map(([name]) => name) : names.flat();
  const meant = isFurther ? [known, ...own] : own;
  if (isExpressible) state.filters.set(filter, excluding ?? mode + meant.join('|'));
  if (isExpressible && isLed) state.filters.set('led', true);
  if (isFurther) state.soft.delete(filter);
  else if (isExpressible && (filter === 'company' || filter === 'event') && mode === '')
    state.soft.set(filter, meant.join(' '));
  if (names.length > 1 && isCompared) {
    groupByFilter(state, isLed ? 'lead_investor' : filter);
    state.isCompared = filter === 'investor' && others.length === 0;
    if (isOfRaised) state.sort ??= '-amount_usd';
  }
  const left = isExpressible ? others : [...own, ...others];
  state.ignored.push(...left);
  state.isPartial ||= left.length > 0;
  if (left.length === 0) state.negation = undefined;
  leaveNegation(state);
  state.role = undefined;
  return length;
}
