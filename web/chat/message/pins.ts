import { queryOptions } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import { notePeople } from '../conversations/people.ts';
import { chatKey } from '../live/feed.ts';

export function pinsQuery(conversationId: string) {
  return queryOptions({
    queryKey: [...chatKey, 'pins', conversationId],
    queryFn: async ({ client, signal }) => {
      const pinned = await callChat('GET /conversations/:conversationId/pins', {
        params: { conversationId },
        signal,
      });
      notePeople(client, conversationId, [], pinned.people);
      return pinned;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Pins a message for everybody in the conversation, or unpins it; the live stream reports the change. */
export const setPinned = ({ conversationId, msgId }: ChatMessage, isWanted: boolean) =>
  callChat(`${isWanted ? 'PUT' : 'DELETE'} /conversations/:conversationId/messages/:msgId/pin`, {
    params: { conversationId, msgId },
  });
