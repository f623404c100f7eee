import type { VNode } from 'preact';
import type { RequestEntry } from '../../store/port/request-log.ts';
import { Badge, Empty, Link, row, Table, Time, type Tone } from '../components.tsx';

const TONES: readonly Tone[] = ['plain', 'plain', 'good', 'info', 'warn', 'bad'];

const keyOf = ({ key_id, key_name }: RequestEntry): VNode => (
  <Link to={`/account/keys/${key_id}`} class="long-item" title={key_name}>
    {key_name}
  </Link>
);

export function RequestTable({ requests, hasKey }: { requests: readonly RequestEntry[]; hasKey: boolean }): VNode {
  if (requests.length === 0)
    return (
      <Empty title="No request yet">
        <p>Requests with your keys show here within a few seconds.</p>
      </Empty>
    );
  const head = ['Time', 'Status', 'Request', ...(hasKey ? ['Key'] : []), 'ms', 'Address'];
  return (
    <Table label="Requests" head={head} numbers={['ms']}>
      {requests.map((request) =>
        row(
          request.id,
          <Time at={request.at} hasSeconds />,
          <td class="nowrap">
            <Badge tone={TONES[Math.floor(request.status / 100)] ?? 'plain'}>{request.status}</Badge>
            {request.code === null ? null : (
              <Link to={`/docs/errors/${request.code}`} class="error-code">
                {request.code}
              </Link>
            )}
          </td>,
          <>
            <code>
              {request.method} {request.route}
            </code>
            <small class="muted request-id">{request.request_id}</small>
          </>,
          ...(hasKey ? [keyOf(request)] : []),
          request.ms,
          <td class="nowrap">{request.address}</td>,
        ),
      )}
    </Table>
  );
}
