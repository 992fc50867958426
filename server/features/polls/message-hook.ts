import type { MessageHook } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';
import { askAgain, storePoll } from './create.ts';
import { deleteAllVotes, deletePollName, updateClosed } from './queries.ts';

export function createPollMessageHook(deps: Pick<Platform, 'keyring' | 'newId' | 'random'>): MessageHook {
  return {
    /** The poll of a deleted message is closed, and how people voted is forgotten. */
    async deleted(tx, { bucket, msgId, type, at }) {
      if (type !== 'poll') return;
      await updateClosed(tx, { bucket, msgId }, at);
      await deleteAllVotes(tx, { bucket, msgId });
    },
    /** The poll goes with its message. */
    async expired(tx, messages) {
      const polls = messages.filter(({ type }) => type === 'poll');
      for (const { msgId } of polls) await deletePollName(tx, msgId);
    },
    /** Elsewhere the same question is a poll of its own, without votes. */
    forwarded(content, receiverId) {
      const { poll } = content.body;
      if (!poll) return undefined;
      const asked = askAgain(deps, poll);
      return {
        content: { ...content, body: { ...content.body, poll: asked } },
        alongside: (tx, message) => storePoll(tx, deps, { ...message, asked, receiverId }),
      };
    },
  };
}
