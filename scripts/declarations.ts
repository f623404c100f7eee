import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { entities } from '../src/contract/entities/index.ts';

/**
 * The types of the library in one file that imports nothing: the declarations that TypeScript emits and the library reaches,
 * in which types that are inferred from schemas are written out, with the descriptions of their fields.
 */

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A top-level declaration of a module. */
interface Declaration {
  readonly file: string;
  readonly text: string;
}

const START = /^(?=\/\*\*|export |declare |interface |type |import |const |function |class )/m;
const NAME = /^(?:export )?(?:declare )?(?:interface|type|const|function|class) (\w+)/m;
const TYPE_NAME = /\b[A-Z]\w*/g;
const COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** Writes the declarations of an entry of `src`, such as `library`, to a file. */
export async function writeDeclarations(entry: string, target: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'web3-bi-types-'));
  try {
    const emit = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--noEmit', 'false', '--outDir', folder];
    const config = join(folder, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: resolve('tsconfig.json'),
        compilerOptions: { rootDir: resolve('src'), typeRoots: [resolve('node_modules', '@types')] },
        include: [],
        files: [resolve('src', `${entry}.ts`)],
      }),
    );
    execFileSync(process.execPath, [join('node_modules', 'typescript', 'bin', 'tsc'), '-p', config, ...emit]);
    writeFileSync(target, await bundle(folder, `${entry}.d.ts`));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function bundle(folder: string, entry: string): Promise<string> {
  const modules = new Map<string, ReturnType<typeof readModule>>();
  const moduleOf = (file: string) => {
    const known = modules.get(file) ?? readModule(folder, file);
    modules.set(file, known);
    return known;
  };
  const reached = new Map<string, Declaration>();
  const schemas = createSchemaTypes();
  const reach = async (file: string, name: string): Promise<void> => {
    const { declarations, imports } = moduleOf(file);
    const from = imports.get(name);
    if (from !== undefined) return reach(from, name);
    const text = declarations.get(name);
    if (text === undefined) return;
    const known = reached.get(name);
    if (known?.file === file) return;
    if (known !== undefined) throw new Error(`${name} is declared in ${known.file} and in ${file}`);
    const load = async (value: string): Promise<unknown> => {
      const home = imports.get(value) ?? file;
      const loaded = await import(resolve('src', home.replace(/\.d\.ts$/, '.ts')));
      if (!(value in loaded)) throw new Error(`${value} of ${home} is not exported`);
      return loaded[value];
    };
    const written = await writeOut(text, load, schemas);
    reached.set(name, { file, text: written });
    for (const used of new Set(written.replace(COMMENT, '').match(TYPE_NAME))) await reach(file, used);
  };
  const { declarations, imports, exported } = moduleOf(entry);
  for (const name of [...declarations.keys(), ...exported]) await reach(imports.get(name) ?? entry, name);
  const own = [...reached.values()].map(({ text }) => {
    const bare = text.replace(/^(export )?(declare )?(?=interface|type|const|function|class)/m, '');
    const isValue = /^(const|function|class) /m.test(bare.replace(COMMENT, '').trim());
    return bare.replace(/^(?=interface|type|const|function|class)/m, `export ${isValue ? 'declare ' : ''}`);
  });
  return [...own, ...schemas.definitions()].join('\n');
}

/** The declarations of an emitted module by name, the modules that its other names come from, and what it exports. */
function readModule(folder: string, file: string) {
  const declarations = new Map<string, string>();
  const imports = new Map<string, string>();
  const exported = new Set<string>();
  let comment = '';
  for (const part of readFileSync(join(folder, file), 'utf8').split(START)) {
    const name = NAME.exec(part)?.[1];
    const [, names, path] = /^(?:import|export) (?:type )?\{([^}]*)\} from '(\.[^']+)'/.exec(part) ?? [];
    for (const given of names?.split(',') ?? []) {
      const bare = given.replace(/^\s*type /, '').trim();
      imports.set(bare, join(dirname(file), String(path).replace(/\.tsx?$/, '.d.ts')));
      if (part.startsWith('export')) exported.add(bare);
    }
    if (name !== undefined) declarations.set(name, comment + part);
    comment = part.startsWith('/**') && name === undefined ? part : '';
  }
  return { declarations, imports, exported };
}

