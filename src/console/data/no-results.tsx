import { dayText, statedText } from '../../contract/day-text.ts';
import { entityOf, recordNoun } from '../../contract/entities/index.ts';
import { searchAbsence } from '../../contract/sample-notes.ts';
import { nearestText } from '../../contract/sentence-calls.ts';
import { countText } from '../../contract/value-text.ts';
import { Card, Empty, Link, Listed, NoRecords, RecordLink, SmallLink, usePage } from '../components.tsx';
import { unstatedNote } from './found-text.ts';
import { ALL, GRANTS, KINDS, kindOf, ownFilters, recordPath } from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';
import { SearchLink } from './search-link.tsx';

export function NoResults(outcome: SearchOutcome) {
  const { effective, found, newestRound, newestGrant, newestEvent, relaxed, named } = outcome;
  const { searchAt } = usePage();
  const { type, query } = effective;
  const { unstated, nearest, filters = {}, text } = found.understood ?? {};
  // Without filters and keywords, nothing was searched for.
  const isUnsearched = unstated !== undefined && text === '' && Object.keys(filters).length === 0;
  const without = isUnsearched ? withoutWords(outcome.parsed.query, unstated) : undefined;
  const isDated = Object.keys(effective.given).some((name) => OF_A_PERIOD.test(name));
  const absence = searchAbsence({ understood: found.understood }, { type, query, ...effective.given });
  const isOfRounds = type !== 'events' && kindOf(effective) !== GRANTS;
  return (
    <Card>
      {outcome.isEmpty ? (
        <NoRecords />
      ) : (
        <Empty
          title={
            isUnsearched
              ? 'Nothing is listed'
              : `No ${type === ALL ? 'record' : entityOf(type).noun} matches${query === '' ? '' : ` “${query}”`}`
          }
        >
          {absence === undefined ? null : <p>None is on record. {absence}</p>}
          {newestRound === undefined || !isDated || !isOfRounds || isOver(effective.given.to, newestRound) ? null : (
            <p>Funding rounds are on record to {statedText(newestRound)}: nothing later is known here.</p>
          )}
          {newestGrant === undefined || !isDated || isOver(effective.given.to, newestGrant) ? null : (
            <p>Grants are on record to {statedText(newestGrant)}: nothing later is known here.</p>
          )}
          {newestEvent === undefined || !isDated || isOver(effective.given.starts_before, newestEvent) ? null : (
            <p>The last event on record is of {dayText(newestEvent)}: nothing later is known here.</p>
          )}
          {nearest === undefined ? null : <p>{nearestText([])}</p>}
          {nearest === undefined || nearest.length === 0 ? null : (
            <p>
              Names like it:{' '}
              <Listed
                parts={nearest.map((name) => (
                  <Link to={`${searchAt}?${new URLSearchParams({ query: name })}`}>{name}</Link>
                ))}
              />
            </p>
          )}
          {named.length === 0 ? null : (
            <p>
              Did you mean{' '}
              <Listed
                parts={named.map((record) => (
                  <>
                    <RecordLink to={record} /> <span class="muted">{recordNoun(record)}</span>
                  </>
                ))}
              />
              ?
            </p>
          )}
          {unstated === undefined ? (
            <p>
              Try{' '}
              {query === ''
                ? 'fewer filters'
                : `a shorter text${Object.keys(ownFilters(effective)).length > 0 ? ', fewer filters' : ''} or another spelling`}
              .
            </p>
          ) : (
            <p>{unstatedNote(unstated)}</p>
          )}
          {without === undefined ? null : (
            <p>
              Without it: <Link to={recordPath(searchAt, outcome.parsed, { query: without })}>{without}</Link>
            </p>
          )}
          {relaxed.length === 0 ? null : (
            <p class="actions">
              {relaxed.map(({ text, total, ...search }) => (
                <SmallLink key={text} to={recordPath(searchAt, effective, search)}>
                  {text}: {countText(total)}
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

/** A query without the words that no filter is about; undefined if they are spelled otherwise, or are all of it. */
function withoutWords(query: string, words: readonly string[]): string | undefined {
  const rest = words.reduce((text, each) => text.replace(each, ''), query).trim();
  if (rest.length > query.length - words.join('').length) return undefined;
  const left = rest.split(/\s+/);
  while (JOINING.test(left[0] ?? '')) left.shift();
  while (JOINING.test(left.at(-1) ?? '') || RELATIVE.test(left.at(-1) ?? '')) left.pop();
  return left.join(' ') || undefined;
}

/** Articles, prepositions and conjunctions, which end with nothing to join where a word beside them is left out. */
const JOINING = wordPattern(
  'a an the and or but of in on at to by for with without from as than',
  'el la los las un una unos unas y o de del en con sin por para',
  'le les une des du et ou avec sans pour par dans au aux',
  'der die das den dem des ein eine einen einem einer und oder von vom im mit ohne für zu zum zur',
  'os as um uma e do da dos das em no na nos nas com sem',
);
const RELATIVE = wordPattern(
  'that which who whose is are was were be being has have had having do does did',
  'que qui son están tienen sont est ont sind ist haben hat são têm',
);

function wordPattern(...words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.join(' ').replaceAll(' ', '|')}),?$`, 'i');
}

/** Filters by the dates of rounds and events, of which the latest may be missing. */
const OF_A_PERIOD = /^(?:from|to|last_round_\w+|starts_\w+)$/;

/** Whether a period ends by the day of the newest record; a year or a month ends after its days. */
const isOver = (end: string | undefined, newest: string): boolean => end !== undefined && `${end}~` <= `${newest}~`;

const KindLinks = () => (
  <p class="actions">
    {KINDS.filter(({ type }) => type !== ALL).map(({ label, type, stage }) => (
      <SearchLink key={label} search={{ type, ...(stage && { given: { funding_stage: stage } }) }}>
        All {label.toLowerCase()}
      </SearchLink>
    ))}
  </p>
);
