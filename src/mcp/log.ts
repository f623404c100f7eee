/** Where failures go that the model is told of without internals. Never stdout: that belongs to the protocol. */
export interface ErrorLog {
  error(thrown: unknown): void;
}
