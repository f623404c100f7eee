import type { VNode } from 'preact';
import { entityOf } from '../../contract/entities/index.ts';
import { labelOf } from '../../contract/field-labels.ts';
import type { Duplicate } from '../../store/port/duplicates.ts';
import { Badge, Card, Link, namedRow, PageHead, PostForm, RecordLink, Submit, Table } from '../components.tsx';
import { formFields } from './fields.ts';
import { FieldValue, isBlank, type RecordData } from './values.tsx';

/** A merge unites all sources and keeps the newer of the dates. */
const UNCOMPARED = ['sources', 'as_of'];
/** Longer lists are truncated. */
const ITEMS_MAX = 8;

interface ComparisonProps {
  readonly pair: Duplicate;
  readonly records: readonly [RecordData, RecordData];
  /** Address of the pair, which takes the decision. */
  readonly to: string;
  readonly mayDecide: boolean;
}

/** The two records of a pair side by side, what a merge makes of each field, and the decision. */
export function Comparison({ pair, records, to, mayDecide }: ComparisonProps): VNode {
  const { type, reason, score, state } = pair;
  const [left, right] = records;
  const rows = formFields(type)
    .map(({ name }) => ({ field: name, outcome: outcomeOf(left[name], right[name]) }))
    .filter(({ field }) => !UNCOMPARED.includes(field) && !records.every((record) => isBlank(record[field])))
    .sort((one, other) => OUTCOMES.indexOf(one.outcome) - OUTCOMES.indexOf(other.outcome));
  const heads = records.map(({ name }, index) => `${'AB'[index]}: ${name}`);
  return (
    <>
      <p class="crumbs">
        <Link to="/account/duplicates">Duplicates</Link> / {pair.id}
      </p>
      <PageHead
        title={`${left.name} and ${right.name}`}
        lead={
          <>
            {reason}. {score} % likely to be the same {entityOf(type).noun}. Their pages:{' '}
            <RecordLink to={{ type, slug: left.slug }}>A, {left.slug}</RecordLink> and{' '}
            <RecordLink to={{ type, slug: right.slug }}>B, {right.slug}</RecordLink>.
          </>
        }
      />
      <Card title="Side by side">
        <Table label="Fields of both records" head={['Field', ...heads, 'After a merge']}>
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
      <Card title="Decide">
        <p>
          A merge keeps one record: where both have a value, its value stays; unknown fields are filled from the other
          one, lists are united, and the other name becomes an alias. All that refers to the other record, and its
          address, lead to the kept one.
        </p>
        <p>Nothing is lost: “Undo the merge”, shown after it and under Merged, brings both records back.</p>
        {mayDecide ? (
          <PostForm to={to} class="actions">
            {records.map(({ id, slug }, index) => (
              <button key={id} type="submit" name="keep" value={slug} class="button">
                Merge, keep {'AB'[index]}
              </button>
            ))}
            {state === 'open' ? (
              <Submit name="action" value="reject">
                Keep both
              </Submit>
            ) : null}
          </PostForm>
        ) : (
          <p class="muted">Merging needs the level delete; an owner can change yours.</p>
        )}
      </Card>
    </>
  );
}

/** What a merge does with a field, most important first. */
const OUTCOMES = ['the kept record’s', 'united', 'filled in', 'same'] as const;
type Outcome = (typeof OUTCOMES)[number];
const TONES = { 'the kept record’s': 'warn', united: 'info', 'filled in': 'info', same: 'plain' } as const;

function outcomeOf(left: unknown, right: unknown): Outcome {
  if (JSON.stringify(left) === JSON.stringify(right)) return 'same';
  if (isBlank(left) || isBlank(right)) return 'filled in';
  return Array.isArray(left) ? 'united' : 'the kept record’s';
}

function Side({ record, field }: { record: RecordData; field: string }): VNode {
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
