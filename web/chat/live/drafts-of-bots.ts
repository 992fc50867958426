import { useSyncExternalStore } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import type { ChatEvent } from '#contract/live-events.ts';

/** A message that a bot is writing, as far as it is known. */
export type BotDraft = Extract<ChatEvent, { type: 'message.draft' }>['data'];

const NONE: readonly BotDraft[] = [];
const watchers = new Set<() => void>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** When the messages arrived whose drafts are over: an update may arrive late. */
const endedAt = new Map<string, number>();
let drafts: Readonly<Record<string, readonly BotDraft[]>> = {};

/** Bots may answer several questions at once. */
export function keyOfDraft({
  conversationId,
  userId,
  replyToMsgId = '',
}: Omit<BotDraft, 'content' | 'at'>): string {
  return `${conversationId} ${userId} ${replyToMsgId}`;
}

/** Shows an update for some time, or until {@link endDraft}. */
export function noteDraft(draft: BotDraft): void {
  const key = keyOfDraft(draft);
  const { conversationId } = draft;
  const shown = drafts[conversationId] ?? NONE;
  const before = shown.find((one) => keyOfDraft(one) === key);
  if (draft.at <= (endedAt.get(key) ?? 0) || draft.at < (before?.at ?? 0)) return;
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => remove(conversationId, key), LIMITS.draftSeconds * 1000),
  );
  const others = shown.map((one) => (one === before ? draft : one));
  change(conversationId, before ? others : [...shown, draft]);
}

/** The message has arrived. */
export function endDraft({ conversationId, from: userId, replyToMsgId, sentAt }: ChatMessage): void {
  const key = keyOfDraft({ conversationId, userId, ...(replyToMsgId !== undefined && { replyToMsgId }) });
  if (!timers.has(key)) return;
  endedAt.set(key, sentAt);
  remove(conversationId, key);
}

/** The messages that bots are writing in a conversation, in the order in which they began. */
export function useDraftsOfBots(conversationId: string): readonly BotDraft[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => drafts[conversationId] ?? NONE,
  );
}

function remove(conversationId: string, key: string): void {
  clearTimeout(timers.get(key));
  timers.delete(key);
  change(
    conversationId,
    (drafts[conversationId] ?? NONE).filter((one) => keyOfDraft(one) !== key),
  );
}

function change(conversationId: string, shown: readonly BotDraft[]): void {
  const { [conversationId]: _, ...rest } = drafts;
  drafts = shown.length > 0 ? { ...rest, [conversationId]: shown } : rest;
  for (const watcher of watchers) watcher();
}
