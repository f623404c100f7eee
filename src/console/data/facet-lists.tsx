import { countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { Card, Link, usePage } from '../components.tsx';
import { Pages } from '../lists.tsx';
import { COUNTED_MAX, type FacetCounts, type RoleCount, toggleValue, VALUES_MAX, type ValueCount } from './facets.ts';
import { ALL, type FilterTexts, isFunded, kindOf, type ParsedSearch, ROUNDS, recordPath } from './parsed-search.ts';

interface FacetsProps {
  readonly facets: readonly FacetCounts[];
  readonly effective: ParsedSearch;
  readonly countedIn: number | undefined;
  readonly roles?: readonly RoleCount[] | undefined;
}

/** Values shown beside a result: the most frequent and the selected ones. */
const SHOWN_MAX = 6;
/** Characters of their addresses, each of which repeats what is selected, so that a page stays light. */
const ADDRESSES_MAX = 226;

/** Facet values with counts: always open beside cards, if there is room, and collapsible otherwise. */
export function Facets({ facets, effective, countedIn, roles = [] }: FacetsProps) {
  const { searchAt } = usePage();
  const names = [
    ...(roles.length > 0 ? ['what people are known as'] : []),
    ...facets.map(({ facet }) => labelOf(facet.name).toLowerCase()),
  ];
  return (
    <>
      <a class="skip" href="#found">
        Skip to the results
      </a>
      <details class="refine facets">
        <summary>
          Narrow<span class="on-wide"> by {names.join(', ')}</span>
        </summary>
        <aside aria-label="Narrow the result">
          {roles.length === 0 ? null : (
            <section class="facet">
              <h2>Known as</h2>
              <ul>
                {roles.map(({ role, people, isChosen }) => (
                  <CountedLink
                    key={role}
                    to={recordPath(searchAt, effective, { query: isChosen ? '' : role.toLowerCase() })}
                    text={role}
                    records={people}
                    isChosen={isChosen}
                  />
                ))}
              </ul>
            </section>
          )}
          {facets.map((counts) => (
            <FacetSection key={counts.facet.name} {...{ counts, effective }} />
          ))}
          <p class="hint">
            Number of {nounOf(effective)} with each value
            {countedText(
              facets.length > 0 ? countedIn : undefined,
              roles.length > 0 ? '' : '; two values of one group find records with either',
            )}
            .
          </p>
        </aside>
      </details>
    </>
  );
}

function nounOf(search: ParsedSearch): string {
  if (isFunded(search)) return 'funded companies';
  return search.type === ALL ? 'records' : kindOf(search).label.toLowerCase();
}

const countedText = (countedIn: number | undefined, inAll: string): string =>
  countedIn === undefined
    ? inAll
    : `, among the ${countedIn < COUNTED_MAX ? '' : 'best '}${countText(countedIn)} matches`;

interface FacetProps {
  readonly counts: FacetCounts;
  readonly effective: ParsedSearch;
}

function FacetSection({ counts: { facet, values }, effective }: FacetProps) {
  const { searchAt } = usePage();
  const shownMax = Math.min(SHOWN_MAX, Math.floor(ADDRESSES_MAX / recordPath(searchAt, effective).length));
  const shown = values.filter(({ isChosen }, index) => isChosen || index < shownMax);
  return (
    <section class="facet">
      <h2>{labelOf(facet.name)}</h2>
      <FacetValues {...{ facet, effective }} values={shown} />
      {shown.length === values.length ? null : (
        <p>
          <Link
            to={recordPath(searchAt, effective, { given: unstaged(effective, effective.given), values: facet.name })}
          >
            All {countText(values.length)}
            <span class="sr"> values of {labelOf(facet.name).toLowerCase()}</span>
          </Link>
        </p>
      )}
    </section>
  );
}

/** Filters without the stage that lists of rounds have by themselves, so that a page stays light. */
const unstaged = ({ type }: ParsedSearch, given: FilterTexts): FilterTexts => {
  const { funding_stage: stage, ...others } = given;
  return type === ROUNDS.type && stage === ROUNDS.stage ? others : given;
};

function CountedLink({ to, text, records, isChosen }: Omit<ValueCount, 'value'> & { to: string }) {
  return (
    <li>
      <Link to={to} aria-current={isChosen ? 'true' : undefined}>
        {text} <span>{countText(records)}</span>
      </Link>
    </li>
  );
}

/** Values, each with the URL that selects it, or takes it out. */
function FacetValues({ facet, values, effective }: FacetCounts & { effective: ParsedSearch }) {
  const { searchAt } = usePage();
  return (
    <ul>
      {values.map(({ value, ...counted }) => (
        <CountedLink
          key={value}
          to={recordPath(searchAt, effective, { given: unstaged(effective, toggleValue(effective, facet, value)) })}
          {...counted}
        />
      ))}
    </ul>
  );
}

const PAGE_SIZE = 100;

export function AllFacetValues({ counts, effective, countedIn }: FacetProps & Pick<FacetsProps, 'countedIn'>) {
  const { searchAt } = usePage();
  const { facet, values } = counts;
  const { page } = effective;
  const start = (page - 1) * PAGE_SIZE;
  const back = nounOf(effective);
  return (
    <>
      <p class="crumbs">
        <Link to={recordPath(searchAt, effective)}>Back to the {back}</Link>
      </p>
      <Card title={labelOf(facet.name)}>
        <p class="muted">
          {values.length === VALUES_MAX ? `The ${countText(VALUES_MAX)} most frequent` : countText(values.length)}{' '}
          values, with the number of {back} that have each{countedText(countedIn, '')}.
        </p>
        <div class="facet columns">
          <FacetValues {...{ facet, effective }} values={values.slice(start, start + PAGE_SIZE)} />
        </div>
      </Card>
      <Pages
        number={page}
        total={values.length}
        size={PAGE_SIZE}
        to={(number) => recordPath(searchAt, effective, { values: facet.name, page: number })}
      />
    </>
  );
}
