import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A schema of the OpenAPI document. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  description?: string;
}

/** The source of `sdk/wire.ts`: the components of the OpenAPI document as types. */
export function wireTypes(): string {
  const { components } = JSON.parse(readFileSync('contract/openapi.json', 'utf8'));
  const types = Object.entries<Schema>(components.schemas)
    .filter(([, schema]) => !isEnvelope(schema))
    .map(([name, schema]) => {
      const isObject = schema.properties !== undefined;
      return `${comment(schema)}export ${isObject ? `interface ${name}` : `type ${name} =`} ${toType(schema)}`;
    });
  const text = `// Made from contract/openapi.json by \`npm run build:sdk\`; a test compares them.\n\n${types.join('\n\n')}\n`;
  const biome = ['format', '--stdin-file-path=sdk/wire.ts'];
  return execFileSync('node_modules/.bin/biome', biome, { input: text, encoding: 'utf8' });
}

/** The package unwraps envelopes: it exposes their data, and errors as exceptions. */
function isEnvelope({ properties }: Schema): boolean {
  return properties?.['status']?.const !== undefined;
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

function toObject({ properties = {}, required = [] }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${comment(schema)}${name}${required.includes(name) ? '' : '?'}: ${toType(schema)};`,
  );
  return `{\n${fields.join('\n')}\n}`;
}

function comment({ description }: Schema): string {
  return description ? `/** ${description} */\n` : '';
}
