/** Log of errors whose details a model must not see. Never stdout, which belongs to the protocol. */
export interface ErrorLog {
  error(thrown: unknown): void;
}
