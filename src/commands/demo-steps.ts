import type { AggregateData } from '../contract/aggregate.ts';
import { countValues } from '../contract/aggregate-rows.ts';
import type { ConnectionsData } from '../contract/connections.ts';
import type { UnderstoodSentence } from '../contract/record-responses.ts';
import { WHOLE_ROUNDS } from '../contract/sample-notes.ts';
import type { UsageData } from '../contract/usage.ts';
import { shortMoney } from '../contract/usd.ts';
import { countText } from '../contract/value-text.ts';
import { NO_GRANTS, vocabularyLabel } from '../contract/vocabulary.ts';
import { excludedLines } from './aggregate.ts';
import { readAs } from './sentence-lines.ts';

type Row = readonly string[];

interface ShownResult {
  /** The first row has the column names. */
  readonly table?: readonly Row[];
  readonly meaning: readonly string[];
}

export interface DemoStep {
  readonly title: string;
  readonly tool: string;
  readonly args: object;
  readonly show: (answer: unknown) => ShownResult;
}

/** Types the result by the step; a tool's result conforms to its schema. */
const step = <Answer>(given: Omit<DemoStep, 'show'> & { show(answer: Answer): ShownResult }): DemoStep =>
  given as DemoStep;

interface IndexResult {
  readonly results: readonly {
    readonly name: string;
    readonly tagline?: string;
    readonly total_funding_usd?: string;
    readonly approximate?: boolean;
  }[];
  readonly totalResults: number;
  readonly understood?: UnderstoodSentence;
  readonly unknown: Readonly<Record<string, number>>;
}

const raised = (usd: string | number | null | undefined): string => (usd == null ? '-' : shortMoney(Number(usd)));

const foundTable = ({ results }: IndexResult): Row[] => [
  ['NAME', 'RAISED', 'WHAT IT IS'],
  ...results.map(({ name, total_funding_usd, tagline = '' }) => [name, raised(total_funding_usd), firstPart(tagline)]),
];

const firstPart = (text: string): string => text.split(/;| on | active /)[0] ?? '';

const TYPO = 'coinbse';
const SENTENCE = 'defi companies on Arbitrum that raised a series A';

interface Named {
  readonly totalResults: number;
  readonly named?: number;
  readonly results: readonly { readonly name: string }[];
}

interface Related {
  readonly people: Named;
  readonly investors: Named;
  readonly rounds: { readonly totalResults: number; readonly results: readonly Round[] };
}

function inFew(noun: string, { named, totalResults, results }: Named): string {
  const counted = named === undefined ? `${totalResults} ${noun}` : `${named} ${noun}, ${totalResults} with a record`;
  const shown = totalResults > results.length ? `; the first ${results.length}` : '';
  return `${counted}${shown}: ${results.map(({ name }) => name).join(', ')}.`;
}

interface Round {
  readonly announced_date?: string;
  readonly stage?: string;
  readonly amount_usd?: string;
  readonly lead_investors?: readonly string[];
}

