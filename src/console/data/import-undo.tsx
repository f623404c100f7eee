import { entityOf } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { countText } from '../../contract/value-text.ts';
import { labelOf } from '../../contract/vocabulary.ts';
import { namedByText, type UndoSummary } from '../../store/import/undo-summary.ts';
import type { UndoneRecord } from '../../store/port/records.ts';
import { Badge, Card, Link, Notice, PageHead, PostForm, row, Submit, Table } from '../components.tsx';
import { Figures } from '../lists.tsx';
import { pageReply, type SignedInRequest } from '../page-route.ts';
import { forRemover } from './access-levels.tsx';

const PATH = '/account/import/:id';

/** An import of the account: first what its undo would do, then the undo. Like deleting, this needs the level delete. */
export const importUndoRoutes = [
  forRemover(PATH, (pageRequest) => undo(pageRequest, true), 'get'),
  forRemover(PATH, (pageRequest) => undo(pageRequest, false)),
];

export const undoPath = (id: string): string => `/account/import/${encodeURIComponent(id)}`;

async function undo({ deps, params, member, author }: SignedInRequest, isDryRun: boolean) {
  const { id = '' } = params;
  const { account } = member;
  const summary = await deps.imports.undo({ requestId: id, account, isDryRun, author: { ...author, requestId: id } });
  if (summary === undefined)
    throw new ServiceError('not_found', 'Your account has no import with this ID that changed a record.');
  return pageReply('Undo an import', <Undo id={id} summary={summary} isDryRun={isDryRun} />);
}

function Undo({ id, summary, isDryRun }: { id: string; summary: UndoSummary; isDryRun: boolean }) {
  const { counts, listed, moreRecords } = summary;
  const { deleted, restored, left, gone, unchanged } = counts;
  const named = namedByText(summary);
  const figures = [
    { label: isDryRun ? 'To delete' : 'Deleted', value: countText(deleted) },
    { label: isDryRun ? 'To set back' : 'Set back', value: countText(restored) },
    ...[
      { label: 'Left alone', count: left },
      { label: 'Gone before', count: gone },
      { label: 'Unchanged', count: unchanged },
    ].flatMap(({ label, count }) => (count === 0 ? [] : [{ label, value: countText(count) }])),
  ];
  const isEmpty = deleted + restored === 0;
  return (
    <>
      <PageHead
        title={isDryRun ? 'Undo this import?' : 'Import undone'}
        lead="Records that it created are deleted, and fields that it changed are set back. What was changed since stays."
      />
      {isDryRun ? null : (
        <Notice tone="good">
          {countText(deleted)} deleted, {countText(restored)} set back. Deleted records can be restored for 30 days.
        </Notice>
      )}
      <Figures figures={figures} />
      {named === '' ? null : (
        <Notice tone="warn">Records that keep the name of a deleted one, without a link: {named}.</Notice>
      )}
      {!isDryRun ? null : isEmpty ? (
        <Notice tone="info">Nothing of it can be undone.</Notice>
      ) : (
        <PostForm to={undoPath(id)}>
          <div class="actions">
            <Submit>Undo the import</Submit>
            <Link to="/account/import" class="button plain">
              Keep it
            </Link>
          </div>
        </PostForm>
      )}
      {listed.length === 0 ? null : (
        <Card title={isDryRun ? 'Records' : 'What stays'}>
          <Table label="Records of the import" head={['Record', 'Undo', 'Fields set back', 'Changed since']}>
            {listed.map(undoneRow)}
          </Table>
          {moreRecords === 0 ? null : <p class="muted">and {countText(moreRecords)} more</p>}
        </Card>
      )}
    </>
  );
}

const TEXT: Readonly<Record<UndoneRecord['change'], string>> = {
  deleted: 'delete',
  restored: 'set back',
  left: 'left alone',
  gone: 'gone before',
  unchanged: 'unchanged',
};

function undoneRow({ type, slug, name, change, restored, left }: UndoneRecord) {
  return row(
    `${type}/${slug}`,
    <>
      <Link to={`/account/data/${type}/${slug}`}>{name}</Link> <small class="muted">{entityOf(type).noun}</small>
    </>,
    <Badge tone={change === 'deleted' ? 'warn' : 'plain'}>{TEXT[change]}</Badge>,
    restored.map(labelOf).join(', '),
    left.map(labelOf).join(', ') || (change === 'left' ? 'the record' : ''),
  );
}
