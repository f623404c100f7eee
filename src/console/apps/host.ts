import { createElement, type FunctionComponent, render } from 'preact';
import { Notice } from '../components.tsx';

/** The view's side of MCP Apps (SEP-1865, 2026-01-26): JSON-RPC with the host over postMessage. */

const PROTOCOL = '2026-01-26';
/** Maximum height in hosts; longer content scrolls. */
const HEIGHT_MAX = 500;

interface ToolResult {
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

export interface AppProps<Answer> {
  readonly answer: Answer;
  /** Calls a tool of the same server and renders its result; undefined if the host does not support calls. */
  readonly call?: ((name: string, args: object) => void) | undefined;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what a host sends is of its own making
  readonly params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly result?: any;
}

/** Minimal DOM types; the full library would leak into the service's code. */
interface Element {
  readonly dataset: Record<string, string>;
  readonly offsetHeight: number;
  closest(selector: string): { readonly href: string } | null;
}
interface Incoming {
  readonly source: unknown;
  readonly data: Message;
  readonly target: Element;
  preventDefault(): void;
}
declare const window: {
  readonly parent: { postMessage(message: object, origin: string): void };
  addEventListener(type: string, listener: (event: Incoming) => void): void;
};
declare const document: { readonly documentElement: Element; querySelector(selector: string): Element };
declare const ResizeObserver: new (listener: () => void) => { observe(element: Element): void };

/** Renders the current result and every later one, in the host's theme. */
export function startApp<Answer>(App: FunctionComponent<AppProps<Answer>>): void {
  const root = document.querySelector('main');
  const waiting = new Map<Message['id'], (result: ToolResult & Message['result']) => void>();
  let canCall = false;

  const send = (message: object): void => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: object, onResult?: (result: Message['result']) => void): void => {
    const id = waiting.size + 1;
    waiting.set(id, onResult ?? (() => {}));
    send({ id, method, params });
  };
  const call = (name: string, args: object): void => request('tools/call', { name, arguments: args }, draw);
  const draw = (result: ToolResult): void => {
    const isAnswer = !result.isError && result.structuredContent !== undefined;
    const answer = result.structuredContent as Answer;
    const node = isAnswer
      ? createElement(App, { answer, call: canCall ? call : undefined })
      : errorNotice(textOf(result));
    render(node, root as never);
  };
  const take = (context: { readonly theme?: string } = {}): void => {
    if (context.theme !== undefined) document.documentElement.dataset['theme'] = context.theme;
  };
  const notificationHandlers: Readonly<Record<string, (params: Message['params']) => void>> = {
    'ui/notifications/tool-result': draw,
    'ui/notifications/tool-cancelled': () => render(errorNotice('The call was cancelled.'), root as never),
    'ui/notifications/host-context-changed': take,
  };

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || typeof data !== 'object') return;
    const { id, method, params, result } = data;
    if (method === undefined) waiting.get(id)?.(result ?? { isError: true });
    else if (id === undefined) notificationHandlers[method]?.(params);
    // Ping and teardown; there is no state to save.
    else if (['ping', 'ui/resource-teardown'].includes(method)) send({ id, result: {} });
    else send({ id, error: { code: -32601, message: 'Method not found' } });
  });
  // A sandboxed frame cannot navigate, so the host opens links.
  window.addEventListener('click', (event) => {
    const link = event.target.closest('a[href]');
    if (link === null) return;
    event.preventDefault();
    request('ui/open-link', { url: link.href });
  });
  const appInfo = { name: 'web3-bi', version: '1' };
  const appCapabilities = { availableDisplayModes: ['inline'] };
  request('ui/initialize', { protocolVersion: PROTOCOL, appInfo, appCapabilities }, (result) => {
    canCall = result.hostCapabilities?.serverTools !== undefined;
    take(result.hostContext);
    send({ method: 'ui/notifications/initialized', params: {} });
    new ResizeObserver(() => {
      send({ method: 'ui/notifications/size-changed', params: { height: Math.min(root.offsetHeight, HEIGHT_MAX) } });
    }).observe(root);
  });
}

const errorNotice = (text: string) => Notice({ tone: 'bad', children: text });

const textOf = ({ content = [] }: ToolResult): string =>
  content.map(({ text }) => text ?? '').join('\n') || 'There is no answer.';
