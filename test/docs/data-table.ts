import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entities } from '../../src/contract/entities/index.ts';
import { isOfEditors } from '../../src/contract/unsourced.ts';
import { GRANT } from '../../src/contract/vocabulary.ts';
import { table } from './markdown.ts';

const DATA = join(import.meta.dirname, '..', '..', 'data');

/** How many records of each type are shipped, grants apart from rounds, and the newest day that one of them is of. */
export function dataTable(): string {
  const shipped = entities.filter(({ type }) => existsSync(join(DATA, `${type}.ndjson`)));
  let [unannounced, unsourcedLeads] = [0, 0];
  const rows = shipped.flatMap(({ type }) => {
    const records = readFileSync(join(DATA, `${type}.ndjson`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { as_of: string | null; stage?: string; announcement?: string | null });
    const grants = records.filter(({ stage }) => stage === GRANT);
    const others = grants.length === 0 ? records : records.filter(({ stage }) => stage !== GRANT);
    if (type === 'rounds') {
      const announced = others.filter(({ announcement = null }) => announcement !== null);
      unannounced = others.length - announced.length;
      unsourcedLeads = announced.filter((round) => isOfEditors(round, 'lead_investors')).length;
    }
    return [[type, others] as const, ['grants', grants] as const]
      .filter(([, some]) => some.length > 0)
      .map(([kind, some]) => {
        const days = some.map(({ as_of: day }) => day ?? '');
        const newest = days.reduce((one, other) => (one > other ? one : other), '');
        return [kind, some.length.toLocaleString('en-US'), newest];
      });
  });
  return `${table(['Records', 'Shipped', 'Newest fact'], rows)}\n\nOnly our editors state ${unannounced} of the rounds, and the leads of ${unsourcedLeads} more.`;
}
