import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from '#platform/http/app.ts';
import { describeOperation, shareErrorSchema } from './openapi/operation.ts';

/** The version of the API (contract §9); not that of the program. */
const API_VERSION = '1.1.0';

/** The page shows pictures of its own as `data:` and styles what it makes; it neither loads nor calls anything foreign. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * The machine-readable description at `/openapi.json`, made from the routes, and the reference page at `/docs`, which
 * loads nothing from elsewhere. Register it before the routes that it describes.
 */
export async function reference(app: App): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Parley Platform API',
        version: API_VERSION,
        description:
          'Bots, groups and broadcast lists, stories, polls and OAuth 2.0 of a chat platform. Every answer has the ' +
          'envelope `status`, `message`, `data`, `timestamp`; every error `status`, `code`, `message`.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key (`xk_live_…`): acts as the bot.',
          },
          accessToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'An OAuth 2.0 access token (`xat_…`): acts as the consenting person.',
          },
        },
      },
    },
    transform: describeOperation as never,
    transformObject: (made) => shareErrorSchema('openapiObject' in made ? made.openapiObject : {}) as never,
  });
  await app.register(async (page) => {
    page.addHook('onRoute', (route) => {
      route.config = { ...route.config, withoutDatabase: true };
    });
    await page.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: PAGE_POLICY,
      uiConfig: { layout: 'BaseLayout', deepLinking: true, docExpansion: 'list', tryItOutEnabled: false },
      theme: { title: 'Parley API reference' },
    });
  });
  const config = { withoutDatabase: true } as const;
  app.get('/openapi.json', { config, schema: { hide: true } }, async () => app.swagger());
}
