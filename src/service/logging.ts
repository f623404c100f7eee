import { type DestinationStream, pino } from 'pino';

/** One JSON object a line. Fields are chosen one by one: headers and bodies never come here, so no secret does. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  /** What passes by itself, or a caller can bring about. */
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

export type LogLevel = 'silent' | 'error' | 'info';

export function createLog(destination: DestinationStream, level: LogLevel): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
