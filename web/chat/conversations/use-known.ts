import { useQuery } from '@tanstack/react-query';
import type { Conversation, Peer } from '#contract/chat.ts';
import { conversationsQuery, managementBotQuery } from './queries.ts';

type Known = Conversation & { peer: Peer };

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
