import type { VNode } from 'preact';
import { dayText, newestSource } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { isGrant } from '../../contract/rounds.ts';
import { isUnsourced } from '../../contract/unsourced.ts';
import { isBlank } from '../../contract/value-text.ts';
import { vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, RecordLink } from '../components.tsx';
import { businessIn } from '../data/round-statistics.ts';
import { fundingLine, Text, withoutLastRound } from '../data/values.tsx';
import { Unsourced } from './cited-sources.tsx';
import type { ProfileProps } from './profile.tsx';
import { Announcement } from './round-table.tsx';
import { RecordTile } from './tile.tsx';

interface ProfileHeadProps extends Pick<ProfileProps, 'record' | 'now'> {
  /** Display name of the record type. */
  readonly kind: string;
  readonly action?: VNode | null;
}

const STALE_MONTHS = 24;

export function ProfileHead({ record, kind, now, action }: ProfileHeadProps) {
  const { type, name, status } = record;
  const said = withoutLastRound(String(record['tagline'] ?? record['headline'] ?? ''));
  const line = type === 'rounds' ? <RoundLine record={record} /> : said;
  return (
    <div class="profile-head">
      <RecordTile record={record} />
      <div>
        <h1>
          {name} <Badge>{kind}</Badge>
          {type === 'events' && String(record['start_date'] ?? '') > now.toISOString() ? (
            <Badge tone="good">upcoming</Badge>
          ) : null}
          {record['is_verified'] === true ? <Badge tone="good">verified</Badge> : null}
          {isBlank(status) || status === 'active' ? null : <Badge tone="warn">{vocabularyLabel(String(status))}</Badge>}
        </h1>
        {isBlank(line) ? null : <p class="lead">{line}</p>}
        <p class="about">
          {LINKS.map((field) =>
            isBlank(record[field]) ? null : (
              <span key={field}>
                <Text text={String(record[field])} lengthMax={LINK_LENGTH} />
                {isUnsourced(record) ? null : <Unsourced record={record} field={field} />}
              </span>
            ),
          )}
          {type === 'rounds' && !isUnsourced(record) ? (
            <span class="muted">
              Source <Announcement round={record} />
            </span>
          ) : null}
          <Freshness record={record} now={now} />
        </p>
      </div>
      {action}
    </div>
  );
}

const LINKS = ['website', 'twitter', 'github'];
const LINK_LENGTH = 40;

function RoundLine({ record }: Pick<ProfileProps, 'record'>) {
  const company = record['company'] as RecordData | null;
  if (!company?.name) return null;
  return (
    <>
      {isGrant(record) ? 'Grant to' : 'Funding of'} <RecordLink to={company} />
      {[businessIn(company), fundingLine(company)].filter(Boolean).map((text) => ` · ${text}`)}
    </>
  );
}

/** Date of the newest source of any fact. Rounds and events have a date of their own, as have the roles and talks of people. */
function Freshness({ record, now }: Pick<ProfileProps, 'record' | 'now'>) {
  const { as_of: asOf, type } = record;
  if (isBlank(asOf)) return null;
  if (['rounds', 'events', 'people'].includes(type))
    return isUnsourced(record) ? <span class="muted">Unsourced</span> : null;
  const edge = new Date(now);
  edge.setUTCMonth(edge.getUTCMonth() - STALE_MONTHS);
  const isStale = String(asOf) < edge.toISOString().slice(0, String(asOf).length);
  return (
    <span class="muted">
      {isUnsourced(record) ? 'Unsourced, as of' : 'Newest source'} {dayText(newestSource(record))}{' '}
      {isStale ? <Badge tone="warn">older than two years</Badge> : null}
    </span>
  );
}
