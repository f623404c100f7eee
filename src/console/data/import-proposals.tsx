import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { counted, countText } from '../../contract/value-text.ts';
import type { ImportJob, ImportResult, ProposedRow } from '../../service/imports/import-job.ts';
import { ADDED, isJoined, LEFT_OUT, UNSURE_CHOICES } from '../../store/import/proposals.ts';
import { isUndecided, placeText } from '../../store/import/report.ts';
import { Card, Link, Notice, namedRow, RecordLink, SmallLink, Table } from '../components.tsx';
import { Select } from '../fields.tsx';
import type { SignedInRequest } from '../page-route.ts';

type Proposed = Pick<ImportResult, 'report' | 'doubtful' | 'joined'>;

/** The choices of a preview: what must be decided first, then what is certain. */
export function ImportChoices({ report, doubtful, joined }: Proposed) {
  const { type, matches } = report;
  const doubtfulCount = total(matches.counts.doubtful);
  const isOne = doubtfulCount === 1;
  const hasChoiceOfAll = doubtfulCount >= CHOICE_OF_ALL_MIN;
  const hasEarlierRows = joined.some(({ options: [first] }) => first?.isKept === false);
  const joinedMore = total(matches.counts.joined) - joined.length;
  return (
    <>
      {doubtful.length === 0 ? null : (
        <Card title="To decide">
          <Notice tone="warn">
            {counted(doubtfulCount, 'rows')} may be about {type} on record. Unless you choose otherwise,{' '}
            {isNamedType(type)
              ? isOne
                ? 'it becomes a new record'
                : 'they become new records'
              : 'those that may be a round on record are left out'}
            .
          </Notice>
          {hasChoiceOfAll ? <ChoiceOfAll type={type} count={doubtfulCount} listed={doubtful.length} /> : null}
          <ProposedRows type={type} rows={doubtful} isAsked isPreset={!hasChoiceOfAll} />
        </Card>
      )}
      {joined.length === 0 ? null : (
        <Card title={`On record already${hasEarlierRows ? ', or in earlier rows' : ''}`}>
          <p class="muted">
            {isNamedType(type)
              ? 'A record that a row changes keeps its name, and has that of the row as an alias.'
              : 'A round keeps what is on record: the row adds what that lacks. Of the same stage and day, it changes the round, whose lists only grow.'}
          </p>
          <ProposedRows type={type} rows={joined} isAsked />
          {joinedMore <= 0 ? null : (
            <p class="muted">and {counted(joinedMore, 'rows')} more, which join their records in the same way.</p>
          )}
        </Card>
      )}
    </>
  );
}

/** What became of rows that nobody decided. */
export function Undecided({ report, doubtful }: Proposed) {
  const {
    type,
    matches: { undecided },
  } = report;
  if (undecided === 0) return null;
  const rows = doubtful.filter((row) => isUndecided(type, row));
  const isOne = undecided === 1;
  return (
    <Card title={isNamedType(type) ? 'Probable duplicates' : 'Left out'}>
      <Notice tone="warn">
        {counted(undecided, 'rows')}{' '}
        {isNamedType(type) ? (
          <>
            became {isOne ? 'a new record' : `new ${type}`} but may be about{' '}
            {isOne ? 'an existing record' : `existing ${type}`}.{' '}
            <Link to={`/account/duplicates?type=${type}`}>Merge them, or keep them apart</Link>
          </>
        ) : (
          'may be about rounds on record. Import them again to choose.'
        )}
      </Notice>
      {rows.length === 0 ? null : <ProposedRows type={type} rows={rows} />}
      {rows.length === 0 || rows.length === undecided ? null : (
        <p class="muted">and {countText(undecided - rows.length)} more</p>
      )}
    </Card>
  );
}

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Fewer rows are chosen one by one. */
const CHOICE_OF_ALL_MIN = 10;

