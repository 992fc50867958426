import { subscribe } from 'node:diagnostics_channel';
import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';
import { onFirstUse } from '#platform/http/parsing/schema-compilers.ts';

/**
 * Tests create whole servers, and compiling the schemas takes longer than most tests: compiled schemas are cached for the
 * next server of the process.
 */
const compilersFactory = {
  buildValidator: onFirstUse(keeping(AjvCompiler())),
  buildSerializer: onFirstUse(keeping(SerializerSelector())),
};

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.setSchemaController({ compilersFactory });
});

function keeping<Shared, Settings, Route, Made>(
  build: (shared: Shared, settings?: Settings) => (route: Route) => Made,
) {
  const kept = new Map<string, Made>();
  return (shared: Shared, settings?: Settings) => {
    const compile = build(shared, settings);
    return (route: Route) => {
      const key = JSON.stringify([shared, settings, (route as { schema: unknown }).schema]);
      const made = kept.get(key) ?? compile(route);
      kept.set(key, made);
      return made;
    };
  };
}
