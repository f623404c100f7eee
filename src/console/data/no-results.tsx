import type { VNode } from 'preact';
import { entityOf } from '../../contract/entities/index.ts';
import { nearestText, unstatedText } from '../../contract/sentence-calls.ts';
import { Card, countText, Empty, NoRecords, SmallLink, usePage } from '../components.tsx';
import { dayText } from '../day-text.ts';
import { withoutFilters } from './facets.ts';
import { ALL, GRANTS, KINDS, kindOf, ownFilters, type ParsedSearch, recordPath } from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';
import { SearchLink } from './search-link.tsx';

export function NoResults(outcome: SearchOutcome): VNode {
  const { effective, found, newestRound, newestGrant, newestEvent, relaxed = [] } = outcome;
  const { searchAt } = usePage();
  const { type, query } = effective;
  const { unstated, nearest } = found.understood ?? {};
  return (
    <Card>
      {outcome.isEmpty ? (
        <NoRecords />
      ) : (
        <Empty
          title={`No ${type === ALL ? 'record' : entityOf(type).noun} matches${query === '' ? '' : ` “${query}”`}`}
        >
          {newestRound === undefined || !isOfRoundDates(effective) || isOver(effective.given.to, newestRound) ? null : (
            <p>Funding rounds are on record to {dayText(newestRound)}: nothing later is known here.</p>
          )}
          {newestGrant === undefined || isOver(effective.given.to, newestGrant) ? null : (
            <p>Grants are on record to {dayText(newestGrant)}: nothing later is known here.</p>
          )}
          {newestEvent === undefined || isOver(effective.given.starts_before, newestEvent) ? null : (
            <p>The last event on record is of {dayText(newestEvent)}: nothing later is known here.</p>
          )}
          {nearest === undefined ? null : <p>{nearestText(nearest)}</p>}
          {unstated === undefined ? (
            <p>
              Try{' '}
              {query === ''
                ? 'fewer filters'
                : `a shorter text${Object.keys(ownFilters(effective)).length > 0 ? ', fewer filters' : ''} or another spelling`}
              .
            </p>
          ) : (
            <p>{unstatedText(unstated)}</p>
          )}
          {relaxed.length === 0 ? null : (
            <p class="actions">
              {relaxed.map(({ text, names, total }) => (
                <SmallLink
                  key={text}
                  to={recordPath(searchAt, effective, { given: withoutFilters(effective.given, names) })}
                >
                  Without {text}: {countText(total)}
                </SmallLink>
              ))}
            </p>
          )}
          <KindLinks />
        </Empty>
      )}
    </Card>
  );
}

/** Whether a search depends on dates of rounds, of which the latest may be missing. */
const isOfRoundDates = (search: ParsedSearch): boolean =>
  search.type === 'rounds'
    ? kindOf(search) !== GRANTS
    : search.type !== 'events' && (search.given.from ?? search.given.last_round_after) !== undefined;

/** Whether a period ends by the day of the newest record; a year or a month ends after its days. */
const isOver = (end: string | undefined, newest: string): boolean => end !== undefined && `${end}~` <= `${newest}~`;

const KindLinks = (): VNode => (
  <p class="actions">
    {KINDS.filter(({ type }) => type !== ALL).map(({ label, type, stage }) => (
      <SearchLink key={label} search={{ type, ...(stage && { given: { funding_stage: stage } }) }}>
        All {label.toLowerCase()}
      </SearchLink>
    ))}
  </p>
);
