import type { ComponentChildren } from 'preact';
import { isRecordType, NAMED_TYPES, type RecordData, recordNoun } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { QUERY_LENGTH_MAX } from '../../contract/queries.ts';
import { backersOf, companyOf, isSameRecord, type NamedReference } from '../../contract/rounds.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, Link, NoRecords, PageHead, Submit, usePage } from '../components.tsx';
import type { PageQuery } from '../query.ts';
import { ConnectedRecords, connectRecords } from './connected-records.tsx';
import { beginsWord } from './name-completion.tsx';
import { readFirst, readRecords } from './read-records.ts';
import { readFundingRounds } from './round-statistics.ts';

/** Parameters of the page: two records, each by type and slug or by a name. */
export const ENDS = ['from', 'to'] as const;
type Given = Readonly<Record<(typeof ENDS)[number], string>>;

export async function connectionsPage(records: Records, query: PageQuery) {
  const { from = '', to = '' } = query;
  const ends = await Promise.all([from, to].map((text) => findEnd(records, text.trim().slice(0, QUERY_LENGTH_MAX))));
  const [one, other] = ends.map(({ record }) => record);
  const isSame = one !== undefined && other !== undefined && isSameRecord(one, other);
  const connected = one && other && !isSame ? await connectRecords(records, [one, other]) : undefined;
  const [first = '', second = ''] = ends.map(({ name }) => name);
  const examples = first === '' && second === '' ? await readExamples(records) : undefined;
  const title =
    first === ''
      ? 'How two records are connected'
      : `How is ${first} connected to ${isSame || !second ? '…' : second}?`;
  return {
    title,
    body: (
      <>
        <PageHead
          title={title}
          lead="By funding rounds, roles, events and portfolios on record; rounds and roles with their sources."
        />
        <EndsForm from={ends[0]?.typed ?? ''} to={isSame ? '' : (ends[1]?.typed ?? '')} />
        {ends.map((end, place) => (
          <Nearest key={place} {...end} given={{ from, to }} end={ENDS[place] ?? 'to'} />
        ))}
        {connected === undefined ? null : <ConnectedRecords {...connected} />}
        {examples === undefined ? null : <Examples {...examples} />}
      </>
    ),
  };
}

type Linked = NamedReference & Readonly<Record<'type' | 'slug', string>>;
type Pair = readonly [one: Linked, other: Linked];

const isLinked = (one: NamedReference): one is Linked => one.slug != null;

/** Rounds among which pairs of records are looked for. */
const LATEST_READ = 20;

/** Pairs of which one can ask, and what connects the first. */
async function readExamples(records: Records) {
  const { rounds } = await readFundingRounds(records, LATEST_READ);
  const pairs = pairsOf(rounds);
  const [one, other] = await readRecords(records, pairs[0] ?? []);
  return { pairs, answer: one && other && (await connectRecords(records, [one, other])) };
}

/** Pairs that are connected: of the latest rounds a company and who backed it, two who did, and two companies that one backed. */
function pairsOf(rounds: readonly RecordData[]): readonly Pair[] {
  const deals = rounds.flatMap((round) => {
    const company = companyOf(round);
    const backers = backersOf([round]).flatMap(({ investor }) => (isLinked(investor) ? [investor] : []));
    return company.type === 'companies' && isLinked(company) && backers.length > 0 ? [{ company, backers }] : [];
  });
  const latest = deals[0];
  if (latest === undefined) return [];
  const isOfLatest = (one: Linked): boolean => latest.backers.some((backer) => isSameRecord(backer, one));
  const rival = deals.find(
    ({ company, backers }) => !isSameRecord(company, latest.company) && backers.some(isOfLatest),
  );
  const pairs = [
    [latest.backers[0], latest.company],
    deals.find(({ backers }) => backers.length > 1)?.backers ?? [],
    [latest.company, rival?.company],
  ];
  return pairs.flatMap(([one, other]): Pair[] => (one && other ? [[one, other]] : []));
}

/** Other pairs of which one can ask, and the answer to the first. */
function Examples({ pairs: [first, ...others], answer }: Awaited<ReturnType<typeof readExamples>>) {
  if (first === undefined)
    return (
      <Card>
        <NoRecords of="rounds with investors" />
      </Card>
    );
  return (
    <>
      {others.length === 0 ? null : (
        <nav aria-label="Examples">
          <ul class="chips">
            {others.map((pair) => (
              <li key={pair[1].slug}>
                <PairLink pair={pair} />
              </li>
            ))}
          </ul>
        </nav>
      )}
      <h2>
        For example: <PairLink pair={first} />
      </h2>
      {answer === undefined ? null : <ConnectedRecords {...answer} />}
    </>
  );
}

