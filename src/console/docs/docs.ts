import type { NetworkId } from '../../contract/networks.ts';

export interface DocProps {
  /** Public URL of the service without a trailing slash. */
  readonly url: string;
  readonly version: string;
  /** Network on which searches are sold here. */
  readonly network?: NetworkId | undefined;
  /** Whether everybody sees the answers to questions as pages. */
  readonly hasPublicPages: boolean;
}
