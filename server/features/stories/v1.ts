import { V1 } from '#contract/api/v1.ts';
import { serve } from '#platform/http/serve.ts';
import type { Stories as StoriesFace } from './index.ts';

/** Stories for applications that act for a person; bots have none (contract §4). */
export function storyRoutes(stories: StoriesFace) {
  return [
    serve(V1, {
      'POST /v1/stories': ({ actor, body, reserved }) => stories.add(actor.accountId, body, reserved),
      'GET /v1/stories/mine': ({ actor }) => stories.findPublic(actor.accountId),
      'DELETE /v1/stories/delete': async ({ actor, body }) => {
        await stories.delete(actor.accountId, body.storyId);
        return { deleted: true as const };
      },
    }),
  ];
}
