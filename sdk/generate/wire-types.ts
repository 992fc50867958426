import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A schema of the OpenAPI document. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  format?: string;
  enum?: readonly unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  description?: string;
}

interface Operation {
  security: object[];
  parameters?: { $ref?: string; name: string; in: string; required: boolean; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { content: Content }>;
}

type Content = Record<string, { schema: Schema }>;

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** The document has one schema for messages of all types; in TypeScript, `type` tells which fields a message has. */
const BY_TYPE = `
/** The fields that messages of a type always have. */
interface Always {
  text: 'textMsg';
  image: 'fileUrl';
  video: 'fileUrl' | 'videoThumbnail';
  audio: 'fileUrl';
  doc: 'fileUrl';
  gif: 'fileUrl' | 'gifUrl';
  sticker: 'fileUrl';
  location: 'location';
  poll: 'poll';
}

/** One variant for each type of message. */
type ByType<M extends Partial<Record<Always[MessageType], unknown>>> = {
  [T in MessageType]: M & { type: T } & Required<Pick<M, Always[T]>>;
}[MessageType];`;

/** The source of `sdk/wire.ts`: components and operations of the OpenAPI document as types. */
export function wireTypes(): string {
  const document: Document = JSON.parse(readFileSync('contract/openapi.json', 'utf8'));
  const { schemas } = document.components;
  const bases = Object.entries(schemas).flatMap(([name, union]) => {
    const common = commonFields(schemas, union);
    return common ? [{ ...common, name: `${name}Base`, of: name }] : [];
  });
  const types = Object.entries(schemas)
    .filter(([, schema]) => !isEnvelope(schema) && !isForm(schema))
    .map(([name, schema]) => {
      if (schema.type !== 'object') return `${comment(schema)}export type ${name} = ${toType(schema)}`;
      const base = bases.find(({ variants }) => variants.includes(name));
      const parent = base ? ` extends ${base.name}` : '';
      const fields = toObject(schema, base?.fields);
      if (isMessage(schema))
        return `interface ${name}Fields ${fields}\n\n${comment(schema)}export type ${name} = ByType<${name}Fields>;`;
      return `${comment(schema)}export interface ${name}${parent} ${fields}`;
    });
  types.push(BY_TYPE);
  for (const { name, of, fields, variants } of bases) {
    const { properties, required } = schemas[variants[0] as string] as Schema;
    const own = Object.fromEntries(Object.entries(properties ?? {}).filter(([field]) => fields.has(field)));
    const text = toObject({ properties: own, ...(required && { required }) });
    types.push(
      `/** The fields that every variant of {@link ${of}} has. */\nexport interface ${name} ${text}`,
    );
  }
  const text = `// Made from contract/openapi.json by \`npm run build:sdk\`; a test compares them.\n\n${[...types, toOperations(document)].join('\n\n')}\n`;
  const biome = ['format', '--stdin-file-path=sdk/wire.ts'];
  return execFileSync('node_modules/.bin/biome', biome, { input: text, encoding: 'utf8' });
}

/** The fields that all variants of a union have, the same in each; undefined where there are hardly any of either. */
function commonFields(schemas: Document['components']['schemas'], { oneOf = [] }: Schema) {
  const variants = oneOf.map(toType);
  const [first, ...others] = variants.map((name) => schemas[name]);
  if (!first || others.length < 2) return undefined;
  const show = (schema: Schema | undefined, field: string) =>
    JSON.stringify([schema?.properties?.[field], schema?.required?.includes(field)]);
  const fields = Object.keys(first.properties ?? {}).filter((field) =>
    others.every((other) => show(other, field) === show(first, field)),
  );
  return fields.length > 1 ? { variants, fields: new Set(fields) } : undefined;
}

/** The operations for bots and people, by method and path. */
function toOperations({ paths, components }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length > 0)
      .map(([method, operation]) => {
        const reply = jsonOf(operation.responses['201'] ?? operation.responses['200']) as Schema;
        const schema = components.schemas[toType(reply)] ?? reply;
        const data = isEnvelope(schema) ? schema.properties?.['data'] : reply;
        const isIdempotent = operation.parameters?.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'));
        const creates = isIdempotent ? 'creates: true; ' : '';
        return `'${method.toUpperCase()} ${path}': { input: ${toInput(operation)}; ${creates}data: ${toType(data as Schema)} };`;
      }),
  );
  return `/** The input and data of each operation; those that create something take an idempotency key. */\nexport interface Operations {\n${operations.join('\n')}\n}`;
}

function toInput({ parameters = [], requestBody }: Operation): string {
  const named = parameters.filter((one) => one.in === 'path' || one.in === 'query');
  const given = toObject({
    properties: Object.fromEntries(named.map(({ name, schema }) => [name, schema])),
    required: named.filter(({ required }) => required).map(({ name }) => name),
  });
  const json = jsonOf(requestBody);
  const body = json && toType(json);
  if (named.length === 0) return body ?? 'undefined';
  return body ? `${given} & ${body}` : given;
}

function isMessage({ properties = {} }: Schema): boolean {
  return 'textMsg' in properties;
}

function jsonOf(message: { content: Content } | undefined): Schema | undefined {
  return message?.content['application/json']?.schema;
}

/** The package unwraps envelopes: it exposes their data, and errors as exceptions. */
function isEnvelope({ properties }: Schema): boolean {
  return properties?.['status']?.const !== undefined;
}

/** The method that sends a form builds it. */
function isForm({ properties = {} }: Schema): boolean {
  return Object.values(properties).some(({ format }) => format === 'binary');
}

function toType(schema: Schema): string {
  const variants = schema.oneOf ?? schema.anyOf;
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (variants) return variants.map(toType).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type
      .map((type) => (type === 'null' ? 'null | undefined' : toType({ ...schema, type })))
      .join(' | ');
  }
  switch (schema.type) {
    case 'integer':
      return 'number';
    case 'array':
      return `Array<${toType(schema.items as Schema)}>`;
    case 'object':
      return toObject(schema);
    default:
      return schema.type as string;
  }
}

function toObject(
  { properties = {}, required = [] }: Schema,
  inherited: ReadonlySet<string> = new Set(),
): string {
  const fields = Object.entries(properties)
    .filter(([name]) => !inherited.has(name))
    .map(
      ([name, schema]) =>
        `${comment(schema)}${name}${required.includes(name) ? '' : '?'}: ${toType(schema)};`,
    );
  return `{\n${fields.join('\n')}\n}`;
}

function comment({ description }: Schema): string {
  return description ? `/** ${description} */\n` : '';
}
