import type { ComponentChildren, VNode } from 'preact';
import { DUPLICATES_MAX, type ImportJob, type ImportResult } from '../../service/imports/import-job.ts';
import { Card, countText, Notice, RecordLink, row, SmallLink, Table } from '../components.tsx';
import type { SignedInRequest } from '../page-route.ts';

interface ProbableDuplicatesProps extends Pick<ImportResult, 'report' | 'duplicates'> {
  readonly became: string;
  readonly remedy: ComponentChildren;
  /** Whether a person chooses the record of each row. */
  readonly isAsked?: boolean;
}

/** Warns of rows that are or may be about existing records of another name. */
export function ProbableDuplicates(props: ProbableDuplicatesProps): VNode | null {
  const { report, duplicates, became, remedy, isAsked = false } = props;
  const { type } = report;
  if (duplicates.length === 0) return null;
  const hasPairs = duplicates.some(({ pair }) => pair !== undefined);
  const most =
    duplicates.length === DUPLICATES_MAX ? `The first ${DUPLICATES_MAX} rows` : rowCountText(duplicates.length);
  return (
    <Card title="Probable duplicates">
      <Notice tone="warn">
        {most} {isAsked ? '' : `${became} ${duplicates.length === 1 ? 'a new record' : `new ${type}`} but `}may be about{' '}
        {duplicates.length === 1 ? 'an existing record' : `existing ${type}`}. {remedy}
      </Notice>
      <Table
        label="Probable duplicates"
        head={['Row', 'Existing record', 'Slug', 'Why', ...(isAsked ? ['Import as'] : hasPairs ? [''] : [])]}
      >
        {duplicates.map(({ name, slug: own, isMatched, pair, record: { slug, name: known }, reason }) =>
          row(
            `${name} ${slug}`,
            pair === undefined ? name : <RecordLink to={{ type, slug: own, name }} />,
            <RecordLink to={{ type, slug, name: known }} />,
            <code>{slug}</code>,
            reason,
            ...(isAsked
              ? [
                  <select key={own} form={PREVIEW_FORM} name={`${CHOICE}${own}`} aria-label={`Import ${name} as`}>
                    <option value={slug} selected={isMatched}>
                      {known}
                    </option>
                    <option value="" selected={!isMatched}>
                      A new record
                    </option>
                  </select>,
                ]
              : []),
            ...(pair === undefined
              ? []
              : [
                  <SmallLink key={pair} to={`/account/duplicates/${pair}`}>
                    Compare<span class="sr"> {`${name} and ${known}`}</span>
                  </SmallLink>,
                ]),
          ),
        )}
      </Table>
    </Card>
  );
}

/** The choices of the preview: for each row that may be about a record the slug of that, or blank for a new record. */
export const chosenRecords = ({ form }: SignedInRequest): ImportJob['chosen'] =>
  Object.fromEntries(
    Object.entries(form.values).flatMap(([name, value]) =>
      name.startsWith(CHOICE) ? [[name.slice(CHOICE.length), value]] : [],
    ),
  );
const CHOICE = 'record.';
/** The id of the form that sends the rows of a preview again. */
export const PREVIEW_FORM = 'preview';

export const rowCountText = (rows: number): string => `${countText(rows)} ${rows === 1 ? 'row' : 'rows'}`;
