import type { Assets } from './assets.ts';

export interface SiteContext {
  /** Path of the public URL, the prefix of every page. */
  readonly base: string;
  readonly assets: Assets;
  /** Whether searches are sold; only then do pages mention payment. */
  readonly isSelling: boolean;
}

export const siteContextOf = ({ base, assets, isSelling }: SiteContext): SiteContext => ({ base, assets, isSelling });
