import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import type { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import type { Conversation, Peer } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import {
  conversationQuery,
  conversationsQuery,
  managementBotQuery,
  type OpenConversation,
} from './queries.ts';

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

/** How long a conversation can be muted. */
export const MUTES = {
  hour: { isMuted: true, mutedForSeconds: 3_600 },
  eightHours: { isMuted: true, mutedForSeconds: 8 * 3_600 },
  week: { isMuted: true, mutedForSeconds: 7 * 86_400 },
  always: { isMuted: true },
} as const satisfies Record<string, ChangeConversation>;
export const MUTED_FOR = Object.keys(MUTES) as (keyof typeof MUTES)[];

/** Changes the person's settings of a conversation; the live stream reports the change. */
export function useSettingsChange(conversationId: string) {
  return useAction((change: ChangeConversation) =>
    callChat('PATCH /conversations/:conversationId', { params: { conversationId }, body: change }),
  );
}

export type Known = Conversation & { peer: Peer };

/** The conversations with people and bots that still exist, as far as they are loaded; not with the management bot. */
export function useKnown() {
  const managementBot = useQuery(managementBotQuery).data;
  return useQuery({
    ...conversationsQuery,
    select: ({ conversations, nextCursor }) => ({
      known: conversations.filter(
        (one): one is Known =>
          one.peer !== undefined && !one.peer.isDeleted && one.peer.userId !== managementBot?.userId,
      ),
      hasMore: nextCursor !== undefined,
    }),
  });
}
