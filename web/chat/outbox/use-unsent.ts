import { useMemo, useSyncExternalStore } from 'react';
import { outbox } from './outbox.ts';
import type { Unsent } from './store.ts';

/** The unsent messages of a conversation, in the order in which they were written. */
export function useUnsent(conversationId: string): Unsent[] {
  const all = useSyncExternalStore(outbox.subscribe, outbox.all);
  return useMemo(
    () => all.filter((unsent) => unsent.conversationId === conversationId),
    [all, conversationId],
  );
}
