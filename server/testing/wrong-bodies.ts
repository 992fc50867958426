import fc from 'fast-check';

/** The part of JSON Schema that TypeBox writes for bodies. */
export interface BodySchema {
  type?: string | string[];
  properties?: Record<string, BodySchema>;
  required?: string[];
  items?: BodySchema;
  minItems?: number;
  minProperties?: number;
  minLength?: number;
  minimum?: number;
  pattern?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: BodySchema[];
  oneOf?: BodySchema[];
  discriminator?: { propertyName: string };
}

/** A body that is valid but for one field, which is of another type than it must be. */
export interface WrongBody {
  /** As errors name the field: `commands.0.description`. */
  field: string;
  body: unknown;
}

/** For every field of a body, of each of its variants: a body in which that field alone is wrong. */
export function wrongBodiesOf(schema: BodySchema): WrongBody[] {
  const { oneOf, discriminator, items, properties = {} } = schema;
  if (oneOf) return oneOf.flatMap((variant) => wrongBodiesOf(variant).filter(isOfVariant));
  if (items) return wrongInside('0', items, (entry) => [entry, ...smallestEntries(schema).slice(1)]);
  const smallest = smallestOf(schema) as object;
  return Object.entries(properties).flatMap(([name, field]) =>
    wrongInside(name, field, (value) => ({ ...smallest, [name]: value })),
  );

  /** Without its discriminator it would be of no variant. */
  function isOfVariant({ field }: WrongBody): boolean {
    return field !== discriminator?.propertyName;
  }
}

function wrongInside(name: string, schema: BodySchema, put: (value: unknown) => unknown): WrongBody[] {
  const inside = schema.properties || schema.items ? wrongBodiesOf(schema) : [];
  return [
    { field: name, body: put(mayBeObject(schema) ? 12 : {}) },
    ...inside.map(({ field, body }) => ({ field: `${name}.${field}`, body: put(body) })),
  ];
}

function mayBeObject({ type, anyOf = [] }: BodySchema): boolean {
  return [type].flat().includes('object') || anyOf.some(mayBeObject);
}

/** A valid value with nothing that may be left out. */
function smallestOf(schema: BodySchema): unknown {
  const { properties = {}, required = [], minProperties = 0, anyOf, oneOf } = schema;
  const { minLength = 0, minimum = 0, pattern } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [variant] = anyOf ?? oneOf ?? [];
  if (variant) return smallestOf(variant);
  switch ([schema.type].flat()[0]) {
    case 'string':
      return pattern === undefined ? 'x'.repeat(minLength) : textLike(pattern, minLength);
    case 'integer':
    case 'number':
      return minimum;
    case 'boolean':
      return false;
    case 'array':
      return smallestEntries(schema);
    default: {
      const names = required.length > 0 ? required : Object.keys(properties).slice(0, minProperties);
      return Object.fromEntries(names.map((name) => [name, smallestOf(properties[name] ?? {})]));
    }
  }
}

function smallestEntries({ items = {}, minItems = 0 }: BodySchema): unknown[] {
  return Array.from({ length: minItems }, () => smallestOf(items));
}

function textLike(pattern: string, minLength: number): string {
  const simple = 'x'.repeat(Math.max(1, minLength));
  if (new RegExp(pattern, 'u').test(simple)) return simple;
  const isLongEnough = (text: string) => text.length >= minLength;
  const texts = fc.stringMatching(new RegExp(pattern, 'u')).filter(isLongEnough);
  return fc.sample(texts, { numRuns: 1, seed: 1 })[0] as string;
}
