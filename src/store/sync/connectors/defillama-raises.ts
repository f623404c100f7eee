import { createHash } from 'node:crypto';
import * as z from 'zod';
import { utcDay } from '../../../contract/periods.ts';
import { type ClaimDraft, defineConnector, dollars, singlePage, stageOf } from '../connector.ts';
import { DEFILLAMA } from './defillama-protocols.ts';

const MILLION = 1_000_000;
const SECOND_MS = 1_000;

const names = z.array(z.string()).nullish();

/** Funding rounds. The source may require a subscription, which the run then reports. */
export const defillamaRaises = defineConnector({
  ...DEFILLAMA,
  source: 'defillama-raises',
  title: 'DefiLlama raises',
  entry: z.object({
    date: z.number(),
    name: z.string(),
    round: z.string().nullish(),
    amount: z.number().nullable(),
    valuation: z.union([z.number(), z.string()]).nullish(),
    source: z.string().nullish(),
    leadInvestors: names,
    otherInvestors: names,
  }),
  pages: singlePage('https://api.llama.fi/raises', 'raises'),
  claims: ({ date, name, round, amount, valuation, source, leadInvestors, otherInvestors }): ClaimDraft[] => {
    const announced_date = utcDay(new Date(date * SECOND_MS));
    const leading = (leadInvestors ?? []).map((investor) => ({ name: investor }));
    const others = (otherInvestors ?? []).map((investor) => ({ name: investor }));
    // The list has no ids.
    const key = createHash('sha256')
      .update(`${name}\n${announced_date}\n${round ?? ''}`)
      .digest('hex')
      .slice(0, 16);
    const fields = {
      name: `${name} ${round ?? 'funding round'} (${announced_date.slice(0, 4)})`,
      company: { name },
      announced_date,
      ...stageOf(round),
      amount_usd: dollars(amount, MILLION),
      valuation_usd: dollars(Number(valuation), MILLION),
      lead_investors: leading,
      investors: [...leading, ...others],
      announcement: source,
    };
    return [{ type: 'rounds', key, fields, as_of: announced_date, url: `https://defillama.com/raises?round=${key}` }];
  },
});
