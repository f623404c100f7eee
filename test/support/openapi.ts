import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** A received response. */
export interface Received {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An operation of the document, with the input of its test. */
export interface Described {
  readonly method: string;
  readonly path: string;
  readonly operation: any;
  readonly statuses: readonly number[];
}

/** Validates responses against an OpenAPI document. */
export interface Description {
  readonly operations: readonly Described[];
  resolve(node: any): any;
  /** Violations of the document; empty if there are none. */
  faultsOf(described: Described, received: Received): string[];
}

/** Headers that belong to the connection or to the body, which OpenAPI does not describe as headers. */
const TRANSPORT = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);
const DOCUMENT = 'openapi.json';
/** Statuses without a JSON body. */
const BODILESS = new Set([204, 304]);

export function readDescription(document: any): Description {
  // Each validator is used a few times, so compiling it costs more than running it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  const compiled = new Map<string, ValidateFunction>();
  const resolve = (node: any): any => (typeof node?.$ref === 'string' ? at(document, node.$ref.slice(1)) : node);

  function validatorAt(pointer: string): ValidateFunction {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#${pointer}` });
    compiled.set(pointer, known);
    return known;
  }

  function faultsIn(pointer: string, value: unknown, where: string): string[] {
    const validate = validatorAt(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).slice(0, 5).map((error) => `${where}${error.instancePath}: ${error.message}`);
  }

  function headerFaults(pointer: string, answer: any, received: Received): string[] {
    const described = Object.keys(answer.headers ?? {});
    const known = new Set(described.map((name) => name.toLowerCase()));
    const extra = Object.keys(received.headers).filter((name) => !known.has(name) && !TRANSPORT.has(name));
    const wrong = described.flatMap((name) => {
      const text = received.headers[name.toLowerCase()];
      const { $ref } = answer.headers[name];
      const place = $ref === undefined ? `${pointer}/headers/${escaped(name)}` : String($ref).slice(1);
      const header = at(document, place);
      if (text === undefined) return header.required === true ? [`header ${name} is missing`] : [];
      const value = header.schema.type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
      return faultsIn(`${place}/schema`, value, `header ${name}`);
    });
    return [...extra.map((name) => `header ${name} is not described`), ...wrong];
  }

  function bodyFaults(pointer: string, answer: any, { headers, text, status }: Received): string[] {
    if (BODILESS.has(status)) return text === '' ? [] : ['there is a body'];
    const [type = '', charset] = (headers['content-type'] ?? '').split('; ');
    if (charset !== 'charset=utf-8') return [`type ${headers['content-type']}`];
    if (answer.content?.[type] === undefined) return [`a body of the type ${type} is not described`];
    const body: unknown = type === 'application/json' ? JSON.parse(text) : text;
    return faultsIn(`${pointer}/content/${escaped(type)}/schema`, body, 'body');
  }

  return {
    operations: operationsOf(document),
    resolve,
    faultsOf: ({ method, path, operation }, received) => {
      const described = operation.responses[received.status];
      if (described === undefined) return [`status ${received.status} is not described: ${received.text}`];
      const own = `/paths/${escaped(path)}/${method.toLowerCase()}/responses/${received.status}`;
      const pointer = described.$ref === undefined ? own : described.$ref.slice(1);
      const answer = resolve(described);
      return [...headerFaults(pointer, answer, received), ...bodyFaults(pointer, answer, received)];
    },
  };
}

function operationsOf(document: any): Described[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
      statuses: Object.keys(operation.responses).map(Number),
    })),
  );
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function at(document: any, pointer: string): any {
  const steps = pointer.split('/').slice(1);
  return steps.reduce((node, step) => node[step.replaceAll('~1', '/').replaceAll('~0', '~')], document);
}
