import { bareAnswer, type Handler } from '../call.ts';
import type { HealthCheck } from '../health.ts';

/** GET /api/health. The status depends on the core only. */
export function answerHealth(check: HealthCheck): Handler {
  return async ({ query }) => {
    const result = await check(query['detailed'] === true);
    return bareAnswer(JSON.stringify(result), result.status === 'operational' ? 200 : 503);
  };
}
