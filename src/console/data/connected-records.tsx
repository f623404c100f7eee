import type { VNode } from 'preact';
import { CONNECTION_KINDS, type ConnectionsData, connectionsQuery } from '../../contract/connections.ts';
import { MISSING } from '../../contract/sample-notes.ts';
import type { Records, SearchPage } from '../../store/port/records.ts';
import { Paths } from '../paths.tsx';

/** How two records are connected, and the names that a sentence calls them. */
export interface Connected extends ConnectionsData {
  readonly names: readonly string[];
}

/** The paths that a sentence such as `how are A and B connected` asks for; undefined unless each name is of one record. */
export async function readConnected(records: Records, { understood }: SearchPage): Promise<Connected | undefined> {
  const { connect: names = [] } = understood ?? {};
  const [from, to] = await Promise.all(
    names.map(async (name) => {
      const [record, ...others] = await records.named(name);
      return others.length === 0 ? record : undefined;
    }),
  );
  if (from === undefined || to === undefined || (from.type === to.type && from.id === to.id)) return undefined;
  const { hops_max: hopsMax, limit } = connectionsQuery.parse({ from: from.slug, to: to.slug });
  return { ...(await records.connect({ from, to, hopsMax, limit, kinds: CONNECTION_KINDS })), names };
}

export function ConnectedRecords({ names, ...found }: Connected): VNode {
  return (
    <>
      <ul class="chips">
        <li class="muted">Read as</li>
        <li>paths between {names.join(' and ')}</li>
      </ul>
      <Paths {...found} />
      <p class="hint">
        Paths use only records on file, and each step shows one record even where several prove it; {MISSING.investors}.
      </p>
    </>
  );
}
