import assert from 'node:assert/strict';
import type { RouteOptions } from 'fastify';
import { createApp } from '#platform/http/app.ts';
import { composeFeatures, createHttp } from '../app.ts';
import type { TestPlatform } from './platform.ts';
import type { BodySchema } from './wrong-bodies.ts';

/** A registered route, with the schemas of its path and query parameters. */
export interface Route {
  name: string;
  method: string;
  url: string;
  config: RouteOptions['config'];
  pathSchemas: Record<string, Schema>;
  querySchemas: Record<string, Schema>;
  bodyFields: string[];
  bodySchema: BodySchema | undefined;
}

export interface Schema {
  pattern?: string;
  maxLength?: number;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
}

/** Every route of every surface, from the application's routing table. */
export async function findRoutes(platform: TestPlatform): Promise<Route[]> {
  const routes: Route[] = [];
  const app = createApp(platform);
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    for (const one of [method].flat()) {
      if (one === 'HEAD' || one === 'OPTIONS') continue;
      routes.push({
        name: `${one} ${url}`,
        method: one,
        url,
        config,
        pathSchemas: propertiesOf(schema?.params),
        querySchemas: propertiesOf(schema?.querystring),
        bodyFields: Object.keys(propertiesOf(schema?.body)),
        bodySchema: schema?.body as BodySchema | undefined,
      });
    }
  });
  await createHttp(platform, composeFeatures(platform), app);
  await app.close();
  assert.ok(routes.length > 100, `${routes.length} routes`);
  return routes;
}

function propertiesOf(schema: unknown): Record<string, Schema> {
  return (schema as { properties?: Record<string, Schema> } | undefined)?.properties ?? {};
}

export function pathParametersOf({ url }: Route): string[] {
  return [...url.matchAll(/:(\w+)|\*/g)].map(([whole, name]) => name ?? whole);
}
