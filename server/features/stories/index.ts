import { withDeps } from '#platform/with-deps.ts';
import { createStoryAccountHook } from './account-hook.ts';
import { storyRoutes } from './routes.ts';
import { removeExpiredStories, type StoryDeps } from './service.ts';

/** Stories: shown for a day to those who know their author. */
export type Stories = ReturnType<typeof createStories>['api'];

export function createStories(deps: StoryDeps) {
  return {
    api: withDeps(deps, { removeExpired: removeExpiredStories }),
    routes: storyRoutes(deps),
    hooks: { account: createStoryAccountHook(deps) },
  };
}
