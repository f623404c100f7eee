import type { VNode } from 'preact';
import { entityOf } from '../../contract/entities/index.ts';
import { Badge, Card, Copyable, Table } from '../components.tsx';
import { isInList, type Related, RelatedCard } from '../data/related.tsx';
import { isBlank, labelOf, type RecordData, Text, Value } from '../data/values.tsx';
import { Backers, FundingHistory, InvestmentsByYear } from './funding.tsx';
import { Tile } from './tile.tsx';

interface ProfileProps {
  readonly record: RecordData;
  /** The beginning of each related list; nothing of a deleted record. */
  readonly related: readonly Related[];
  readonly now: Date;
}

const STALE_MONTHS = 24;

/** Shown elsewhere on the page, or of no use to a person. */
const ELSEWHERE = [
  'type',
  'id',
  'name',
  'slug',
  'tagline',
  'headline',
  'overview',
  'sources',
  'logo',
  'as_of',
  'created_at',
  'updated_at',
];

/** What the record is, in its first line: its mark, its name, what it does. */
export function ProfileHead({ record, now, action }: Omit<ProfileProps, 'related'> & { action?: VNode | null }): VNode {
  const { type, name } = record;
  const line = record['tagline'] ?? record['headline'];
  return (
    <div class="profile-head">
      <Tile name={name} isRound={type === 'people'} />
      <div>
        <h1>
          {name} <Badge>{entityOf(type).noun}</Badge>
        </h1>
        {isBlank(line) ? null : <p class="lead">{String(line)}</p>}
        <Freshness asOf={record['as_of']} now={now} />
      </div>
      {action}
    </div>
  );
}

function Freshness({ asOf, now }: { asOf: unknown; now: Date }): VNode | null {
  if (isBlank(asOf)) return null;
  const edge = new Date(now);
  edge.setUTCMonth(edge.getUTCMonth() - STALE_MONTHS);
  const isStale = String(asOf) < edge.toISOString().slice(0, String(asOf).length);
  return (
    <p class="muted">
      As of {String(asOf)} {isStale ? <Badge tone="warn">older than two years</Badge> : null}
    </p>
  );
}

/** Everything that is known of a record, for any page that shows one. */
export function Profile({ record, related }: ProfileProps): VNode {
  const { type } = record;
  const rounds = related.find(({ list }) => list.name === 'rounds');
  const isDrawn = ({ list }: Related): boolean =>
    list.name === 'rounds' || (type === 'companies' && list.name === 'investors' && (rounds?.records.length ?? 0) > 0);
  return (
    <>
      {isBlank(record['overview']) ? null : (
        <Card title="Overview">
          <p class="prose">{String(record['overview'])}</p>
        </Card>
      )}
      {rounds === undefined ? null : <Rounds record={record} rounds={rounds} />}
      <Facts record={record} hasLists={related.length > 0} />
      {related
        .filter((one) => !isDrawn(one))
        .map((one) => (
          <RelatedCard key={one.list.name} record={record} related={one} />
        ))}
      <Sources record={record} />
    </>
  );
}

function Rounds({ record, rounds }: { record: RecordData; rounds: Related }): VNode {
  const { records, total } = rounds;
  if (record.type !== 'companies') return <InvestmentsByYear rounds={records} investor={record.slug} />;
  return (
    <>
      <FundingHistory rounds={records} total={total} />
      <Backers rounds={records} />
    </>
  );
}

function Facts({ record, hasLists }: { record: RecordData; hasLists: boolean }): VNode | null {
  const { type } = record;
  const isElsewhere = (field: string): boolean => ELSEWHERE.includes(field) || (hasLists && isInList(type, field));
  const facts = Object.entries(record).filter(([field, value]) => !isElsewhere(field) && !isBlank(value));
  if (facts.length === 0) return null;
  return (
    <Card title="Facts">
      <dl class="facts">
        {facts.map(([field, value]) => (
          <>
            <dt key={field}>{labelOf(field)}</dt>
            <dd>
              <Value of={type} field={field} value={value} />
            </dd>
          </>
        ))}
      </dl>
    </Card>
  );
}

interface Source {
  readonly source: string;
  readonly as_of: string | null;
  readonly fields: readonly string[];
}

function Sources({ record }: { record: RecordData }): VNode | null {
  const sources = (record['sources'] ?? []) as readonly Source[];
  if (sources.length === 0) return null;
  return (
    <Card title="Sources">
      <Table label="Sources" head={['Source', 'As of', 'States']}>
        {sources.map(({ source, as_of, fields }, index) => (
          <tr key={index}>
            <td class="source">
              <SourceText source={source} />
            </td>
            <td class="nowrap">{as_of}</td>
            <td>{fields.map(labelOf).join(', ')}</td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

const FILE_AT_COMMIT = /^github\.com\/([\w.-]+\/[\w.-]+)@([\da-f]{7,40}):(\S+)$/;

/** A source as a link: an address as it stands, a file of a public repository at its commit. */
function SourceText({ source }: { source: string }): VNode {
  const [, repository, commit, path] = FILE_AT_COMMIT.exec(source) ?? [];
  if (repository === undefined) return <Text text={source} />;
  return (
    <a
      href={`https://github.com/${repository}/blob/${commit}/${path}`}
      rel="noreferrer noopener nofollow"
      target="_blank"
    >
      {repository}: {path}
    </a>
  );
}

/** The record to take along: the call that answers it, and how to cite it. */
export function TakeAlong({ record, url }: { record: RecordData; url: string }): VNode {
  const { type, slug, name } = record;
  const asOf = isBlank(record['as_of']) ? '' : `, as of ${record['as_of']}`;
  return (
    <Card title="Take it along">
      <p class="muted">As JSON, with a key:</p>
      <Copyable
        id="take-curl"
        label="curl command"
        text={`curl -H "Authorization: Bearer $WEB3_BI_API_KEY" ${url}/api/v1/${type}/${slug}`}
      />
      <p class="muted">For an agent: the tool call, and a citation.</p>
      <Copyable id="take-tool" label="tool call" text={`get_entity ${JSON.stringify({ type, id: slug })}`} />
      <Copyable id="take-citation" label="citation" text={`${name}, web3-bi${asOf}. ${url}/${type}/${slug}`} />
    </Card>
  );
}
