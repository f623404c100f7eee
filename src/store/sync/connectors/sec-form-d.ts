import * as z from 'zod';
import { DAY_MS, utcDay } from '../../../contract/periods.ts';
import {
  type ClaimDraft,
  type ConnectorPage,
  type ConnectorRequest,
  defineConnector,
  dollars,
  SyncError,
} from '../connector.ts';

const PAGE_HITS = 100;
/** Limit of the search. */
const HITS_MAX = 10_000;
const SEARCH = 'https://efts.sec.gov/LATEST/search-index';
/** Days before a run whose offerings are requested, without --since. */
const DAYS = 90;

/** An issuer that is a fund raises money to invest. */
const POOLED = 'Pooled Investment Fund';
const VENTURE = 'Venture Capital Fund';

const found = z.object({
  hits: z.object({
    hits: z.array(
      z.object({ _source: z.object({ ciks: z.array(z.string()).min(1), adsh: z.string(), file_date: z.iso.date() }) }),
    ),
  }),
});

const text = (xml: string, tag: string): string | undefined =>
  new RegExp(`<${tag}>(?:\\s*<value>)?\\s*([^<]*?)\\s*<`).exec(xml)?.[1]?.replaceAll('&amp;', '&') || undefined;

/** The fields of a filing; absent in filings other than Form D. */
const filingOf = (xml: string) => ({
  issuer: text(xml, 'entityName'),
  sold: text(xml, 'totalAmountSold'),
  offered: text(xml, 'totalOfferingAmount'),
  date: text(xml, 'dateOfFirstSale'),
  industry: text(xml, 'industryGroupType'),
  fund: text(xml, 'investmentFundType'),
});

/** Exempt offerings of securities in the United States (Form D) that mention blockchain. */
export const secFormD = defineConnector({
  source: 'sec-form-d',
  origin: 'https://www.sec.gov/',
  title: 'SEC Form D',
  licence: 'public domain',
  terms: 'https://www.sec.gov/about/developer-resources',
  trust: 'government',
  isRestricted: false,
  hosts: ['efts.sec.gov', 'www.sec.gov'],
  rate: { perSecond: 8 },
  needsContact: true,
  listsNewOnly: true,
  entry: z.object({
    adsh: z.string(),
    filed: z.iso.date(),
    issuer: z.string(),
    sold: z.string().optional(),
    offered: z.string().optional(),
    date: z.iso.date().optional().catch(undefined),
    industry: z.string().optional(),
    fund: z.string().optional(),
  }),
  async *pages({ cursor, since, today, get }: ConnectorRequest): AsyncGenerator<ConnectorPage> {
    const from = since ?? utcDay(new Date(Date.parse(today) - DAYS * DAY_MS));
    // A resumed run keeps its period.
    const [startdt = from, enddt = today, start = '0'] = cursor?.split(' ') ?? [];
    for (let at = Number(start); at < HITS_MAX; at += PAGE_HITS) {
      const query = { q: '"blockchain"', forms: 'D', startdt, enddt, from: String(at) };
      const response = await get(`${SEARCH}?${new URLSearchParams(query)}`, 'always');
      const parsed = found.safeParse(response?.json());
      if (!parsed.success)
        throw new SyncError(`has changed the format of its search (${parsed.error.issues[0]?.message})`);
      const { hits } = parsed.data.hits;
      const entries = [];
      for (const { _source } of hits) {
        const { ciks, adsh, file_date } = _source;
        const folder = `https://www.sec.gov/Archives/edgar/data/${Number(ciks[0])}/${adsh.replaceAll('-', '')}`;
        const url = `${folder}/primary_doc.xml`;
        const filing = await get(url);
        if (filing === null) continue;
        const value = { adsh, filed: file_date, ...filingOf(filing.body.toString('utf8')) };
        entries.push({ value, url, day: file_date });
      }
      yield { entries, cursor: `${startdt} ${enddt} ${at + PAGE_HITS}` };
      if (hits.length < PAGE_HITS) return;
    }
  },
  claims: ({ adsh, filed, issuer, sold, offered, date, industry, fund }): ClaimDraft[] => {
    if (industry === POOLED || fund !== undefined) {
      const investor_type = fund === VENTURE ? 'venture_capital' : undefined;
      const fund_size_usd = dollars(Number(offered)) ?? dollars(Number(sold));
      return [{ type: 'investors', key: adsh, fields: { name: issuer, investor_type, fund_size_usd } }];
    }
    const announced_date = date ?? filed;
    const amount = dollars(Number(sold)) ?? dollars(Number(offered));
    if (amount === undefined) return [];
    const name = `${issuer} Form D offering (${announced_date.slice(0, 4)})`;
    return [
      { type: 'rounds', key: adsh, fields: { name, company: { name: issuer }, announced_date, amount_usd: amount } },
    ];
  },
});
