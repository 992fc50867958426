import { subscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import { schemaCompilers } from '#platform/http/parsing/schema-compilers.ts';

/**
 * Tests create whole servers, and compiling the schemas takes longer than most tests: compiled schemas are cached for the
 * next server of the process.
 */
const compilersFactory = {
  buildValidator: keeping(schemaCompilers.buildValidator),
  buildSerializer: keeping(schemaCompilers.buildSerializer),
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
    const common = JSON.stringify([shared, settings]);
    return (route: Route) => {
      const key = common + JSON.stringify((route as { schema: unknown }).schema);
      const made = kept.get(key) ?? compile(route);
      kept.set(key, made);
      return made;
    };
  };
}
