import { entityOf, NAMED_TYPES, type NamedType, type RecordData } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { parseNumber } from '../../contract/fields.ts';
import { inputOf } from '../../contract/input.ts';
import { allows } from '../../contract/keys.ts';
import { counted, isBlank } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { DUPLICATE_STATES, type Duplicate, type DuplicateState } from '../../store/port/duplicates.ts';
import {
  Badge,
  Card,
  Day,
  EmptyCard,
  Link,
  Notice,
  namedRow,
  PageHead,
  PostForm,
  RecordLink,
  SmallLink,
  Submit,
  Table,
  Time,
} from '../components.tsx';
import { Pages } from '../lists.tsx';
import { pageReply, redirect, type SignedInRequest } from '../page-route.ts';
import { Tile } from '../profile/tile.tsx';
import { pageNumber, pageWindow } from '../query.ts';
import { forEditor, forRemover } from './access-levels.tsx';
import { FieldValue, inShort, Text } from './values.tsx';

const PATH = '/account/duplicates';
const PAGE_SIZE = 12;

/** Merging hides a record, so it requires the delete level. */
export const duplicateRoutes = [
  forEditor('get', PATH, showPairs),
  forRemover(`${PATH}/scan`, async ({ deps, author }) => {
    await deps.store.duplicates.scan(NAMED_TYPES, author);
    return redirect(`${PATH}?done=scan`);
  }),
  forEditor('get', `${PATH}/:id`, comparePair),
  forRemover(`${PATH}/:id`, decide),
];

const pairId = (text: string | undefined): number => parseNumber(text) ?? 0;

async function comparePair({ deps, params, member }: SignedInRequest) {
  const { duplicates, records } = deps.store;
  const pair = await duplicates.find(pairId(params['id']));
  if (pair === undefined) throw new ServiceError('not_found', 'There is no such pair.');
  if (pair.state === 'merged') return redirect(`${PATH}?state=merged`);
  const found = await Promise.all(pair.records.map(({ id }) => records.get(pair.type, String(id))));
  const [left, right] = found.map((record) => record && (JSON.parse(record.json) as RecordData));
  if (left === undefined || right === undefined)
    throw new ServiceError('not_found', 'A record of this pair does not exist any more.');
  const mayDecide = allows(member.level, 'delete');
  return pageReply(
    `${left.name} and ${right.name}`,
    <Comparison pair={pair} records={[left, right]} to={`${PATH}/${pair.id}`} mayDecide={mayDecide} />,
  );
}

async function decide({ deps, params, form, author }: SignedInRequest) {
  const { duplicates } = deps.store;
  const id = pairId(params['id']);
  const { keep, action = keep === undefined ? '' : 'merge' } = form.values;
  if (action === 'merge') await duplicates.merge(id, author, keep);
  else if (action === 'reject') await duplicates.reject(id, author);
  else if (action === 'undo') await duplicates.undo(id, author);
  else throw new ServiceError('invalid_parameter', 'Choose an action for the pair.');
  return redirect(`${PATH}?${new URLSearchParams({ done: action, ...(action === 'merge' && { pair: String(id) }) })}`);
}

const DONE: Readonly<Record<string, string>> = {
  scan: 'All records were compared.',
  merge: 'The two records are merged.',
  reject: 'The two records stay separate.',
  undo: 'Both records exist again.',
};

const STATES: Readonly<Record<DuplicateState, string>> = { open: 'Open', rejected: 'Kept apart', merged: 'Merged' };

async function showPairs({ deps, query, member }: SignedInRequest) {
  const { duplicates, audit } = deps.store;
  const state = DUPLICATE_STATES.find((one) => one === query['state']) ?? 'open';
  const type = NAMED_TYPES.find((one) => one === query['type']);
  const page = pageNumber.parse(query['page'] ?? 1);
  const [pairs, total, [scan]] = await Promise.all([
    duplicates.list({ state, type, ...pageWindow(page, PAGE_SIZE) }),
    duplicates.count({ state, type }),
    audit.list({ type: 'duplicates', limit: 1 }),
  ]);
  const decided = query['pair'] === undefined ? undefined : await duplicates.find(pairId(query['pair']));
  const merged = decided?.state === 'merged' ? decided : undefined;
  const done = DONE[query['done'] ?? ''];
  const mayDecide = allows(member.level, 'delete');
  const given = { state, type, mayDecide, comparedAt: scan?.at };
  return pageReply(
    'Duplicates',
    <>
      <PageHead
        title="Duplicates"
        lead="Records that may be of the same company, person, investor or event, the likeliest first. The percentage is an estimate by what the two share, which orders the pairs and decides nothing. A merge loses no data and can be undone."
        action={mayDecide && (pairs.length > 0 || scan !== undefined) ? <Compare {...given} /> : null}
      />
      {done === undefined ? null : (
        <Notice tone="good">
          {merged === undefined ? done : <Merged pair={merged} />}
          {merged !== undefined && mayDecide ? (
            <PostForm to={`${PATH}/${merged.id}`}>
              <Submit name="action" value="undo" look="small">
                Undo the merge
              </Submit>
            </PostForm>
          ) : null}
        </Notice>
      )}
      <PairFilters {...given} />
      {total === 0 ? <NoPair {...given} /> : <p class="muted">{counted(total, 'pairs')}</p>}
      <ul class="pairs">
        {pairs.map((pair) => (
          <Pair key={pair.id} pair={pair} mayDecide={mayDecide} />
        ))}
      </ul>
      <Pages
        number={page}
        total={total}
        size={PAGE_SIZE}
        to={(number) => `${pathOf({ state, type })}&page=${number}`}
      />
      {mayDecide ? null : <p class="muted">Merging needs the level delete; an owner can change yours.</p>}
    </>,
  );
}

