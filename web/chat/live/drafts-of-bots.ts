import type { ChatMessage } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ChatEvent } from '#contract/live-events.ts';
import { ShownForAWhile, useShown } from './for-a-while.ts';

/** A message that a bot is writing, as far as it is known. */
export type BotDraft = Extract<ChatEvent, { type: 'message.draft' }>['data'];

/** Longer than the server waits: a text that is kept is replaced by its message instead of disappearing before. */
const SHOWN_MS = (LIMITS.draftSeconds + 2) * 1000;
const drafts = new ShownForAWhile<BotDraft>(SHOWN_MS, keyOfDraft);
/** When the messages arrived whose drafts are over: an update may arrive late. */
const endedAt = new Map<string, number>();

/** Bots may answer several questions of a conversation at once. */
export function keyOfDraft({ userId, replyToMsgId = '' }: Pick<BotDraft, 'userId' | 'replyToMsgId'>): string {
  return `${userId} ${replyToMsgId}`;
}

/** Shows an update for some time, or until it has no text any more, or until {@link endDrafts}. */
export function noteDraft(draft: BotDraft): void {
  const { conversationId, at } = draft;
  const key = keyOfDraft(draft);
  const before = drafts.find(conversationId, key);
  if (at <= (endedAt.get(`${conversationId} ${key}`) ?? 0) || at < (before?.at ?? 0)) return;
  if (draft.content === '') endDraft(conversationId, key, at);
  else drafts.show(conversationId, draft);
}

function endDraft(conversationId: string, key: string, at: number): void {
  endedAt.set(`${conversationId} ${key}`, at);
  drafts.end(conversationId, key);
}

/** The message has arrived, or the notice that its author is gone. */
export function endDrafts({ conversationId, from, replyToMsgId, notice, sentAt }: ChatMessage): void {
  const departed = notice?.kind === 'left' ? [from] : notice?.kind === 'removed' ? notice.userIds : [];
  for (const draft of drafts.of(conversationId)) {
    const isSent = !notice && draft.userId === from && draft.replyToMsgId === replyToMsgId;
    if (!isSent && !departed?.includes(draft.userId)) continue;
    endDraft(conversationId, keyOfDraft(draft), sentAt);
  }
}

/** The messages that bots are writing in a conversation, in the order in which they began. */
export function useDraftsOfBots(conversationId: string): readonly BotDraft[] {
  return useShown(drafts, conversationId);
}
