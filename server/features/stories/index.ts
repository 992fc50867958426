import type { AddToStory } from '#contract/stories.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Reserved } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { createStoryAccountHook } from './account-hook.ts';
import { storyChatRoutes } from './chat.ts';
import {
  addToStory,
  deleteOwnStory,
  findCurrentStories,
  publicStory,
  removeExpiredStories,
} from './service.ts';
import { announceStoryChange, listSharedStories, markStorySeen } from './sharing.ts';
import { storyRoutes } from './v1.ts';

/** Stories: shown for a day to those who know their author. */
export type Stories = ReturnType<typeof openStories>['api'];

function openStories(
  platform: Platform,
  features: {
    accounts: Accounts;
    contacts: Contacts;
    groups: Groups;
    messages: Messages;
    media: Media;
  },
) {
  const deps = { ...platform, ...features };
  const findCurrent = async (accountId: string) => {
    const current = await findCurrentStories(deps, [accountId]);
    return current.map(({ story }) => story);
  };
  const api = {
    async add(accountId: string, body: AddToStory, { id }: Reserved) {
      const added = await addToStory(deps, accountId, body, id);
      await announceStoryChange(deps, accountId);
      return added;
    },
    async delete(accountId: string, storyId: string) {
      await deleteOwnStory(deps, accountId, storyId);
      await announceStoryChange(deps, accountId);
    },
    /** A person's current story, as the person's client shows it. */
    findCurrent,
    /** The same as applications get it. */
    async findPublic(accountId: string) {
      const stories = await findCurrent(accountId);
      return stories.map((story) => publicStory(platform.config, story));
    },
    ...withDeps(deps, {
      listShared: listSharedStories,
      markSeen: markStorySeen,
      removeExpired: removeExpiredStories,
    }),
  };
  return { api, hooks: { account: createStoryAccountHook(deps) } };
}

export function createStories(platform: Platform, features: Parameters<typeof openStories>[1]) {
  const { api, hooks } = openStories(platform, features);
  return { api, hooks, routes: [...storyRoutes(api), ...storyChatRoutes(api, features.media)] };
}
