import { queryOptions } from '@tanstack/react-query';
import type { ChatMessage, PinnedMessages } from '#contract/chat.ts';
import { api } from '../../ui/api.ts';
import { notePeople } from '../conversations/people.ts';
import { chatKey } from '../live/feed.ts';

export function pinsQuery(conversationId: string) {
  return queryOptions({
    queryKey: [...chatKey, 'pins', conversationId],
    queryFn: async ({ client, signal }) => {
      const path = `/api/chat/conversations/${conversationId}/pins`;
      const pinned = await api.get<PinnedMessages>(path, { signal });
      notePeople(client, conversationId, [], pinned.people);
      return pinned;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

const pathOf = ({ conversationId, msgId }: ChatMessage) =>
  `/api/chat/conversations/${conversationId}/messages/${msgId}/pin`;

/** Pins a message for everybody in the conversation, or unpins it; the live stream reports the change. */
export const setPinned = (message: ChatMessage, isWanted: boolean) =>
  isWanted ? api.put(pathOf(message), {}) : api.delete(pathOf(message));