type PairFilter = Pick<DuplicateList, 'state' | 'type'>;

const pathOf = ({ state, type }: PairFilter): string =>
  `${PATH}?${new URLSearchParams({ state, ...(type !== undefined && { type }) })}`;

function PairFilters({ state, type }: PairFilter) {
  return (
    <>
      <nav class="kinds" aria-label="Pairs">
        {DUPLICATE_STATES.map((one) => (
          <Link key={one} to={pathOf({ state: one, type })} aria-current={one === state ? 'page' : undefined}>
            {STATES[one]}
          </Link>
        ))}
      </nav>
      <nav class="kinds" aria-label="Types">
        {[undefined, ...NAMED_TYPES].map((one) => (
          <Link key={one} to={pathOf({ state, type: one })} aria-current={one === type ? 'page' : undefined}>
            {one === undefined ? 'All types' : labelOf(one)}
          </Link>
        ))}
      </nav>
    </>
  );
}

function Merged({ pair: { type, records, gone_id } }: { pair: Duplicate }) {
  const [kept, gone] = records[0].id === gone_id ? records.toReversed() : records;
  return (
    <>
      {gone?.name} is merged into {kept === undefined ? null : <RecordLink to={{ type, ...kept }} />}.
    </>
  );
}

interface DuplicateList {
  readonly state: DuplicateState;
  readonly type: NamedType | undefined;
  readonly mayDecide: boolean;
  readonly comparedAt: string | undefined;
}

function Compare({ comparedAt }: DuplicateList) {
  return (
    <PostForm to={`${PATH}/scan`}>
      <button type="submit" class={comparedAt === undefined ? 'button primary' : 'button'}>
        {comparedAt === undefined ? 'Compare all records' : 'Compare again'}
      </button>
      {comparedAt === undefined ? null : (
        <p class="hint">
          Compared <Time at={comparedAt} />
        </p>
      )}
    </PostForm>
  );
}

function NoPair(given: DuplicateList) {
  const { state, type, comparedAt, mayDecide } = given;
  const pair = `pair${type === undefined ? '' : ` of ${type}`}`;
  if (state !== 'open') return <EmptyCard title={`No ${pair} was ${state === 'merged' ? 'merged' : 'kept apart'}`} />;
  if (comparedAt === undefined)
    return (
      <EmptyCard title="Nothing was compared yet">
        <p>Compares every record with those of its type by name, website, accounts and token. Nothing is changed.</p>
        {mayDecide ? <Compare {...given} /> : null}
      </EmptyCard>
    );
  return (
    <EmptyCard title={`No open ${pair} known`}>
      <p>
        All records were compared <Time at={comparedAt} />. Imports add the pairs that they find.
      </p>
    </EmptyCard>
  );
}

const LINE_LENGTH = 120;

function Pair({ pair, mayDecide }: { pair: Duplicate; mayDecide: boolean }) {
  const { id, type, reason, score, state, records, found_at, decided_at, gone_id } = pair;
  return (
    <li class="card">
      <PostForm to={`${PATH}/${id}`}>
        <div class="bar-line">
          <p>
            <Badge>{entityOf(type).noun}</Badge> <strong>{reason}</strong>{' '}
            <span class="muted">
              {score}% likely, {decided_at === null ? 'found' : 'decided'} <Day at={decided_at ?? found_at} />
            </span>
          </p>
          <span class="actions">
            {state === 'merged' ? null : (
              <SmallLink to={`${PATH}/${id}`}>
                Compare<span class="sr"> {records.map(({ name }) => name).join(' and ')}</span>
              </SmallLink>
            )}
            {mayDecide && state !== 'rejected' ? (
              <Submit name="action" value={state === 'open' ? 'reject' : 'undo'} look="small">
                {state === 'open' ? 'Keep both' : 'Undo the merge'}
              </Submit>
            ) : null}
          </span>
        </div>
        <ul class="related">
          {records.map(({ id: record, slug, name, website, line }) => (
            <li key={record}>
              <Tile name={name} isRound={type === 'people'} />
              <div>
                <RecordLink to={{ type, slug, name }} />{' '}
                {gone_id === null ? null : <Badge>{record === gone_id ? 'merged' : 'kept'}</Badge>}
                {website === null ? null : (
                  <span class="muted">
                    <Text text={website} />
                  </span>
                )}
                <span class="muted">{inShort(line ?? 'Without a description', LINE_LENGTH)}</span>
              </div>
            </li>
          ))}
        </ul>
      </PostForm>
    </li>
  );
}

