import { stripTypeScriptTypes } from 'node:module';
import { parseSync } from 'oxc-parser';

/** A node of a syntax tree (ESTree). */
export interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: each type has fields of its own
  [field: string]: any;
}

/** A file without its types, at the same places, and its tree. */
export function parse(path: string, text: string): { source: string; program: Node } {
  const source = stripTypeScriptTypes(text);
  const { program, errors } = parseSync(path, source, { lang: 'js', sourceType: 'module' });
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  return { source, program: program as object as Node };
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** The nodes within a node, by the field that has them. */
export function* partsOf(node: Node): Generator<[field: string, part: Node]> {
  for (const [field, value] of Object.entries(node)) {
    if (isNode(value)) yield [field, value];
    else if (Array.isArray(value)) for (const one of value) if (isNode(one)) yield [field, one];
  }
}
