import type { MessageHook } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';
import { askAgain, storePoll } from './create.ts';
import { deleteAllVotes, deletePollName, updateClosed } from './queries.ts';

export function createPollMessageHook(deps: Pick<Platform, 'keyring' | 'newId' | 'random'>): MessageHook {
  return {
    /** The poll of a deleted message is closed, and its votes are deleted. */
    async deleted(tx, { bucket, msgId, type, at }) {
      if (type !== 'poll') return;
      await updateClosed(tx, { bucket, msgId }, at);
      await deleteAllVotes(tx, { bucket, msgId });
    },
    /** The poll is deleted with its message. */
    async expired(tx, messages) {
      const polls = messages.filter(({ type }) => type === 'poll');
      for (const { msgId } of polls) await deletePollName(tx, msgId);
    },
    /** A forwarded poll is a new poll without votes. */
    forwarded(content, receiverId) {
      const { poll } = content.body;
      if (!poll) return undefined;
      const asked = askAgain(deps, poll);
      return {
        content: { ...content, body: { ...content.body, poll: asked } },
        extraWrites: (tx, message) => storePoll(tx, deps, { ...message, asked, receiverId }),
      };
    },
  };
}
