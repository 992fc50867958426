import swagger from '@fastify/swagger';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { ADDRESS, describeApi } from './about.ts';
import { completeDocument } from './document.ts';
import { describeOperation } from './operation.ts';

/**
 * The machine-readable description at `/openapi.json`, made from the routes; the reference of `/docs` is made of it. Register
 * it before the routes that it describes.
 */
export async function reference(app: App, config: Config): Promise<void> {
  // The plugin's types know OpenAPI 3.0 and plain JSON schemas; ours say what 3.1 and the routes have besides.
  await app.register(swagger, {
    openapi: describeApi() as never,
    convertConstToEnum: false,
    transform: describeOperation as never,
    transformObject: (made) =>
      withAddress(
        completeDocument(('openapiObject' in made ? made.openapiObject : {}) as never, config.serviceName),
        publicUrlOf(config),
      ) as never,
  });
  const documented = { withoutDatabase: true } as const;
  app.get('/openapi.json', { config: documented, schema: { hide: true } }, async () => app.swagger());
}

/** The document of this server: examples are written with the placeholder, too. */
function withAddress(document: object, address: string): object {
  return JSON.parse(JSON.stringify(document).replaceAll(ADDRESS, address));
}
