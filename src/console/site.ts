import type { Assets } from './assets.ts';

/** What every page knows of the service that it belongs to. */
export interface SiteContext {
  /** Path of the public address, before every address of a page. */
  readonly base: string;
  readonly assets: Assets;
  /** Whether searches can be paid for here; pages offer payment nowhere else. */
  readonly isSelling: boolean;
}
