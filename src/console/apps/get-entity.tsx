import type { RecordData } from '../../contract/entities/index.ts';
import { countText, valueText } from '../../contract/value-text.ts';
import { isVocabularyField, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Card } from '../components.tsx';
import { statisticsOf } from '../data/round-statistics.ts';
import { moneyText, Text } from '../data/values.tsx';
import { FactsCard } from '../profile/facts.tsx';
import { FundingHistory } from '../profile/funding.tsx';
import { InvestmentsByYear } from '../profile/investments.tsx';
import { KeyFigures } from '../profile/key-figures.tsx';
import { ProfileHead } from '../profile/profile-head.tsx';
import { type AppProps, startApp } from './host.ts';

interface List {
  readonly totalResults: number;
  readonly results: readonly RecordData[];
}

interface Answer {
  readonly entities: readonly {
    readonly status: 'exact' | 'ambiguous' | 'none';
    readonly record: RecordData | null;
    readonly candidates: readonly RecordData[];
  }[];
  /** Present if the call was paid. */
  readonly receipts?: unknown;
}

startApp<Answer>(({ answer: { entities, receipts }, call }) => {
  // Lists are not sold, so paid sessions cannot request them.
  const ask = receipts === undefined && entities.length === 1 ? call : undefined;
  return (
    <>
      {entities.map(({ record, candidates }, index) =>
        record === null ? <Candidates key={index} found={candidates} /> : <Entity key={index} {...{ record, ask }} />,
      )}
    </>
  );
});

function Candidates({ found }: { found: readonly RecordData[] }) {
  return (
    <Card title={found.length === 0 ? 'No such record' : 'No one record of this name; these are near'}>
      <ul class="facts">
        {found.map(({ type, slug, name }) => (
          <li key={slug}>
            {name}{' '}
            <code>
              {type}/{slug}
            </code>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Entity({ record, ask }: { readonly record: RecordData; readonly ask: AppProps<Answer>['call'] }) {
  const { type, slug, related } = record;
  const lists = Object.entries((related ?? {}) as Record<string, List | null>);
  const totals = new Map(lists.map(([name, list]) => [name, list?.totalResults ?? 0]));
  const hasHistory = type === 'companies' || type === 'investors';
  const list = Object.fromEntries(lists)['rounds'];
  const rounds = roundsOf(record, list);
  const isWhole = list != null && list.totalResults === rounds.length;
  return (
    <>
      <ProfileHead record={record} kind={`${type}/${slug}`} now={new Date()} />
      <KeyFigures record={record} totals={totals} statistics={isWhole ? statisticsOf(rounds, record) : undefined} />
      {hasHistory && rounds.length > 0 ? <History {...{ record, rounds }} total={list?.totalResults ?? 0} /> : null}
      {ask !== undefined && hasHistory && !totals.has('rounds') ? (
        <p>
          <button
            type="button"
            class="button"
            onClick={() => ask('get_entity', { type, id: slug, include: ['rounds'] })}
          >
            Show the rounds
          </button>
        </p>
      ) : null}
      <FactsCard record={record} isElsewhere={(field) => OF_ANSWER.includes(field)}>
        {(field, value) => <Text text={textOf(field, value)} />}
      </FactsCard>
    </>
  );
}

/** The listed rounds; short lists contain companies and investors by name only. */
function roundsOf(record: RecordData, list: List | null | undefined): readonly RecordData[] {
  const named = (name: unknown): unknown =>
    name === record.name ? record : typeof name === 'string' ? { name } : name;
  return (list?.results ?? []).map((round) => ({
    ...round,
    company: named(round['company']),
    lead_investors: ((round['lead_investors'] ?? []) as unknown[]).map(named),
  }));
}

function History({ record, rounds, total }: { record: RecordData; rounds: readonly RecordData[]; total: number }) {
  const statistics = statisticsOf(rounds, record);
  const isPart = rounds.length < total;
  if (record.type === 'companies')
    return <FundingHistory {...{ rounds, total }} statistics={isPart ? undefined : statistics} all="" />;
  return (
    <>
      {isPart ? (
        <p class="muted">
          The newest {countText(rounds.length)} of {countText(total)} rounds.
        </p>
      ) : null}
      <InvestmentsByYear statistics={statistics} />
    </>
  );
}

/** Fields about the response rather than the record. */
const OF_ANSWER = ['related', 'truncated', 'approximate'];

const textOf = (field: string, value: unknown): string =>
  valueText(value, {
    write: (item) =>
      field.endsWith('_usd')
        ? moneyText(item)
        : isVocabularyField(field)
          ? vocabularyLabel(String(item))
          : String(item),
    titled: (title, name) => `${title}, ${name}`,
  });
