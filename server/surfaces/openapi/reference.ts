import swagger from '@fastify/swagger';
import type { Config } from '#platform/config.ts';
import type { App } from '#platform/http/app.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { ADDRESS, describeApi } from './about.ts';
import { completeDocument } from './document.ts';
import { describeOperation } from './operation.ts';

/**
 * The OpenAPI document at `/openapi.json`, generated from the routes; the reference at `/docs` is generated from it.
 * Register this before the routes.
 */
export async function reference(app: App, config: Config): Promise<void> {
  // The plugin's types cover only OpenAPI 3.0 and plain JSON schemas; ours add the parts of 3.1 and of the routes.
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

/** Replaces the placeholder everywhere, since examples contain it too. */
function withAddress(document: object, address: string): object {
  return JSON.parse(JSON.stringify(document).replaceAll(ADDRESS, address));
}
