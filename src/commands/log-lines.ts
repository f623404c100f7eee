import { type Style, styled } from './output.ts';

/** Log destination: JSON lines, or readable lines in a terminal. */
export const logDestination = (): { write(line: string): void } =>
  process.stderr.isTTY
    ? { write: (line) => void process.stderr.write(`${readable(JSON.parse(line))}\n`) }
    : process.stderr;

interface Logged {
  readonly level: number;
  readonly time: string;
  readonly msg: string;
  readonly method?: string;
  readonly route?: string;
  readonly path?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly account?: string;
  readonly code?: string;
  readonly mcp?: { readonly method: string; readonly tool?: string };
  readonly err?: { readonly message: string; readonly stack?: string };
}

const ERROR = 50;
const WARNING = 40;
const METHOD_WIDTH = 6;

/** `12:04:31 200 GET    /api/v1/search 12 ms acme`. Other entries show the message and any stack. */
function readable({ level, time, msg, status, ...more }: Logged): string {
  const at = paint('dim', time.slice(11, 19));
  if (status === undefined) {
    const style = level >= ERROR ? 'red' : level >= WARNING ? 'yellow' : 'cyan';
    return [at, paint(style, msg), more.err?.stack ?? more.err?.message].filter(Boolean).join(' ');
  }
  const { method = '', route, path, ms, account, code, mcp } = more;
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const call = mcp && [mcp.method, mcp.tool].filter(Boolean).join(' ');
  const parts = [route ?? path, call, paint('dim', `${ms} ms`), account, code && paint(colour, code)];
  return [at, paint(colour, String(status)), method.padEnd(METHOD_WIDTH), ...parts].filter(Boolean).join(' ');
}

const paint = (style: Style, text: string): string => styled(style, text, process.stderr);
