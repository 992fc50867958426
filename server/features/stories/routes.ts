import { Success } from '#contract/envelope.ts';
import { AddedToStory, AddToStory, DeletedStory, DeleteStory, Stories } from '#contract/stories.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { addToStory, deleteOwnStory, findCurrentStories, publicStory } from './service.ts';
import { announceStoryChange } from './sharing.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'keyring' | 'config' | 'newId' | 'live'> & {
  limits: PersonLimits;
};

/** Stories for applications that act for a person; bots have none (contract §4). */
export function storyRoutes(app: App, deps: Deps): void {
  const { clock } = deps;

  app.post(
    '/v1/stories',
    {
      config: { access: { actors: ['user'], scope: 'stories:write' } },
      schema: {
        operationId: 'addToStory',
        summary: 'Add to your story',
        description:
          'Adds a text, an image or a video to the user’s current story, or begins a story if there is none.',
        tags: ['Stories'],
        body: AddToStory,
        response: { 201: Success(AddedToStory) },
      },
    },
    async (request, reply) => {
      const { actor, body } = request;
      const added = await createOnce(
        deps,
        repeatable(request, { accountId: actor.accountId, clientId: actor.appId }, 'elm'),
        'story published',
        (elementId) => addToStory(deps, actor.accountId, body, elementId),
      );
      await announceStoryChange(deps, actor.accountId);
      reply.code(201);
      return added;
    },
  );

  app.get(
    '/v1/stories/mine',
    {
      config: { access: { actors: ['user'], scope: 'stories:read' } },
      schema: {
        operationId: 'listOwnStories',
        summary: 'Read your stories',
        description:
          'Returns the user’s current story with all its elements; an empty list if there is none.',
        tags: ['Stories'],
        response: { 200: Success(Stories) },
      },
    },
    async ({ actor }) => {
      const own = await findCurrentStories(deps, [actor.accountId]);
      return success(
        clock.now(),
        'your stories',
        own.map(({ story }) => publicStory(deps.config, story)),
      );
    },
  );

  app.delete(
    '/v1/stories/delete',
    {
      config: { access: { actors: ['user'], scope: 'stories:write' } },
      schema: {
        operationId: 'deleteStory',
        summary: 'Delete your story',
        description: 'Deletes one of the user’s stories, with all its elements.',
        tags: ['Stories'],
        body: DeleteStory,
        response: { 200: Success(DeletedStory) },
      },
    },
    async ({ actor, body }) => {
      await deleteOwnStory(deps, actor.accountId, body.storyId);
      await announceStoryChange(deps, actor.accountId);
      return success(clock.now(), 'story deleted', { deleted: true as const });
    },
  );
}