/** One choice for all uncertain rows but those chosen below it, where the first of them are listed. */
function ChoiceOfAll({ type, count, listed }: Readonly<Record<'count' | 'listed', number>> & { type: RecordType }) {
  const isNamed = isNamedType(type);
  const options = [
    ...(isNamed ? [] : [{ value: '', label: 'Leave out what may be on record, add the others' }]),
    { value: 'add', label: isNamed ? 'New records' : 'Other rounds' },
    { value: 'join', label: 'The likeliest record of each' },
    { value: 'leave-out', label: 'Leave out' },
  ];
  const first = listed < count ? ` The first ${countText(listed)} are below.` : '';
  return (
    <Select
      label={`Import all ${counted(count, 'rows')} as`}
      hint={`Except those for which you choose otherwise below.${first}`}
      name={UNSURE}
      chosen={isNamed ? 'add' : ''}
      options={options}
      form={PREVIEW_FORM}
    />
  );
}

interface ProposedRowsProps {
  readonly type: RecordType;
  readonly rows: readonly ProposedRow[];
  /** Whether a person chooses what becomes of each. */
  readonly isAsked?: boolean;
  /** Whether the choice of each is preset, rather than that for all. */
  readonly isPreset?: boolean;
}

function ProposedRows({ type, rows, isAsked = false, isPreset = true }: ProposedRowsProps) {
  return (
    <Table label="Rows about records" head={['Row', 'On record', isAsked ? 'Import as' : '']}>
      {rows.map((proposed) =>
        namedRow(
          proposed.row,
          <>
            {proposed.name} <small class="muted nowrap">{placeText(proposed)}</small>
          </>,
          <ul class="changed">
            {proposed.options.map(({ choice, type: of, slug, name, isKept, detail, reason }) => (
              <li key={choice}>
                {isKept ? <RecordLink to={{ type: of, slug, name }} /> : name} {detail}{' '}
                <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>,
          isAsked ? <Choice {...{ type, proposed, isPreset }} /> : <Compare {...proposed} />,
        ),
      )}
    </Table>
  );
}

const Compare = ({ name, pair }: ProposedRow) =>
  pair === undefined ? null : (
    <SmallLink to={`/account/duplicates/${pair}`}>
      Compare<span class="sr"> {name}</span>
    </SmallLink>
  );

interface ChoiceProps extends Required<Pick<ProposedRowsProps, 'type' | 'isPreset'>> {
  readonly proposed: ProposedRow;
}

function Choice({ type, proposed, isPreset }: ChoiceProps) {
  const { row, name, options, choice: preset } = proposed;
  const isOne = options.filter(({ choice }) => isJoined(choice)).length === 1;
  const isOfCompany = options.some(({ choice }) => !isJoined(choice));
  const added = isNamedType(type)
    ? 'A new record'
    : isOfCompany
      ? 'A round of the company as written'
      : 'Another round';
  const all = [
    ...(isPreset ? [] : [{ choice: '', text: 'As for all' }]),
    ...options.map(({ choice, name: known, detail }) => {
      const shown = isNamedType(type) || detail === '' ? known : `${known}, ${detail}`;
      return { choice, text: isJoined(choice) ? (isOne ? 'The record' : shown) : `A new round of ${known}` };
    }),
    { choice: ADDED, text: added },
    { choice: LEFT_OUT, text: 'Leave out' },
  ];
  return (
    <select form={PREVIEW_FORM} name={`${CHOICE}${row}`} aria-label={`Import ${name} as`}>
      {all.map(({ choice, text }) => (
        <option key={choice} value={choice} selected={choice === (isPreset ? preset : '')}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** The choices of the preview: by the number of the row, and for all other rows. */
export const choicesIn = ({ form }: SignedInRequest): Pick<ImportJob, 'chosen' | 'unsure'> => ({
  chosen: Object.fromEntries(
    Object.entries(form.values).flatMap(([name, value]) =>
      name.startsWith(CHOICE) && value !== '' ? [[name.slice(CHOICE.length), value]] : [],
    ),
  ),
  unsure: UNSURE_CHOICES.find((choice) => choice === form.values[UNSURE]),
});
const CHOICE = 'row.';
const UNSURE = 'unsure';
/** The id of the form that sends the rows of a preview again. */
export const PREVIEW_FORM = 'preview';
