import { type ComponentChildren, Fragment } from 'preact';
import { isOfGrant } from '../../contract/connection-roles.ts';
import type { ConnectionsData } from '../../contract/connections.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { dayOf, leadsMark, usdText } from '../../contract/record-texts.ts';
import { companyOf, isGrant, isLedBy, isSameRecord, type NamedReference } from '../../contract/rounds.ts';
import { UNSOURCED } from '../../contract/unsourced.ts';
import { counted, countText, isBlank, joinTexts } from '../../contract/value-text.ts';
import { Listed, RecordLink } from '../components.tsx';
import { unsourcedOf } from '../profile/cited-sources.tsx';

type Path = ConnectionsData['paths'][number];
type Edge = Path['edges'][number];

interface ConnectionTextProps extends Pick<ConnectionsData, 'paths'> {
  readonly ends: readonly [RecordData, RecordData];
  /** The rounds and grants in which both took part, the newest first. */
  readonly rounds: readonly RecordData[];
}

export function ConnectionText({ ends, paths, rounds }: ConnectionTextProps) {
  const [one, other] = ends;
  const company = ends.find((end) => rounds.length > 0 && rounds.every((round) => isSameRecord(companyOf(round), end)));
  const investor = company === one ? other : one;
  const grants = rounds.filter(isGrant);
  const funding = rounds.filter((round) => !isGrant(round));
  const sentences: ComponentChildren[] = [];
  if (company !== undefined && funding.length > 0)
    sentences.push(<Invested key="rounds" {...{ company, investor }} rounds={funding} />);
  if (company !== undefined && grants.length > 0)
    sentences.push(
      <Fragment key="grants">
        <RecordLink to={investor} /> gave <RecordLink to={company} /> {counted(grants.length, 'grants')} on record
        {amountOf(grants, ', ', grants.length === 1 ? '' : ' in all')}
      </Fragment>,
    );
  const roles = rolesOf(ends, paths);
  const [person, place] = one.type === 'people' ? [one, other] : [other, one];
  if (roles.length > 0)
    sentences.push(
      <Fragment key="roles">
        <RecordLink to={person} /> is on record as {roles.join(', ')} at <RecordLink to={place} />
      </Fragment>,
    );
  const shared = company === undefined && funding.length > 0 ? [<Together key="rounds" rounds={funding} />] : [];
  const clauses = [...shared, ...eventClauses(ends, paths), ...commonClauses(ends, paths, rounds.length > 0)];
  if (clauses.length === 0 && sentences.length === 0) clauses.push(throughText(paths));
  const subject =
    sentences.length > 0 ? (
      'They'
    ) : (
      <>
        <RecordLink to={one} /> and <RecordLink to={other} />
      </>
    );
  return (
    <>
      {sentences.map((sentence) => [sentence, '. '])}
      {clauses.length === 0 ? null : (
        <>
          {subject} <Listed parts={clauses} />.
        </>
      )}
    </>
  );
}

/** The known amount of some rounds between two texts, with how much of it is unsourced; blank if none is known. */
function amountOf(rounds: readonly RecordData[], before: string, after = ''): string {
  const known = rounds.filter(({ amount_usd: amount }) => !isBlank(amount));
  const usd = known.reduce((sum, { amount_usd: amount }) => sum + Number(amount), 0);
  return usd === 0 ? '' : joinTexts(', ', before + usdText(usd, known) + after, unsourcedOf(rounds));
}

/** How many of the rounds that a party led have leads that only the editors of the data set state, in brackets. */
function unsourcedLeads(led: readonly RecordData[]): string {
  const marked = led.filter((round) => leadsMark(round) !== '').length;
  if (marked === 0) return '';
  return marked === led.length ? ` (${UNSOURCED})` : ` (${countText(marked)} of them ${UNSOURCED})`;
}

function Invested(props: { company: RecordData; investor: RecordData; rounds: readonly RecordData[] }) {
  const { company, investor, rounds } = props;
  const known = Number(company['known_rounds'] ?? 0);
  const ledRounds = rounds.filter((round) => isLedBy(round, investor));
  const led = ledRounds.length;
  const all = rounds.length === 1 ? 'the only round' : `all ${countText(rounds.length)} rounds`;
  const some = `${countText(rounds.length)} of the ${countText(known)} rounds`;
  const amount = rounds.length === 1 ? amountOf(rounds, '') : amountOf(rounds, 'these raised ', ' in all');
  const ledText = rounds.length === 1 ? ', and led it' : led === rounds.length ? ', and led all' : `, and led ${led}`;
  return (
    <>
      <RecordLink to={investor} /> took part in {known > rounds.length ? some : all} of <RecordLink to={company} /> on
      record{amount === '' ? '' : ` (${amount})`}
      {led === 0 ? '' : ledText + unsourcedLeads(ledRounds)}
    </>
  );
}

