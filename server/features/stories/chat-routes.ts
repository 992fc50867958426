import { Type } from 'typebox';
import { Success } from '#contract/envelope.ts';
import { UserId } from '#contract/ids.ts';
import {
  AddedToStory,
  AddToStoryInChat,
  ChatStory,
  DeletedStory,
  DeleteStory,
  MarkStorySeen,
  SharedStory,
} from '#contract/stories.ts';
import type { PersonLimits } from '#features/accounts/person-limits.ts';
import { claimUploads } from '#features/media/service.ts';
import type { App } from '#platform/http/app.ts';
import { success } from '#platform/http/envelope.ts';
import { createOnce, repeatable } from '#platform/idempotency.ts';
import type { Platform } from '#platform/platform.ts';
import { addToStory, deleteOwnStory, findCurrentStories } from './service.ts';
import { announceStoryChange, listSharedStories, markStorySeen } from './sharing.ts';

/** Stories as a person's client shows, publishes and deletes them. */
export function storyChatRoutes(app: App, deps: Platform & { limits: PersonLimits }): void {
  const { clock } = deps;

  app.get(
    '/stories',
    { schema: { response: { 200: Success(Type.Array(SharedStory)) } } },
    async ({ person }) =>
      success(clock.now(), 'stories of people you know', await listSharedStories(deps, person.accountId)),
  );

  app.post(
    '/stories/seen',
    {
      schema: {
        body: MarkStorySeen,
        response: { 200: Success(Type.Object({ userId: UserId, seenElementId: Type.String() })) },
      },
    },
    async ({ person, body }) =>
      success(clock.now(), 'marked as seen', await markStorySeen(deps, person.accountId, body)),
  );

  app.get(
    '/stories/mine',
    { schema: { response: { 200: Success(Type.Array(ChatStory)) } } },
    async ({ person }) => {
      const own = await findCurrentStories(deps, [person.accountId]);
      return success(
        clock.now(),
        'your stories',
        own.map(({ story }) => story),
      );
    },
  );

  app.post(
    '/stories',
    { schema: { body: AddToStoryInChat, response: { 201: Success(AddedToStory) } } },
    async (request, reply) => {
      const {
        person: { accountId },
        body,
      } = request;
      await claimUploads(deps, body);
      const added = await createOnce(
        deps,
        repeatable(request, { accountId, clientId: 'chat' }, 'elm'),
        'story published',
        (elementId) => addToStory(deps, accountId, body, elementId),
      );
      await announceStoryChange(deps, accountId);
      reply.code(201);
      return added;
    },
  );

  app.delete(
    '/stories',
    { schema: { body: DeleteStory, response: { 200: Success(DeletedStory) } } },
    async ({ person: { accountId }, body }) => {
      await deleteOwnStory(deps, accountId, body.storyId);
      await announceStoryChange(deps, accountId);
      return success(clock.now(), 'story deleted', { deleted: true as const });
    },
  );
}
