import type postgres from 'postgres';

/**
 * The array types that the statements use, by the object ids that they have in every PostgreSQL. postgres.js could ask
 * each new connection for them, but a connection that is lost meanwhile would end the process.
 */
export const ARRAY_TYPES: Record<string, postgres.PostgresType> = {
  textArray: array(1009, quote, (text) => text),
  integerArray: array(1007, String, Number),
  bigintArray: array(1016, String, Number),
};

function array<T>(oid: number, write: (element: T) => string, read: (text: string) => unknown) {
  return {
    to: oid,
    from: [oid],
    serialize: (elements: readonly (T | null)[]) =>
      `{${elements.map((element) => (element === null ? 'null' : write(element))).join()}}`,
    parse: (literal: string) => readElements(literal).map((text) => (text === null ? null : read(text))),
  };
}

const MUST_BE_ESCAPED = /[\\"]/;

function quote(text: string): string {
  return MUST_BE_ESCAPED.test(text) ? `"${text.replaceAll(/[\\"]/g, '\\$&')}"` : `"${text}"`;
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^{},"]+)/gs;

/** The elements of an array of one dimension, as PostgreSQL writes it: `{1,NULL,"a \"quoted\" text"}`. */
function readElements(literal: string): (string | null)[] {
  return Array.from(literal.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, '$1');
    return bare === 'NULL' ? null : (bare as string);
  });
}
