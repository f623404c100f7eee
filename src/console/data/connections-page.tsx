import type { ComponentChildren, VNode } from 'preact';
import { isRecordType, NAMED_TYPES, type RecordData, recordNoun } from '../../contract/entities/index.ts';
import { QUERY_LENGTH_MAX } from '../../contract/queries.ts';
import { isSameRecord } from '../../contract/rounds.ts';
import { parseSort } from '../../contract/sorts.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, Link, NoRecords, PageHead, Submit, usePage } from '../components.tsx';
import { ConnectedRecords, connectRecords } from './connected-records.tsx';
import { readFirst, readRecords } from './read-records.ts';

/** Parameters of the page: two records, each by type and slug or by a name. */
export const ENDS = ['from', 'to'] as const;
type Given = Readonly<Record<(typeof ENDS)[number], string>>;

export async function connectionsPage(
  records: Records,
  { from = '', to = '' }: Readonly<Record<string, string>>,
): Promise<{ title: string; body: VNode }> {
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
          lead="By funding rounds, roles, events and portfolios on record, each with its source."
        />
        <EndsForm from={ends[0]?.typed ?? ''} to={isSame ? '' : (ends[1]?.typed ?? '')} />
        {ends.map((end, place) => (
          <Nearest key={place} {...end} given={{ from, to }} end={ENDS[place] ?? 'to'} />
        ))}
        {connected === undefined ? null : <ConnectedRecords {...connected} />}
        {examples === undefined ? null : <Examples pairs={examples} />}
      </>
    ),
  };
}

type Pair = readonly [one: RecordData, other: RecordData];

/** Pairs of the most funded companies and the investors in most rounds, of which one can ask. */
async function readExamples(records: Records): Promise<readonly Pair[]> {
  const [companies, investors] = await Promise.all(
    (
      [
        ['companies', '-total_funding_usd'],
        ['investors', '-investments_count'],
      ] as const
    ).map(([type, sort]) => readFirst(records, 2, { types: [type], sort: parseSort([type], sort) })),
  );
  const [company, rival] = companies?.found ?? [];
  const [investor, peer] = investors?.found ?? [];
  const pairs = [
    [investor, peer],
    [company, investor],
    [company, rival],
  ];
  return pairs.flatMap(([one, other]): Pair[] => (one && other ? [[one, other]] : []));
}

function Examples({ pairs }: { readonly pairs: readonly Pair[] }): VNode {
  const { searchAt } = usePage();
  if (pairs.length === 0)
    return (
      <Card>
        <NoRecords />
      </Card>
    );
  return (
    <nav aria-label="Examples">
      <ul class="chips">
        {pairs.map(([one, other]) => (
          <li key={`${one.slug} ${other.slug}`}>
            <Link to={`${searchAt}/connections?from=${one.type}%2F${one.slug}&to=${other.type}%2F${other.slug}`}>
              {one.name} and {other.name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface End {
  /** The name of the record, or what was typed. */
  readonly name: string;
  /** What the form shows, which finds the record again. */
  readonly typed: string;
  readonly record?: RecordData;
  /** Records to choose from, if no one record has the name. */
  readonly nearest: readonly RecordData[];
}

const NEAREST_MAX = 5;

async function findEnd(records: Records, typed: string): Promise<End> {
  if (typed === '') return { name: '', typed, nearest: [] };
  const [type = '', slug = ''] = typed.split('/');
  const [addressed] = isRecordType(type) ? await readRecords(records, [{ type, slug }]) : [];
  const named = await records.named(addressed === undefined ? typed : addressed.name);
  const found = addressed === undefined ? await readRecords(records, named) : [addressed];
  const [record, ...others] = found;
  if (record === undefined)
    return {
      name: typed,
      typed,
      nearest: (await readFirst(records, NEAREST_MAX, { types: NAMED_TYPES, text: typed })).found,
    };
  if (others.length > 0) return { name: typed, typed, nearest: found };
  return { name: record.name, typed: named.length === 1 ? record.name : typed, record, nearest: [] };
}

const EndsForm = ({ from, to }: Given): VNode => (
  <ConnectionsForm>
    <EndField name="from" label="From" text={from} />
    <EndField name="to" label="To" text={to} />
  </ConnectionsForm>
);

export const ConnectForm = ({ record: { type, slug } }: { record: RecordData }): VNode => (
  <ConnectionsForm>
    <input type="hidden" name="from" value={`${type}/${slug}`} />
    <EndField name="to" label="Connection to another record" />
  </ConnectionsForm>
);

function ConnectionsForm({ children }: { children: ComponentChildren }): VNode {
  const { base, searchAt } = usePage();
  return (
    <form method="get" action={`${base}${searchAt}/connections`} class="filters ends">
      {children}
      <Submit look="small">Show</Submit>
    </form>
  );
}

const EndField = ({ name, label, text }: { name: string; label: string; text?: string }): VNode => (
  <span>
    <label for={name}>{label}</label>
    <input id={name} name={name} value={text} maxlength={QUERY_LENGTH_MAX} placeholder="Name of a record" required />
  </span>
);

function Nearest({ name, record, nearest, given, end }: End & { given: Given; end: keyof Given }): VNode | null {
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
