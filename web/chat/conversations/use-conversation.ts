import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { conversationQuery, conversationsQuery } from './queries.ts';

/** The conversation that the address names; without a request where the list has it already. */
export function useConversation(conversationId: string): UseQueryResult<Conversation & { isNew?: boolean }> {
  const client = useQueryClient();
  const [search] = useSearchParams();
  const beginning = { bot: search.get('bot') ?? undefined, invite: search.get('invite') ?? undefined };
  return useQuery({
    ...conversationQuery(conversationId, beginning),
    initialData: () => {
      const list = client.getQueryState(conversationsQuery.queryKey);
      // While the list is being read again it does not show what was missed.
      if (list?.fetchStatus !== 'idle') return undefined;
      return list.data?.conversations.find((one) => one.conversationId === conversationId);
    },
  });
}
