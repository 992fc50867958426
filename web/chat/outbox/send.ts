import type { ChatMessage } from '#contract/chat.ts';
import { api } from '../../ui/api.ts';
import type { Unsent } from './store.ts';

/** An attempt that takes longer is aborted and retried. */
const TIMEOUT_MS = 20_000;

/** One attempt to send a message. */
export function sendUnsent({ key, target, content, forwarded }: Unsent): Promise<ChatMessage> {
  const path = forwarded
    ? '/api/chat/messages/forward'
    : 'groupId' in target
      ? '/api/chat/groups/messages'
      : '/api/chat/messages';
  return api.post<ChatMessage>(
    path,
    { ...target, ...(forwarded ?? content) },
    { idempotencyKey: key, signal: AbortSignal.timeout(TIMEOUT_MS) },
  );
}
