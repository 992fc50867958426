import type { ChatMessage } from '#contract/chat.ts';
import { api } from '../../ui/api.ts';
import type { Unsent } from './store.ts';

/** A send that hangs for this long is aborted and tried again. */
const TIMEOUT_MS = 20_000;

/** One try to hand a message to the server. */
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
