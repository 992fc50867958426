import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Receipt } from '#contract/chat/receipts.ts';
import type { ChatMessage } from '#contract/chat.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { callChat } from '../../ui/api.ts';
import { chatKey, feed } from '../live/feed.ts';

/** The read and delivery markers of the others in a conversation, if they share them. */
export type Receipts = readonly Receipt[];

export function receiptsQuery(conversationId: string) {
  return queryOptions({
    queryKey: [...chatKey, 'receipts', conversationId],
    queryFn: ({ signal }): Promise<Receipts> =>
      feed.read<Receipts>(
        () => callChat('GET /conversations/:conversationId/receipts', { params: { conversationId }, signal }),
        (receipts, event) => reduceReceipts(receipts, conversationId, event),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The markers after an event; they never move back. Sending a message implies having read those before it. */
export function reduceReceipts(receipts: Receipts, conversationId: string, event: ChatEvent): Receipts {
  switch (event.type) {
    case 'conversation.receipt':
      return event.data.conversationId === conversationId ? moved(receipts, event.data) : receipts;
    case 'message': {
      const { conversationId: id, from: userId, msgId: readMsgId, type } = event.data;
      return id === conversationId && type !== 'notice' ? moved(receipts, { userId, readMsgId }) : receipts;
    }
    default:
      return receipts;
  }
}

function moved(receipts: Receipts, { userId, deliveredMsgId = '', readMsgId = '' }: Receipt): Receipts {
  const known = receipts.find((one) => one.userId === userId);
  if (!known) return receipts;
  const isNews = deliveredMsgId > (known.deliveredMsgId ?? '') || readMsgId > (known.readMsgId ?? '');
  if (!isNews) return receipts;
  const now = {
    userId,
    deliveredMsgId: later(known.deliveredMsgId, deliveredMsgId),
    readMsgId: later(known.readMsgId, readMsgId),
  };
  return receipts.map((one) => (one === known ? now : one));
}

function later(one = '', other: string): string {
  return one > other ? one : other;
}

/** The receipts of the person's own message: whether it was delivered, and who has read it. */
export function stateOf(receipts: Receipts, msgId: string): { isDelivered: boolean; readers: string[] } {
  const readers = receipts.filter(({ readMsgId = '' }) => readMsgId >= msgId).map(({ userId }) => userId);
  const isDelivered =
    readers.length > 0 || receipts.some(({ deliveredMsgId = '' }) => deliveredMsgId >= msgId);
  return { isDelivered, readers };
}

/** The receipts of a message, from the data already loaded. */
export function useReceipt({ conversationId, msgId }: ChatMessage): ReturnType<typeof stateOf> | undefined {
  const shown = useQuery({
    ...receiptsQuery(conversationId),
    enabled: false,
    select: (receipts) => stateOf(receipts, msgId),
  });
  return shown.data;
}
