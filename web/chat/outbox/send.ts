import type { ChatMessage } from '#contract/chat.ts';
import { callChat } from '../../ui/api.ts';
import type { Unsent } from './store.ts';

/** An attempt that takes longer is aborted and retried. */
const TIMEOUT_MS = 20_000;

/** One attempt to send a message. */
export function sendUnsent({ key, target, content, forwarded }: Unsent): Promise<ChatMessage> {
  const options = { idempotencyKey: key, signal: AbortSignal.timeout(TIMEOUT_MS) };
  if (forwarded) return callChat('POST /messages/forward', { body: { ...target, ...forwarded }, ...options });
  return 'groupId' in target
    ? callChat('POST /groups/messages', { body: { ...target, ...content }, ...options })
    : callChat('POST /messages', { body: { ...target, ...content }, ...options });
}
