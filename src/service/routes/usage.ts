import type { UsageData } from '../../contract/usage.ts';
import type { Store } from '../../store/store.ts';
import { type Handler, withRequestMeta } from '../call.ts';
import { balanceOf, type QuotaWindow } from '../quota.ts';

/** GET /api/v1/usage */
export function answerUsage(store: Store): Handler {
  return async ({ key }) => {
    if (key === undefined) throw new Error('Usage requires a key');
    const { day, month } = balanceOf(key.limits, await store.usage.read(key));
    const { id, name, level, display, expires_at, plan } = key;
    const data: UsageData = {
      plan,
      key: { id, name, level, display, expires_at },
      day: toData(day),
      month: toData(month),
    };
    return withRequestMeta(JSON.stringify(data), 'Usage read');
  };
}

function toData({ limit, used, remaining, resetsAt }: QuotaWindow): UsageData['day'] {
  return { limit, used, remaining, resets_at: resetsAt.toISOString() };
}
