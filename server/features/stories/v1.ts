import { AddedToStory, AddToStory, DeletedStory, DeleteStory, Stories } from '#contract/stories.ts';
import type { Access, V1 } from '#features/applications/index.ts';
import type { Stories as StoriesFace } from './index.ts';

const mayWrite: Access = { actors: ['user'], scope: 'stories:write' };
const mayRead: Access = { actors: ['user'], scope: 'stories:read' };
const tags = ['Stories'];

/** Stories for applications that act for a person; bots have none (contract §4). */
export function storyRoutes(v1: V1, stories: StoriesFace): void {
  v1.post(
    '/v1/stories',
    {
      access: mayWrite,
      operationId: 'addToStory',
      summary: 'Add to your story',
      description:
        'Adds a text, an image or a video to the user’s current story, or begins a story if there is none.',
      tags,
      body: AddToStory,
      reply: AddedToStory,
      message: 'story published',
      creates: 'elm',
    },
    ({ actor, body, reserved }) => stories.add(actor.accountId, body, reserved),
  );

  v1.get(
    '/v1/stories/mine',
    {
      access: mayRead,
      operationId: 'listOwnStories',
      summary: 'Read your stories',
      description: 'Returns the user’s current story with all its elements; an empty list if there is none.',
      tags,
      reply: Stories,
      message: 'your stories',
    },
    ({ actor }) => stories.findPublic(actor.accountId),
  );

  v1.delete(
    '/v1/stories/delete',
    {
      access: mayWrite,
      operationId: 'deleteStory',
      summary: 'Delete your story',
      description: 'Deletes one of the user’s stories, with all its elements.',
      tags,
      body: DeleteStory,
      reply: DeletedStory,
      message: 'story deleted',
    },
    async ({ actor, body }) => {
      await stories.delete(actor.accountId, body.storyId);
      return { deleted: true as const };
    },
  );
}
