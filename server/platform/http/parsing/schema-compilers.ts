import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

/**
 * Fastify's own compilers, run by the first request that needs them: compiling all routes took half of the start-up time.
 */
export const schemaCompilers = {
  buildValidator: onFirstUse(AjvCompiler()),
  buildSerializer: onFirstUse(SerializerSelector()),
};

type Build = (...settings: never[]) => (route: never) => Compiled;

interface Compiled {
  (input: unknown): unknown;
  errors?: unknown;
}

/** Compiles a schema when it is first needed. */
export function onFirstUse<Kind extends Build>(build: Kind): Kind {
  const buildLazily: Build = (...settings) => {
    const compile = build(...settings);
    return (route) => {
      let made: Compiled | undefined;
      const compiled: Compiled = (input) => {
        made ??= compile(route);
        const output = made(input);
        compiled.errors = made.errors;
        return output;
      };
      return compiled;
    };
  };
  return buildLazily as Kind;
}
