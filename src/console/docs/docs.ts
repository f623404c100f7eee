/** Props of every documentation page. */
export interface DocProps {
  /** Public URL without a trailing slash. */
  readonly url: string;
  readonly version: string;
}