/** A merge unites all sources and keeps the newer of the dates. */
const UNCOMPARED = ['slug', 'sources', 'as_of'];
const ITEMS_MAX = 8;

interface ComparisonProps {
  readonly pair: Duplicate;
  readonly records: readonly [RecordData, RecordData];
  readonly to: string;
  readonly mayDecide: boolean;
}

function Comparison({ pair, records, to, mayDecide }: ComparisonProps) {
  const { type, reason, score, state } = pair;
  const [left, right] = records;
  const rows = Object.keys(inputOf(type).shape)
    .map((name) => ({ field: name, outcome: outcomeOf(left[name], right[name]) }))
    .filter(({ field }) => !UNCOMPARED.includes(field) && !records.every((record) => isBlank(record[field])))
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  return (
    <>
      <p class="crumbs">
        <Link to="/account/duplicates">Duplicates</Link> / {pair.id}
      </p>
      <PageHead
        title={`${left.name} and ${right.name}`}
        lead={
          <>
            {reason}. {score}% likely to be the same {entityOf(type).noun}.
          </>
        }
      />
      <Card title="Decide">
        <p>
          A merge keeps one record: where both have a value, its value stays; unknown fields are filled from the other
          one, lists are united, and the other name becomes an alias. All that refers to the other record, and its
          address, lead to the kept one.
        </p>
        <p>Nothing is lost: “Undo the merge”, shown after it and under Merged, brings both records back.</p>
        {mayDecide ? (
          <PostForm to={to} class="actions">
            {records.map(({ id, slug, name }, index) => (
              <button key={id} type="submit" name="keep" value={slug} class="button">
                Merge, keep {'AB'[index]}: {name}
              </button>
            ))}
            {state === 'open' ? (
              <Submit name="action" value="reject" look="">
                Keep both
              </Submit>
            ) : null}
          </PostForm>
        ) : (
          <p class="muted">Merging needs the level delete; an owner can change yours.</p>
        )}
      </Card>
      <Card title="Side by side" id="side-by-side">
        <Table label="Fields of both records" head={['Field', 'A', 'B', 'After a merge']}>
          {namedRow(
            'record',
            'Record',
            ...records.map(({ slug }) => (
              <RecordLink key={slug} to={{ type, slug }}>
                {slug}
              </RecordLink>
            )),
            <Badge tone={TONES['the kept record’s']}>the kept record’s</Badge>,
          )}
          {rows.map(({ field, outcome }) =>
            namedRow(
              field,
              labelOf(field),
              ...records.map((record) => <Side key={record.id} record={record} field={field} />),
              outcome === 'same' ? <span class="muted">same</span> : <Badge tone={TONES[outcome]}>{outcome}</Badge>,
            ),
          )}
        </Table>
      </Card>
    </>
  );
}

/** What a merge does with a field, most important first. */
const OUTCOMES = ['the kept record’s', 'united', 'filled in', 'same'] as const;
const TONES = { 'the kept record’s': 'warn', united: 'info', 'filled in': 'info', same: 'plain' } as const;

function outcomeOf(left: unknown, right: unknown): (typeof OUTCOMES)[number] {
  if (comparable(left) === comparable(right)) return 'same';
  if (isBlank(left) || isBlank(right)) return 'filled in';
  return Array.isArray(left) ? 'united' : 'the kept record’s';
}

/** Addresses that differ in their last slash are shown alike. */
const comparable = (value: unknown): string => JSON.stringify(value).replace(/\/"$/, '"');

function Side({ record, field }: { record: RecordData; field: string }) {
  const value = record[field];
  if (isBlank(value)) return <span class="muted">not known</span>;
  const more = Array.isArray(value) ? value.length - ITEMS_MAX : 0;
  if (more <= 0) return <FieldValue of={record.type} field={field} value={value} />;
  return (
    <>
      <FieldValue of={record.type} field={field} value={(value as unknown[]).slice(0, ITEMS_MAX)} /> and {more} more
    </>
  );
}
