import type { VNode } from 'preact';
import { entityOf, NAMED_TYPES } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { allows } from '../../contract/keys.ts';
import { DUPLICATE_STATES, type Duplicate, type DuplicateState } from '../../store/port/duplicates.ts';
import { Badge, Card, Day, Empty, Link, Notice, PageHead, PostForm, RecordLink, Time } from '../components.tsx';
import { beforeOf, Older } from '../lists.tsx';
import { Tile } from '../profile/tile.tsx';
import { type PageAnswer, type PageRoute, pageReply, redirect, type SignedInRequest } from '../reply.ts';
import { forEditor, forRemover } from './access.tsx';
import { inShort, labelOf, Text } from './values.tsx';

const PATH = '/account/duplicates';
const PAGE_SIZE = 12;

/** Merging hides a record, so it requires the delete level. */
export const duplicateRoutes: readonly PageRoute[] = [
  forEditor('get', PATH, showPairs),
  forRemover(`${PATH}/scan`, async ({ deps, author }) => {
    await deps.store.duplicates.scan(NAMED_TYPES, author);
    return redirect(`${PATH}?done=scan`);
  }),
  forRemover(`${PATH}/:id`, decide),
];

async function decide({ deps, params, form, author }: SignedInRequest): Promise<PageAnswer> {
  const { duplicates } = deps.store;
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;
  const { keep, action = keep === undefined ? '' : 'merge' } = form.values;
  if (action === 'merge') await duplicates.merge(id, author, keep);
  else if (action === 'reject') await duplicates.reject(id, author);
  else if (action === 'undo') await duplicates.undo(id, author);
  else throw new ServiceError('invalid_parameter', 'Choose an action for the pair.');
  return redirect(`${PATH}?done=${action}`);
}

const DONE: Readonly<Record<string, string>> = {
  scan: 'All records were compared.',
  merge: 'The two records are merged. “Merged” lists the pair and can undo it.',
  reject: 'The two records stay separate.',
  undo: 'Both records exist again.',
};

const STATES: Readonly<Record<DuplicateState, string>> = { open: 'Open', rejected: 'Kept apart', merged: 'Merged' };

async function showPairs({ deps, query, person }: SignedInRequest): Promise<PageAnswer> {
  const { duplicates, audit } = deps.store;
  const state = DUPLICATE_STATES.find((one) => one === query['state']) ?? 'open';
  const offset = beforeOf(query) ?? 0;
  const [pairs, [scan]] = await Promise.all([
    duplicates.list({ state, limit: PAGE_SIZE + 1, offset }),
    audit.list({ type: 'duplicates', limit: 1 }),
  ]);
  const next = new URLSearchParams({ state, before: String(offset + PAGE_SIZE) });
  const done = DONE[query['done'] ?? ''];
  const mayDecide = allows(person.level, 'delete');
  const given = { state, mayDecide, comparedAt: scan?.at };
  return pageReply(
    'Duplicates',
    <>
      <PageHead
        title="Duplicates"
        lead="Records that may describe the same thing, the likeliest first. A merge loses no data and can be undone."
        action={mayDecide && (pairs.length > 0 || scan !== undefined) ? <Compare {...given} /> : null}
      />
      {done === undefined ? null : <Notice tone="good">{done}</Notice>}
      <nav class="kinds" aria-label="Pairs">
        {DUPLICATE_STATES.map((one) => (
          <Link key={one} to={`${PATH}?state=${one}`} aria-current={one === state ? 'page' : undefined}>
            {STATES[one]}
          </Link>
        ))}
      </nav>
      {pairs.length === 0 ? <NoPair {...given} /> : null}
      <ul class="pairs">
        {pairs.slice(0, PAGE_SIZE).map((pair) => (
          <Pair key={pair.id} pair={pair} mayDecide={mayDecide} />
        ))}
      </ul>
      <Older what="pairs" to={`${PATH}?${next}`} hasMore={pairs.length > PAGE_SIZE} />
      {mayDecide ? null : <p class="muted">Merging needs the level delete; an owner can change yours.</p>}
    </>,
  );
}

interface Comparison {
  readonly state: DuplicateState;
  readonly mayDecide: boolean;
  /** Time of the last comparison of all records. */
  readonly comparedAt: string | undefined;
}

function Compare({ comparedAt }: Comparison): VNode {
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

function NoPair(given: Comparison): VNode {
  const { state, comparedAt, mayDecide } = given;
  if (state !== 'open')
    return (
      <Card>
        <Empty title={state === 'merged' ? 'No pair was merged' : 'No pair was kept apart'} />
      </Card>
    );
  if (comparedAt === undefined)
    return (
      <Card>
        <Empty title="Nothing was compared yet">
          <p>Compares every record with those of its type by name, website, accounts and token. Nothing is changed.</p>
          {mayDecide ? <Compare {...given} /> : null}
        </Empty>
      </Card>
    );
  return (
    <Card>
      <Empty title="No open pair known">
        <p>
          All records were compared <Time at={comparedAt} />. Imports add the pairs that they find.
        </p>
      </Empty>
    </Card>
  );
}

const LINE_LENGTH = 120;

function Pair({ pair, mayDecide }: { pair: Duplicate; mayDecide: boolean }): VNode {
  const { id, type, rule, score, state, records, found_at, decided_at, gone_id } = pair;
  return (
    <li class="card">
      <PostForm to={`${PATH}/${id}`}>
        <div class="bar-line">
          <p>
            <Badge>{entityOf(type).noun}</Badge> <strong>{labelOf(rule)}</strong>{' '}
            <span class="muted">
              {score} % alike, {decided_at === null ? 'found' : 'decided'} <Day at={decided_at ?? found_at} />
            </span>
          </p>
          {mayDecide && state !== 'rejected' ? (
            <button type="submit" name="action" value={state === 'open' ? 'reject' : 'undo'} class="button small">
              {state === 'open' ? 'Keep both' : 'Undo the merge'}
            </button>
          ) : null}
        </div>
        <ul class="related">
          {records.map(({ id: record, slug, name, website, line }) => (
            <li key={record}>
              <Tile name={name} isRound={type === 'people'} />
              <div>
                <RecordLink type={type} slug={slug}>
                  {name}
                </RecordLink>{' '}
                {record === gone_id ? <Badge>merged</Badge> : null}
                <span class="muted">
                  <Text text={website ?? slug} />
                </span>
                {line === null ? null : <span class="muted">{inShort(line, LINE_LENGTH)}</span>}
                {mayDecide && state !== 'merged' ? (
                  <button type="submit" name="keep" value={slug} class="button small">
                    Merge into this one<span class="sr">: {slug}</span>
                  </button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      </PostForm>
    </li>
  );
}
