import { subscribe } from 'node:diagnostics_channel';
import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyInstance } from 'fastify';

/**
 * Tests make the whole server anew, and to compile the schemas of its routes takes longer than most of them: what
 * Fastify's own compilers make of a schema is kept for the next server of the process.
 */
const compilersFactory = {
  buildValidator: keeping(AjvCompiler()),
  buildSerializer: keeping(SerializerSelector()),
};

subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance };
  fastify.setSchemaController({ compilersFactory });
});

function keeping<Shared, Settings, Place, Made>(
  build: (shared: Shared, settings?: Settings) => (place: Place) => Made,
) {
  const kept = new Map<string, Made>();
  return (shared: Shared, settings?: Settings) => {
    const compile = build(shared, settings);
    const common = JSON.stringify([shared, settings]);
    return (place: Place) => {
      const key = common + JSON.stringify((place as { schema: unknown }).schema);
      const made = kept.get(key) ?? compile(place);
      kept.set(key, made);
      return made;
    };
  };
}
