import { type DestinationStream, pino } from 'pino';

/** JSON logs, one object per line. Fields are selected explicitly; headers and bodies are never logged, so no secret is. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** Transient conditions, and those that a caller can cause. */
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export type LogLevel = 'silent' | 'error' | 'info';

export const createLog = (destination: DestinationStream, level: LogLevel): Log =>
  pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
