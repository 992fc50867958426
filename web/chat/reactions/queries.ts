import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import type { Reactions } from '#contract/reactions.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { useAccount } from '../../ui/session/session.ts';
import { threadQuery } from '../history/queries.ts';
import { reduceThread } from '../history/window.ts';

/** The emoji with which a person reacted to a message. */
export function ownEmoji({ reactions }: Pick<ChatMessage, 'reactions'>, accountId: string): string[] {
  return (reactions?.given ?? []).flatMap(({ emoji, userIds }) => (userIds.includes(accountId) ? emoji : []));
}

/** Adds a reaction, or removes it if the person has already given it. */
export function useReact(message: ChatMessage): (emoji: string) => void {
  const client = useQueryClient();
  const { accountId } = useAccount();
  const { conversationId, msgId } = message;
  const { mutate } = useAction(
    (emoji: string) => {
      const own = ownEmoji(message, accountId);
      const next = own.includes(emoji) ? own.filter((one) => one !== emoji) : [...own, emoji];
      return callChat('PUT /conversations/:conversationId/messages/:msgId/reactions', {
        params: { conversationId, msgId },
        body: { emoji: next },
      });
    },
    { onSuccess: (reactions) => show(client, { conversationId, msgId, reactions }) },
  );
  return mutate;
}

/** The live stream reports it, too; whichever comes first is shown. */
function show(
  client: QueryClient,
  data: { conversationId: string; msgId: string; reactions: Reactions },
): void {
  const { conversationId } = data;
  client.setQueryData(
    threadQuery(conversationId).queryKey,
    (shown) => shown && reduceThread(shown, conversationId, { type: 'message.reactions', data }),
  );
}
