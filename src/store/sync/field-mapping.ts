import { facets } from '../../contract/facets.ts';
import { FUNDING_STAGES, type FundingStage } from '../../contract/vocabulary.ts';

/** Words written in capitals. */
const CAPITALS = new Set('ai cdp cex dao dex l1 l2 nft rwa sdk tvl zk'.split(' '));
const SPELLED: ReadonlyMap<string, string> = new Map(
  Object.entries({ defi: 'DeFi', depin: 'DePIN', desci: 'DeSci', refi: 'ReFi' }),
);

/** Categories of a source as tags: `lending/borrowing` becomes Lending and Borrowing, `defi` becomes DeFi. */
export function tagsOf(...categories: readonly (string | null | undefined)[]): string[] {
  const tags = categories
    .flatMap((category) => category?.split('/') ?? [])
    .map((category) =>
      category
        .trim()
        .split(/[\s_-]+/)
        .map(spell)
        .join(' '),
    );
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

function spell(word: string): string {
  const lower = word.toLowerCase();
  if (CAPITALS.has(lower)) return word.toUpperCase();
  return SPELLED.get(lower) ?? word.charAt(0).toUpperCase() + word.slice(1);
}

/** A stage of the vocabulary, or the raw label. */
export function stageOf(label: string | null | undefined): { stage?: FundingStage; stage_raw?: string } {
  if (label == null || label.trim() === '') return {};
  const stage = FUNDING_STAGES.find((known) => known === facets.funding_stage.key(label));
  return stage === undefined ? { stage_raw: label } : { stage };
}

const HANDLE = /^@?(\w{1,15})$/;

/** URL of an X account, from a handle or URL; undefined if it is neither. */
export function twitterOf(account: string | null | undefined): string | undefined {
  const handle = HANDLE.exec(
    account?.replace(/^https?:\/\/(?:www\.)?(?:twitter|x)\.com\//i, '').split(/[/?]/)[0] ?? '',
  )?.[1];
  return handle === undefined ? undefined : `https://x.com/${handle.toLowerCase()}`;
}

/** URL of a GitHub account, from a name or any URL below it. */
export function githubOf(account: string | null | undefined): string | undefined {
  const name = account?.replace(/^https?:\/\/(?:www\.)?github\.com\//i, '').split(/[/?#]/)[0];
  return name === undefined || !/^[\w-]{1,39}$/.test(name) ? undefined : `https://github.com/${name}`;
}

/** US dollars as stored, from an amount in `unit`s; undefined if not positive. */
export function dollars(amount: number | null | undefined, unit = 1): string | undefined {
  const value = (amount ?? 0) * unit;
  return value > 0 && value < 1e10 ? value.toFixed(2) : undefined;
}
