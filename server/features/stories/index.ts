import { CHAT } from '#contract/api/chat.ts';
import { V1 } from '#contract/api/v1.ts';
import type { AddToStory, ChatStory } from '#contract/stories.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import { deleteViewers, deleteViewsOf } from './queries.ts';
import {
  addToStory,
  deleteOwnStory,
  findCurrentStories,
  publicStory,
  removeExpiredStories,
  removeStory,
  type StoryDeps,
} from './service.ts';
import { announceStoryChange, listSharedStories, listStoryViews, markStorySeen } from './sharing.ts';

export { exportStories, hasStory, importStory } from './exported.ts';

/** Stories: shown for a day to those who know their author. */
export type Stories = ReturnType<typeof createStories>['api'];

export function createStories(deps: StoryDeps) {
  return {
    api: withDeps(deps, { removeExpired: removeExpiredStories }),
    routes: storyRoutes(deps),
    hooks: { account: createStoryAccountHook(deps) },
  };
}

/** A person's story is deleted with the account. */
function createStoryAccountHook(deps: StoryDeps): AccountHook {
  return {
    sections: {
      async *stories(accountId) {
        for (const { story } of await findCurrentStories(deps, [accountId])) yield story;
      },
    },
    async deleted(tx, { accountId }) {
      await removeStory(tx, deps, accountId, () => true);
      await deleteViewsOf(tx, accountId);
    },
    // Of two people who have seen each other's stories, each deletes rows of the other: after the commit, neither waits.
    afterDeletion: (accountId) => deps.db.write((tx) => deleteViewers(tx, accountId)),
  };
}

/** Stories for applications that act for a person (bots have none, contract §4), and for a person's client. */
function storyRoutes(deps: StoryDeps) {
  return [
    serve(V1, {
      'POST /v1/stories': ({ actor, body, reserved }) =>
        deps.media.withClaimedLinks(body, reserved.id, (story) =>
          add(deps, actor.accountId, story, reserved.id),
        ),
      'GET /v1/stories/mine': async ({ actor }) => {
        const stories = await findCurrent(deps, actor.accountId);
        return stories.map((story) => publicStory(deps.config, story));
      },
      'DELETE /v1/stories/delete': ({ actor, body }) => remove(deps, actor.accountId, body.storyId),
    }),
    serve(CHAT, {
      'GET /stories': ({ person }) => listSharedStories(deps, person.accountId),
      'POST /stories/seen': ({ person, body }) => markStorySeen(deps, person.accountId, body),
      'GET /stories/mine': ({ person }) => findCurrent(deps, person.accountId),
      'GET /stories/views': ({ person }) => listStoryViews(deps, person.accountId),
      'POST /stories': ({ person, body, reserved }) =>
        deps.media.withClaim(body, [reserved.id], () => add(deps, person.accountId, body, reserved.id)),
      'DELETE /stories': ({ person, body }) => remove(deps, person.accountId, body.storyId),
    }),
  ];
}

async function findCurrent(deps: StoryDeps, accountId: string): Promise<ChatStory[]> {
  const current = await findCurrentStories(deps, [accountId]);
  return current.map(({ story }) => story);
}

async function add(deps: StoryDeps, accountId: string, body: AddToStory, elementId: string) {
  const added = await addToStory(deps, accountId, body, elementId);
  await announceStoryChange(deps, accountId);
  return added;
}

async function remove(deps: StoryDeps, accountId: string, storyId: string) {
  await deleteOwnStory(deps, accountId, storyId);
  await announceStoryChange(deps, accountId);
}
