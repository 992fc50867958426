import type { MessageHook } from '#features/messages/index.ts';
import { deleteAllVotes, updateClosed } from './queries.ts';

/** The poll of a deleted message is closed, and how people voted is forgotten. */
export const pollMessageHook: MessageHook = {
  async deleted(tx, { bucket, msgId, type, at }) {
    if (type !== 'poll') return;
    await updateClosed(tx, { bucket, msgId }, at);
    await deleteAllVotes(tx, { bucket, msgId });
  },
};
