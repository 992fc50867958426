import { type Static, type TLiteral, type TSchema, Type } from 'typebox';
import { LIMITS } from './limits.ts';

/**
 * An optional field; `null` means the same as omitting it (decisions: Transport).
 *
 * @param schema schema of the value, with a single `type`
 * @returns the optional schema whose `type` also allows `null`
 */
export function optional<T extends TSchema & { type: string }>(schema: T) {
  return Type.Optional(Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] }));
}

/** A field that this variant of a body does not use: sending it is an error, except as `null`. */
export const unused = Type.Optional(Type.Unsafe<null>({ type: 'null' }));

/**
 * The `data` of an answer that only confirms: `{ deleted: true }`.
 *
 * @param title its name in the OpenAPI document
 */
export function confirmation<F extends string>(field: F, title: string, description: string) {
  const properties = { [field]: Type.Literal(true) } as Record<F, TLiteral<true>>;
  return Type.Object(properties, { title, description });
}

/** Fields of one kind, by their names. */
export function each<T extends TSchema, N extends string>(schema: T, ...names: readonly N[]) {
  return Object.fromEntries(names.map((name) => [name, schema])) as { [name in N]: T };
}

/** An https URL of at most 2,048 characters, publicly reachable; the service does not fetch it (contract §2). */
export const HttpsUrl = Type.String({
  maxLength: LIMITS.urlLength,
  pattern: '^https://',
  description: 'A public https URL. Clients load it; the service does not.',
  examples: ['https://cdn.example.com/photo.jpg'],
});

/**
 * The address of a file as people's clients send it: public https, or an upload on this server by the `url` that
 * `POST /api/chat/media` returned.
 */
export const FileUrl = Type.String({
  maxLength: LIMITS.urlLength,
  pattern: '^(https://|/media/)',
  examples: ['/media/3f9K0v5m2c8x7Q1t6w4z8b2n4rs/photo.jpg'],
});

/** The name of one variant of a union in the OpenAPI document: `MessageText` of `Message`. */
export function variantTitle(union: string, type: string): string {
  return `${union}${type[0]?.toUpperCase()}${type.slice(1)}`;
}

/** Text that is not only white space (decisions: Transport), counted in Unicode code points. */
export function visibleText(maxLength: number, description?: string) {
  return Type.String({ minLength: 1, maxLength, pattern: '\\S', ...(description && { description }) });
}

/**
 * The pattern of a character that can be seen. Some letters and signs cannot: the fillers of Hangul, which are ignorable, and the
 * blank of Braille.
 */
export const VISIBLE = '[^\\p{C}\\p{Z}\\p{M}\\p{Default_Ignorable_Code_Point}\\u2800]';

/** The name of a person or an application, of which others see something; counted in Unicode code points. */
export function visibleName(maxLength: number) {
  return Type.String({ minLength: 1, maxLength, pattern: VISIBLE });
}

/** The latest time that a `Date` can be, in epoch milliseconds. */
export const LATEST_TIME = 8_640_000_000_000_000;
