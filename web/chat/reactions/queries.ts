import { useQueryClient } from '@tanstack/react-query';
import type { ChatMessage } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { useAccount } from '../../ui/session/session.ts';
import { threadQuery } from '../history/queries.ts';
import { reduceThread } from '../history/window.ts';

/** Adds a reaction, or removes it if the person has already given it. */
export function useReact(message: ChatMessage): (emoji: string) => void {
  const client = useQueryClient();
  const { accountId } = useAccount();
  const { conversationId, msgId } = message;
  const { mutate } = useAction(
    (emoji: string) => {
      const given = message.reactions?.given ?? [];
      const own = given.filter(({ userIds }) => userIds.includes(accountId)).map((one) => one.emoji);
      const next = own.includes(emoji) ? own.filter((one) => one !== emoji) : [...own, emoji];
      return callChat('PUT /conversations/:conversationId/messages/:msgId/reactions', {
        params: { conversationId, msgId },
        body: { emoji: next },
      });
    },
    {
      // The live stream reports it, too; whichever comes first is shown.
      onSuccess: (reactions) => {
        const event = { type: 'message.reactions', data: { conversationId, msgId, reactions } } as const;
        client.setQueryData(
          threadQuery(conversationId).queryKey,
          (shown) => shown && reduceThread(shown, conversationId, event),
        );
      },
    },
  );
  return mutate;
}
