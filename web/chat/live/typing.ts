import { useSyncExternalStore } from 'react';
import { callChat } from '../../ui/api.ts';

/** Typing is sent again before this has passed. */
const TYPING_MS = 6_000;
const TELL_EVERY_MS = 4_000;

const NOBODY: readonly string[] = [];
const watchers = new Set<() => void>();
const timers = new Map<string, ReturnType<typeof setTimeout>>();
/** Who is typing, by conversation. */
let typing: Readonly<Record<string, readonly string[]>> = {};

interface Typist {
  conversationId: string;
  userId: string;
}

/** Records that somebody is typing: shown for a few seconds, or until {@link endTyping}. */
export function noteTyping(typist: Typist): void {
  const key = `${typist.conversationId} ${typist.userId}`;
  clearTimeout(timers.get(key));
  timers.set(
    key,
    setTimeout(() => endTyping(typist), TYPING_MS),
  );
  const { conversationId, userId } = typist;
  const others = typing[conversationId] ?? NOBODY;
  if (!others.includes(userId)) change(conversationId, [...others, userId]);
}

export function endTyping({ conversationId, userId }: Typist): void {
  const key = `${conversationId} ${userId}`;
  clearTimeout(timers.get(key));
  timers.delete(key);
  const before = typing[conversationId];
  if (!before?.includes(userId)) return;
  change(
    conversationId,
    before.filter((one) => one !== userId),
  );
}

/** Who is typing in a conversation, in the order in which they started. */
export function useTyping(conversationId: string): readonly string[] {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => typing[conversationId] ?? NOBODY,
  );
}

const sentAt = new Map<string, number>();

/** Tells the others that the person is typing, no more often than needed. */
export function tellTyping(conversationId: string): void {
  const now = Date.now();
  if (now - (sentAt.get(conversationId) ?? 0) < TELL_EVERY_MS) return;
  sentAt.set(conversationId, now);
  // A lost typing indicator does not matter.
  callChat('POST /conversations/:conversationId/typing', { params: { conversationId } }).catch(
    () => undefined,
  );
}

/** The message was sent: further typing is announced at once. */
export function doneTyping(conversationId: string): void {
  sentAt.delete(conversationId);
}

function change(conversationId: string, userIds: readonly string[]): void {
  const { [conversationId]: _, ...rest } = typing;
  typing = userIds.length > 0 ? { ...rest, [conversationId]: userIds } : rest;
  for (const watcher of watchers) watcher();
}