function Together({ rounds }: { rounds: readonly RecordData[] }) {
  const [newest] = rounds;
  const isOne = rounds.length === 1;
  const amount = isOne ? amountOf(rounds, ' ') : amountOf(rounds, ', which raised ', ' in all');
  return (
    <>
      took part in{' '}
      {isOne
        ? `the${amount} round of `
        : `${counted(rounds.length, 'rounds')} together${amount}; the latest is that of `}
      {newest === undefined ? null : (
        <>
          <RecordLink to={companyOf(newest)} /> ({dayOf(newest)})
        </>
      )}
    </>
  );
}

/** What connects the ends of some paths in one step. */
export const directEdges = (paths: readonly Path[]): readonly Edge[] =>
  paths.flatMap(({ edges: [edge, ...others] }) => (edge && others.length === 0 ? [edge] : []));

/** The roles of one of two records at the other, at which it works or speaks. */
function rolesOf(ends: readonly RecordData[], paths: readonly Path[]): readonly string[] {
  const own = directEdges(paths).filter(
    ({ kind, record }) => ['role', 'founder', 'event'].includes(kind) && ends.some((end) => isSameRecord(end, record)),
  );
  const roles = own.filter(({ kind }) => kind !== 'founder');
  const named = (roles.length > 0 ? roles : own).map(
    ({ label, unsourced }) => label.replace(/ among \d+$/, '') + (unsourced === undefined ? '' : ` (${UNSOURCED})`),
  );
  return [...new Set(named)];
}

function eventClauses(ends: readonly RecordData[], paths: readonly Path[]): ComponentChildren[] {
  const events = directEdges(paths).filter(
    ({ kind, record }) => kind === 'event' && !ends.some((end) => isSameRecord(end, record)),
  );
  const spoke = events.every(({ label }) => label.startsWith('speaker, speaker'));
  return events.length === 0
    ? []
    : [`${spoke ? 'both spoke' : 'both are on record'} at ${counted(events.length, 'events')}`];
}

const COMPANY = 'company';

/** The roles of the records along a path, each edge with those of its two. */
const rolesAlong = (edges: readonly Edge[]): readonly string[] => edges.flatMap(({ label }) => label.split(', '));

interface Common {
  /** What is said of them. */
  readonly text: string;
  /** The paths through each. */
  readonly paths: readonly Path[];
}

/** What two records have in common: organisations, investors, companies, givers of grants. */
function commonOf(ends: readonly RecordData[], paths: readonly Path[], haveRounds: boolean): readonly Common[] {
  const between = paths.filter(({ edges }) => edges.length === 2);
  const common = (test: (edge: Edge) => boolean, hasRoles = (_: readonly string[]) => true): readonly Path[] =>
    between.filter(({ edges }) => edges.every(test) && hasRoles(rolesAlong(edges)));
  const isInvestment = (edge: Edge): boolean => edge.kind === 'round' && !isOfGrant(edge);
  const areCompanies = ends.every(({ type }) => type === 'companies');
  // Two investors of a round are connected by it, too.
  const investors = common(isInvestment, ([first, , , last]) => first === COMPANY && last === COMPANY);
  const companies = common(isInvestment, ([, middle, again]) => middle === COMPANY && again === COMPANY);
  const roles = common(({ kind }) => kind === 'role' || kind === 'founder');
  const shared = `share ${investors.length === 1 ? 'the investor' : `${countText(investors.length)} investors:`} `;
  const all = [
    { text: areCompanies ? 'share people: ' : 'both have or had roles at ', paths: roles },
    { text: 'have grants of ', paths: areCompanies ? common(isOfGrant) : [] },
    { text: shared, paths: areCompanies ? investors : [] },
    { text: 'both invested in ', paths: areCompanies || haveRounds ? [] : companies },
  ];
  return all.filter((each) => each.paths.length > 0);
}

const commonClauses = (...of: Parameters<typeof commonOf>): ComponentChildren[] =>
  commonOf(...of).map(({ text, paths }) => (
    <Names key={text} before={text} names={paths.flatMap(({ nodes }) => nodes[1] ?? [])} />
  ));

/** Paths with the direct ones first, and then those through what the text names, so that these are among the shown. */
export function namedFirst({ ends, paths, rounds }: ConnectionTextProps): readonly Path[] {
  const named = new Set(commonOf(ends, paths, rounds.length > 0).flatMap((each) => each.paths));
  const place = (path: Path): number => (path.edges.length === 1 ? 0 : named.has(path) ? 1 : 2);
  return paths.toSorted((one, other) => place(one) - place(other));
}

const NAMES_SHOWN = 4;

const Names = ({ before, names }: { before: string; names: readonly NamedReference[] }) => (
  <>
    {before}
    <Listed parts={names.map((name) => <RecordLink key={name.slug} to={name} />)} shownMax={NAMES_SHOWN} />
  </>
);

/** The nearest path of two without anything else in common. */
function throughText([nearest]: readonly Path[]): ComponentChildren {
  const names = nearest?.nodes.slice(1, -1) ?? [];
  if (names.length === 0) return 'are connected directly';
  return <Names before={`are ${countText(names.length + 1)} steps apart, through `} names={names} />;
}
