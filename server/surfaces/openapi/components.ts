import { isDeepStrictEqual } from 'node:util';

export interface Schema {
  title?: string;
  type?: string | string[];
  const?: unknown;
  enum?: readonly unknown[];
  description?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  required?: readonly string[];
  items?: Schema;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  anyOf?: Schema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  $ref?: string;
  [keyword: string]: unknown;
}

/** Keywords that hold values, not schemas. */
const VALUES = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * Moves every schema with a title to `components` under that name, and replaces it by a reference.
 *
 * @param parts the parts of the document that contain schemas
 * @throws Error when two different schemas have one title
 */
export function nameSchemas<Parts extends object>(
  parts: Parts,
): { parts: Parts; schemas: Record<string, Schema> } {
  const schemas = new Map<string, Schema>();

  function visit(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(visit);
    if (!isSchema(node)) return node;
    const visited = Object.fromEntries(
      Object.entries(publish(node)).map(([key, value]) => [key, VALUES.has(key) ? value : visit(value)]),
    );
    const schema = mapDiscriminator(node, visited);
    return typeof schema.title === 'string' ? refer(schema.title, schema) : schema;
  }

  function refer(title: string, { title: _, ...schema }: Schema): Schema {
    const known = schemas.get(title);
    if (known && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two different schemas have the title ${title}`);
    }
    schemas.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  const named = visit(parts) as Parts;
  const sorted = [...schemas].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { parts: named, schemas: Object.fromEntries(sorted) };
}

/** Only objects have keywords. */
function isSchema(node: unknown): node is Schema {
  return typeof node === 'object' && node !== null;
}

/** Adds the type that generators expect to string enums, and drops fields that a variant forbids. */
function publish(schema: Schema): Schema {
  if (Array.isArray(schema.enum)) return { type: 'string', ...schema };
  if (!schema.properties) return schema;
  const used = Object.entries(schema.properties).filter(([, { type }]) => type !== 'null');
  return { ...schema, properties: Object.fromEntries(used) };
}

/**
 * Maps the values of the discriminator to the variants, and drops from the union the keywords that each variant has itself.
 */
function mapDiscriminator({ oneOf, discriminator }: Schema, visited: Schema): Schema {
  if (!oneOf || !discriminator) return visited;
  const { type: _, required: __, ...union } = visited;
  const { propertyName } = discriminator;
  const mapping = oneOf.map((variant, i) => [
    variant.properties?.[propertyName]?.const,
    visited.oneOf?.[i]?.$ref,
  ]);
  return { ...union, discriminator: { propertyName, mapping: Object.fromEntries(mapping) } };
}