function PairLink({ pair: [one, other] }: { pair: Pair }) {
  const { searchAt } = usePage();
  return (
    <Link to={`${searchAt}/connections?from=${one.type}%2F${one.slug}&to=${other.type}%2F${other.slug}`}>
      {one.name} and {other.name}
    </Link>
  );
}

type End = Awaited<ReturnType<typeof findEnd>>;

const NEAREST_MAX = 5;
const COMPARED_MAX = 50;

/** A record by what was typed, and what finds it again, or those to choose from if no one record has the name. */
async function findEnd(records: Records, typed: string) {
  if (typed === '') return { name: '', typed, nearest: [] };
  const [type = '', slug = ''] = typed.split('/');
  const [addressed] = isRecordType(type) ? await readRecords(records, [{ type, slug }]) : [];
  const named = await records.named(addressed === undefined ? typed : addressed.name);
  const found = addressed === undefined ? await readRecords(records, named) : [addressed];
  const [record, ...others] = found;
  if (record === undefined) return { name: typed, typed, nearest: await nearestTo(records, typed) };
  if (others.length > 0) return { name: typed, typed, nearest: ownNamesFirst(found, typed) };
  return { name: record.name, typed: named.length === 1 ? record.name : typed, record, nearest: [] };
}

/** What a search for the text finds: others than those of this name may rank before. */
async function nearestTo(records: Records, text: string): Promise<readonly RecordData[]> {
  const { found } = await readFirst(records, COMPARED_MAX, { types: NAMED_TYPES, text });
  return ownNamesFirst(found, text).slice(0, NEAREST_MAX);
}

/** First the records whose name is the text, has it as words, then as the start of one; the rest have it in another name or field. */
function ownNamesFirst(found: readonly RecordData[], text: string): readonly RecordData[] {
  const typed = foldName(text);
  const tests: readonly ((name: string) => boolean)[] = [
    (name) => foldName(name) === typed,
    (name) => ` ${foldWords(name)} `.includes(` ${foldWords(text)} `),
    (name) => beginsWord(name, typed),
    () => true,
  ];
  const distance = ({ name }: RecordData): number => tests.findIndex((test) => test(name));
  return found.toSorted((one, other) => distance(one) - distance(other));
}

const foldWords = (text: string): string => text.split(/\s+/).map(foldName).join(' ');

const EndsForm = ({ from, to }: Given) => (
  <ConnectionsForm>
    <EndField name="from" label="From" text={from} />
    <EndField name="to" label="To" text={to} />
  </ConnectionsForm>
);

export const ConnectForm = ({ record: { type, slug } }: { record: RecordData }) => (
  <ConnectionsForm>
    <input type="hidden" name="from" value={`${type}/${slug}`} />
    <EndField name="to" label="Connection to another record" />
  </ConnectionsForm>
);

function ConnectionsForm({ children }: { children: ComponentChildren }) {
  const { base, searchAt } = usePage();
  return (
    <form method="get" action={`${base}${searchAt}/connections`} class="filters ends">
      {children}
      <Submit look="small">Show</Submit>
    </form>
  );
}

function EndField({ name, label, text }: { name: string; label: string; text?: string }) {
  const { base, searchAt } = usePage();
  return (
    <span>
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={text}
        maxlength={QUERY_LENGTH_MAX}
        placeholder="Name of a record"
        autocomplete="off"
        data-names={`${base}${searchAt}/names`}
        data-takes-name
        required
      />
    </span>
  );
}

function Nearest({ name, record, nearest, given, end }: End & { given: Given; end: keyof Given }) {
  const { searchAt } = usePage();
  if (name === '' || record !== undefined) return null;
  return (
    <Card title={nearest.length === 0 ? `No record has a name like “${name}”` : `Which record is “${name}”?`}>
      <ul class="path">
        {nearest.map((one) => (
          <li key={one.slug}>
            <Link to={`${searchAt}/connections?${new URLSearchParams({ ...given, [end]: `${one.type}/${one.slug}` })}`}>
              {one.name}
            </Link>{' '}
            <span class="muted">{recordNoun(one)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
