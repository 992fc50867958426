import type { FastifySchema } from 'fastify';
import type { Routes } from '#platform/http/routes.ts';
import type { Access, Actor } from './actor.ts';

export type { ApplicationFollower as ApplicationHook } from './follower.ts';
export type { Access, Actor };

/** What a route of the public API declares beside what it takes and gives; the texts are those of the OpenAPI document. */
export interface Operation extends Pick<FastifySchema, 'tags' | 'description'> {
  access: Access;
  operationId: string;
  summary: string;
}

/** The public API: its handlers act as a bot or as a consenting user. */
export type V1 = Routes<{ actor: Actor }, Operation>;
