import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidArgument } from '../../errors.ts';
import { parseBody } from '../app.ts';

const PART = /"(?:[^"\\]|\\.)*"|[{}:]/g;

/** Rejects JSON bodies with duplicate keys on these routes: parsers differ in which of the two they use. */
export function demandUniqueKeys(app: Pick<FastifyInstance, 'addContentTypeParser'>): void {
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const value = parseBody(request, body);
      const repeated = findRepeatedKey(body.toString());
      if (repeated !== undefined) throw invalidArgument(repeated, 'repeated');
      return value;
    },
  );
}

/** The first duplicate key of an object in this text, which must be valid JSON. */
export function findRepeatedKey(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (const [part] of text.matchAll(PART)) {
    if (part === '{') open.push(new Set());
    else if (part === '}') open.pop();
    else if (part === ':') {
      const keys = open.at(-1) as Set<string>;
      const key = JSON.parse(last) as string;
      if (keys.has(key)) return key;
      keys.add(key);
    } else last = part;
  }
  return undefined;
}
