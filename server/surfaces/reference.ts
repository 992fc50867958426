import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { App } from '#platform/http/app.ts';
import { describeOperation, shareErrorSchema } from './openapi/operation.ts';

/** The version of the API (contract §9); not that of the program. */
const API_VERSION = '1.1.0';

/**
 * The machine-readable description at `/openapi.json`, made from the routes, and what the reference page of `/docs` is
 * drawn with. Register it before the routes that it describes.
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
      routePrefix: '/docs/swagger',
      uiHooks: {
        // Its own page has neither our frame nor our policy.
        preHandler: (request, reply, next) =>
          /^\/docs\/swagger\/?(\?|$)/.test(request.url) ? reply.redirect('/docs/reference/') : next(),
      },
      uiConfig: { layout: 'BaseLayout', deepLinking: true, docExpansion: 'list', tryItOutEnabled: false },
    });
  });
  const config = { withoutDatabase: true } as const;
  app.get('/openapi.json', { config, schema: { hide: true } }, async () => app.swagger());
}
