import type { UsageData } from '../../contract/usage.ts';
import type { Store } from '../../store/store.ts';
import { enveloped, type Handler } from '../call.ts';
import { balanceOf, type Window } from '../quota.ts';

/** GET /api/v1/usage */
export function usage(store: Store): Handler {
  return async ({ key }) => {
    if (key === undefined) throw new Error('usage is asked for with a key');
    const { day, month } = balanceOf(key.limits, await store.usage.read(key));
    const { id, name, level, display, expires_at, plan } = key;
    const data: UsageData = {
      plan,
      key: { id, name, level, display, expires_at },
      day: toData(day),
      month: toData(month),
    };
    return enveloped(JSON.stringify(data), 'Usage read');
  };
}

function toData({ limit, used, remaining, resetsAt }: Window): UsageData['day'] {
  return { limit, used, remaining, resets_at: resetsAt.toISOString() };
}
