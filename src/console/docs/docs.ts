/** What every document knows. */
export interface DocProps {
  /** Public address, without a slash at its end. */
  readonly url: string;
  readonly version: string;
}
