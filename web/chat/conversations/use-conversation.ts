import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { conversationQuery, conversationsQuery, type OpenConversation } from './queries.ts';

/** The conversation in the URL; needs no request if it is in the list. */
export function useConversation(conversationId: string): UseQueryResult<OpenConversation> {
  const client = useQueryClient();
  const [search] = useSearchParams();
  const [username, inviteToken] = [search.get('bot'), search.get('invite')];
  return useQuery({
    ...conversationQuery(conversationId, {
      ...(username !== null && { username }),
      ...(inviteToken !== null && { inviteToken }),
    }),
    initialData: () => {
      const list = client.getQueryState(conversationsQuery.queryKey);
      // While the list is being reloaded, it does not include what was missed.
      if (list?.fetchStatus !== 'idle') return undefined;
      return list.data?.conversations.find((one) => one.conversationId === conversationId);
    },
  });
}