/** A declaration without what only TypeScript can work out from values of ours. */
async function writeOut(
  text: string,
  load: (value: string) => Promise<unknown>,
  { typeOf }: ReturnType<typeof createSchemaTypes>,
): Promise<string> {
  const literals = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(' | ');
  let written = text;
  const replace = async <Value>(pattern: RegExp, make: (value: Value, more: string) => string): Promise<void> => {
    for (const [whole, name, more = ''] of written.matchAll(pattern))
      written = written.replaceAll(whole, make((await load(String(name))) as Value, more));
  };
  await replace(/z\.output<typeof (\w+)>/g, (schema: z.ZodType) => typeOf(schema, 'output'));
  await replace(/z\.input<typeof (\w+)>/g, (schema: z.ZodType) => typeOf(schema, 'input'));
  await replace(/keyof typeof (\w+)/g, (value: object) => literals(Object.keys(value)));
  await replace(/\(typeof (\w+)\)\[number\]\['(\w+)'\]/g, (list: readonly Record<string, unknown>[], field) =>
    literals(list.map((each) => each[field])),
  );
  await replace(/\(typeof (\w+)\)\[number\]/g, (list: readonly unknown[]) => literals(list));
  const records = entities.map(({ type, record }) => `readonly ${type}: ${typeOf(record, 'output')};`).join(' ');
  return written.replace(`z.output<EntityOf<Type>['record']>`, `{ ${records} }[Type]`);
}

/** Writes schemas as types. Those with an id become interfaces. */
function createSchemaTypes() {
  const known = new Map<string, JsonSchema>();
  const typeOf = (schema: z.ZodType, io: 'input' | 'output'): string => {
    const { $defs = {}, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
    for (const [name, definition] of Object.entries($defs)) known.set(name, definition);
    return write(json);
  };
  const definitions = (): string[] =>
    [...known].map(([name, schema]) => {
      // A record as it is found extends the record, by its name.
      const base = [...known.keys()].find((other) => other !== name && name.startsWith(other)) ?? '';
      const { properties: inherited = {} } = known.get(base) ?? {};
      const own = Object.entries(schema.properties ?? {}).filter(
        ([field, own]) => !(field in inherited) || write(inherited[field] as JsonSchema) !== write(own as JsonSchema),
      );
      const body = write({ ...schema, properties: Object.fromEntries(own) });
      return isPart(name) ? '' : `export interface ${name} ${base === '' ? '' : `extends ${base} `}${body}\n`;
    });
  return { typeOf, definitions };
}

/** Records of which `fields` left a part: to callers they are whole, because a caller knows what it requested. */
const isPart = (name: string): boolean => /Part(Found)?$/.test(name);

function write(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/$defs/', '');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) {
    const types = choices.map((choice) => write(choice as JsonSchema)).filter((type) => !isPart(type) && type !== '');
    return [...new Set(types)].join(' | ');
  }
  if (schema.type === 'array') return `readonly (${write((schema.items ?? {}) as JsonSchema)})[]`;
  if (schema.type === 'object') return writeObject(schema);
  const types = [schema.type ?? 'unknown'].flat() as string[];
  return types.map((type) => (type === 'integer' ? 'number' : type)).join(' | ');
}

function writeObject({ properties = {}, required = [], additionalProperties, propertyNames }: JsonSchema): string {
  const fields = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const about = field.description === undefined ? '' : `/** ${field.description.replaceAll('*/', '* /')} */\n`;
    const isRequired = required.includes(name);
    return `${about}readonly ${name}${isRequired ? '' : '?'}: ${write(field)}${isRequired ? '' : ' | undefined'};\n`;
  });
  if (typeof additionalProperties !== 'object') return `{\n${fields.join('')}}`;
  const keys = propertyNames === undefined ? 'string' : write(propertyNames as JsonSchema);
  const value = write(additionalProperties as JsonSchema);
  return keys === 'string' ? `{ readonly [name: string]: ${value} }` : `{ readonly [name in ${keys}]?: ${value} }`;
}