export const RECORD_STEPS: readonly DemoStep[] = [
  step<IndexResult>({
    title: 'A name with a typo',
    tool: 'search',
    args: { query: TYPO, type: 'companies', limit: 1 },
    show: (answer) => ({
      table: foundTable(answer),
      meaning: [
        answer.results[0]?.approximate === true
          ? `No record is named "${TYPO}"; the closest match is ${answer.results[0].name}, and it is marked approximate.`
          : '',
      ],
    }),
  }),
  step<IndexResult>({
    title: 'A whole sentence',
    tool: 'search',
    args: { query: SENTENCE, limit: 4 },
    show: (answer) => ({
      table: foundTable(answer),
      meaning: [
        ...(answer.understood ? readAs(answer.understood) : []),
        `${countText(answer.totalResults)} match.`,
        ...excludedLines(answer.unknown),
      ],
    }),
  }),
  step<{ readonly entities: readonly [{ readonly record: { readonly name: string; readonly related: Related } }] }>({
    title: 'One record with its relations',
    tool: 'get_entity',
    args: { type: 'companies', id: 'opensea', include: ['rounds', 'investors', 'people'] },
    show: ({ entities: [{ record }] }) => {
      const { rounds, investors, people } = record.related;
      const rows = rounds.results.map(({ announced_date, stage, amount_usd, lead_investors = [] }) => [
        announced_date ?? '-',
        stage === undefined ? '-' : vocabularyLabel(stage),
        raised(amount_usd),
        lead_investors.join(', ') || '-',
      ]);
      return {
        table: [['ANNOUNCED', 'STAGE', 'RAISED', 'LED BY'], ...rows],
        meaning: [inFew('investors', investors), inFew('people', people)],
      };
    },
  }),
  step<AggregateData>({
    title: 'Totals over all funding rounds, without grants',
    tool: 'aggregate',
    args: { of: 'rounds', group_by: ['lead_investor'], measure: ['count', 'sum'], top: 5, funding_stage: NO_GRANTS },
    show: (answer) => ({
      table: [
        ['LED BY', 'ROUNDS', "ROUNDS' AMOUNT"],
        ...answer.rows.map(([lead, count, sum]) => [
          typeof lead === 'object' && lead !== null ? lead.name : String(lead ?? '-'),
          countText(Number(count)),
          raised(sum as string | null),
        ]),
      ],
      meaning: [
        `The first 5 of ${countText(countValues(answer))} lead investors. Of ${countText(answer.covered.records)} funding rounds, ${countText(answer.covered.known)} have a known amount; the others are not counted as 0.`,
        WHOLE_ROUNDS,
        'The rounds on record are a sample: announced ones only.',
      ],
    }),
  }),
  step<ConnectionsData>({
    title: 'How two records are connected',
    tool: 'connect',
    args: { from: 'people/vitalik-buterin', to: 'investors/pantera-capital', limit: 2 },
    show: ({ paths }) => ({
      table: [
        ['FROM', 'BY', 'TO'],
        ...paths.flatMap(({ nodes, edges }) =>
          edges.map(({ record }, index) => [nodes[index]?.name ?? '', record.name, nodes[index + 1]?.name ?? '']),
        ),
      ],
      meaning: [`${paths.length} paths, the shortest first; each step names the record that proves it.`],
    }),
  }),
];

export const KEY_STEPS: readonly DemoStep[] = [
  step<IndexResult>({
    title: 'The same search, with an API key',
    tool: 'search',
    args: { query: TYPO, type: 'companies', limit: 1 },
    show: (answer) => ({
      table: foundTable(answer),
      meaning: ['A service responds the same way, and counts the request.'],
    }),
  }),
  step<UsageData>({
    title: 'Remaining quota',
    tool: 'usage',
    args: {},
    show: ({ plan, day }) => ({
      meaning: [`Plan ${plan}: ${day.used} used today, ${day.limit === null ? 'no limit' : `${day.remaining} left`}.`],
    }),
  }),
  step<{ readonly status: string; readonly responseTime: number }>({
    title: 'Whether the service works',
    tool: 'health',
    args: { detailed: true },
    show: ({ status, responseTime }) => ({ meaning: [`${status}, checked in ${responseTime} ms.`] }),
  }),
];

export interface Paid extends IndexResult {
  readonly receipt: { readonly cached: boolean; readonly amountUsd: string; readonly transaction: string };
}

const PURCHASE = { query: 'uniswap', type: 'companies', limit: 1 };

export const WALLET_STEPS: readonly DemoStep[] = [
  step<Paid>({
    title: 'A search that the agent pays for',
    tool: 'search',
    args: PURCHASE,
    show: (answer) => ({
      table: foundTable(answer),
      meaning: [`Paid ${answer.receipt.amountUsd} USD after the search had succeeded.`],
    }),
  }),
  step<Paid>({
    title: 'The same search again',
    tool: 'search',
    args: PURCHASE,
    show: ({ receipt }) => ({
      meaning: [receipt.cached ? 'Free: it was paid for before.' : `Paid ${receipt.amountUsd} USD.`],
    }),
  }),
  step<{ balanceUsd: string; networkName: string; budgets: { day: { leftUsd: string; limitUsd: string } } }>({
    title: 'Remaining balance of the wallet',
    tool: 'wallet',
    args: {},
    show: ({ balanceUsd, networkName, budgets: { day } }) => ({
      meaning: [
        `${balanceUsd} USD on ${networkName}, of which ${day.leftUsd} of ${day.limitUsd} USD may be spent today.`,
        'Only a person can raise a budget.',
      ],
    }),
  }),
];
