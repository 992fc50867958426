import type { AccountHook } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteStory, deleteStoryNames, deleteViewsOf, selectStories } from './queries.ts';
import { findCurrentStories } from './service.ts';

/** A person's story is deleted with the account. */
export function createStoryAccountHook(
  deps: Pick<Platform, 'db' | 'clock' | 'keyring' | 'config'>,
): AccountHook {
  return {
    sections: {
      async *stories(accountId) {
        for (const { story } of await findCurrentStories(deps, [accountId])) yield story;
      },
    },
    async deleted(tx, { accountId }) {
      for (const { storyId } of await selectStories(tx, [accountId])) {
        await deleteStory(tx, { accountId, storyId });
        await deleteStoryNames(tx, [storyId]);
      }
      await deleteViewsOf(tx, accountId);
    },
  };
}
