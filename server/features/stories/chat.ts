import { CHAT } from '#contract/api/chat.ts';
import type { Media } from '#features/media/index.ts';
import { serve } from '#platform/http/serve.ts';
import type { Stories } from './index.ts';

/** Stories as a person's client shows, publishes and deletes them. */
export function storyChatRoutes(stories: Stories, media: Media) {
  return [
    serve(CHAT, {
      'GET /stories': ({ person }) => stories.listShared(person.accountId),
      'POST /stories/seen': ({ person, body }) => stories.markSeen(person.accountId, body),
      'GET /stories/mine': ({ person }) => stories.findCurrent(person.accountId),
      'POST /stories': async ({ person, body, reserved }) => {
        await media.claim(body, reserved.id);
        return stories.add(person.accountId, body, reserved);
      },
      'DELETE /stories': async ({ person, body }) => {
        await stories.delete(person.accountId, body.storyId);
        return { deleted: true as const };
      },
    }),
  ];
}
