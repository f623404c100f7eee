import type { VNode } from 'preact';
import { NAMED_TYPES } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { DUPLICATE_STATES, type Duplicate, type DuplicateState } from '../../store/port/duplicates.ts';
import { Badge, Card, Empty, Notice, PageHead, PostForm, RecordLink, Table, Time } from '../components.tsx';
import { beforeOf, FilterForm, Older } from '../lists.tsx';
import { type PageAnswer, type PageRoute, pageReply, redirect, type SignedInRequest } from '../reply.ts';
import { forEditor, forRemover } from './access.tsx';

const PATH = '/account/duplicates';
const PAGE_SIZE = 50;

/** Merging hides a record, so it requires the delete level. */
export const duplicateRoutes: readonly PageRoute[] = [
  forEditor('get', PATH, showPairs),
  forRemover(`${PATH}/scan`, async ({ deps }) => {
    await deps.store.duplicates.scan(NAMED_TYPES);
    return redirect(`${PATH}?done=scan`);
  }),
  forRemover(`${PATH}/:id`, decide),
];

async function decide({ deps, params, form, author }: SignedInRequest): Promise<PageAnswer> {
  const { duplicates } = deps.store;
  const id = /^\d{1,15}$/.test(params['id'] ?? '') ? Number(params['id']) : 0;
  const { action, keep } = form.values;
  if (action === 'merge') await duplicates.merge(id, author, keep);
  else if (action === 'reject') await duplicates.reject(id, author);
  else if (action === 'undo') await duplicates.undo(id, author);
  else throw new ServiceError('invalid_parameter', 'Choose an action for the pair.');
  return redirect(`${PATH}?done=${action}`);
}

const DONE: Readonly<Record<string, string>> = {
  scan: 'All records were looked at.',
  merge: 'The two records are merged. The merge is listed under “merged”, where it can be undone.',
  reject: 'The two records stay separate.',
  undo: 'Both records are there again.',
};

async function showPairs({ deps, query }: SignedInRequest): Promise<PageAnswer> {
  const state = DUPLICATE_STATES.find((one) => one === query['state']) ?? 'open';
  const offset = beforeOf(query) ?? 0;
  const pairs = await deps.store.duplicates.list({ state, limit: PAGE_SIZE + 1, offset });
  const next = new URLSearchParams({ state, before: String(offset + PAGE_SIZE) });
  return pageReply(
    'Duplicates',
    <>
      <PageHead
        title="Duplicates"
        lead="Probable duplicates, the likeliest first. A merge loses no data and can be undone."
        action={
          <PostForm to={`${PATH}/scan`}>
            <button type="submit" class="button">
              Look for more
            </button>
          </PostForm>
        }
      />
      {DONE[query['done'] ?? ''] === undefined ? null : <Notice tone="good">{DONE[query['done'] ?? '']}</Notice>}
      <FilterForm
        label="Show"
        name="state"
        all="open"
        options={DUPLICATE_STATES.slice(1).map((one) => [one, one])}
        chosen={state}
      />
      {pairs.length === 0 ? (
        <Card>
          <Empty title={state === 'open' ? 'No open pair' : `No pair is ${state}`}>
            <p>“Look for more” compares all records by name, website and token.</p>
          </Empty>
        </Card>
      ) : (
        <Table label="Duplicates" head={['Record', 'Other record', 'Reason', 'Score', 'When', '']} numbers={['Score']}>
          {pairs.slice(0, PAGE_SIZE).map((pair) => pairRow(pair, state))}
        </Table>
      )}
      <Older what="pairs" to={`${PATH}?${next}`} hasMore={pairs.length > PAGE_SIZE} />
    </>,
  );
}

function pairRow(pair: Duplicate, state: DuplicateState): VNode {
  const { id, type, rule, score, records, found_at, decided_at, gone_id } = pair;
  return (
    <tr key={id}>
      {records.map((record) => (
        <td key={record.id}>
          <RecordLink type={type} slug={record.slug}>
            {record.name}
          </RecordLink>
          {record.id === gone_id ? <Badge>merged</Badge> : null}
          <small class="muted"> {record.website ?? record.slug}</small>
        </td>
      ))}
      <td>{rule}</td>
      <td class="number">{score} %</td>
      <td>
        <Time at={decided_at ?? found_at} />
      </td>
      <td>
        {state === 'merged' ? (
          <Action id={id} action="undo" label="Take back" />
        ) : (
          records.map(({ slug }) => <Action key={slug} id={id} action="merge" keep={slug} label={`Keep ${slug}`} />)
        )}
        {state === 'open' ? <Action id={id} action="reject" label="Keep apart" /> : null}
      </td>
    </tr>
  );
}

function Action({ id, action, keep, label }: { id: number; action: string; keep?: string; label: string }): VNode {
  return (
    <PostForm to={`${PATH}/${id}`}>
      <input type="hidden" name="action" value={action} />
      {keep === undefined ? null : <input type="hidden" name="keep" value={keep} />}
      <button type="submit" class="button small">
        {label}
      </button>
    </PostForm>
  );
}
