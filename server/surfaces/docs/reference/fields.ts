import type { Schema } from '../../openapi/components.ts';
import { type ApiDocument, resolveSchema } from './document.ts';

/** A field as shown in the table of an operation. */
export interface Field {
  /** With the names of the objects and lists around it: `location.latitude`, `options[].id`. */
  name: string;
  type: string;
  isRequired: boolean;
  /** For unions: the variants in which the field is required, and those in which it is optional. */
  variants?: { required: string[]; optional: string[] };
  description: string;
}

/** A variant of a union, and the value of its discriminator. */
interface Variant {
  name: string;
  schema: Schema;
}

/** Every field of a schema, including those of nested objects. The variants of a union are merged into one list. */
export function listFields(document: ApiDocument, schema: Schema): Field[] {
  const resolved = resolveSchema(document, schema);
  const item = resolved.items && resolveSchema(document, resolved.items);
  if (item?.properties) return listFields(document, item);
  const variants = variantsOf(document, resolved);
  if (variants.length > 0) return mergeVariants(document, variants);
  return Object.entries(resolved.properties ?? {}).flatMap(([name, property]) =>
    describe(document, name, property, resolved.required?.includes(name) ?? false),
  );
}

function variantsOf(document: ApiDocument, { oneOf, anyOf }: Schema): Variant[] {
  return (oneOf ?? anyOf ?? []).flatMap((variant) => {
    const schema = resolveSchema(document, variant);
    const inner = variantsOf(document, schema);
    if (inner.length > 0) return inner;
    const [name] = Object.values(schema.properties ?? {}).flatMap((one) => one.const ?? []);
    return [{ name: String(name), schema }];
  });
}

function mergeVariants(document: ApiDocument, variants: Variant[]): Field[] {
  const names = [...new Set(variants.flatMap(({ schema }) => Object.keys(schema.properties ?? {})))];
  return names.flatMap((name) => {
    const having = variants.filter(({ schema }) => schema.properties?.[name]);
    const requiring = having.filter(({ schema }) => schema.required?.includes(name));
    const schemas = having.map(({ schema }) => schema.properties?.[name] as Schema);
    const values = [...new Set(schemas.flatMap((one) => one.const ?? []))];
    const first = schemas[0] as Schema;
    const merged = values.length > 0 ? { ...first, const: undefined, enum: values } : first;
    const isEverywhere = having.length === variants.length;
    const [field, ...inner] = describe(document, name, merged, requiring.length === variants.length);
    if (!field || (isEverywhere && (field.isRequired || requiring.length === 0)) || values.length > 0)
      return field ? [field, ...inner] : [];
    const optional = having.filter((one) => !requiring.includes(one));
    return [
      {
        ...field,
        variants: {
          required: [...new Set(requiring.map((one) => one.name))],
          optional: [...new Set(optional.map((one) => one.name))],
        },
      },
      ...inner,
    ];
  });
}

function describe(document: ApiDocument, name: string, schema: Schema, isRequired: boolean): Field[] {
  const resolved = resolveSchema(document, schema);
  const items = resolved.items && resolveSchema(document, resolved.items);
  const field = { name, type: typeOf(resolved, items), isRequired, description: resolved.description ?? '' };
  const within = items ?? resolved;
  const prefix = items ? `${name}[]` : name;
  const inner = listFields(document, within).map((one) => ({ ...one, name: `${prefix}.${one.name}` }));
  return [field, ...inner];
}

/** The type in words, with its limits: "string, at most 4,096 characters". */
function typeOf(schema: Schema, items?: Schema): string {
  const { type, enum: values, minLength, maxLength, minItems, maxItems, minimum, maximum } = schema;
  const constant = schema.const === undefined ? values : [schema.const];
  if (constant)
    return `${constant.length > 1 ? 'one of ' : ''}${constant.map((one) => `\`${one}\``).join(', ')}`;
  const [word = 'object'] = [type ?? []].flat().filter((one) => one !== 'null');
  if (word === 'array') return join(`list of ${plural(items)}`, range(minItems, maxItems, 'items'));
  if (schema.pattern === '^https://') return join('https URL', range(minLength, maxLength, 'characters'));
  if (word === 'string') return join('string', range(minLength, maxLength, 'characters'));
  return join(word, range(minimum, maximum, ''));
}

function plural(items: Schema | undefined): string {
  const word = items ? typeOf({ ...items, pattern: '' }) : 'values';
  return word.replace(/^(string|object|integer|number)/, '$1s');
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const say = (value: number) => value.toLocaleString('en');
  if (to === undefined) return from === undefined ? '' : `at least ${say(from)} ${unit}`;
  return `${from === undefined ? 'at most' : `${say(from)} to`} ${say(to)} ${unit}`.trim();
}

function join(...parts: string[]): string {
  return parts.filter(Boolean).join(', ');
}
