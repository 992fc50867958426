import { createContext, use } from 'react';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** Actions on a message, wherever it is shown. */
export interface ThreadActions {
  conversationId: Conversation['conversationId'];
  mayWrite: boolean;
  /** Whether commands in texts do something: they do where a bot hears them. */
  hasCommands: boolean;
  quote: (message: ChatMessage) => void;
  send: (content: Unsent['content']) => void;
  /** Shows the message that another one quotes. */
  jumpTo: (msgId: string) => void;
}

export const ThreadContext = createContext<ThreadActions | undefined>(undefined);

export function useThread(): ThreadActions {
  const actions = use(ThreadContext);
  if (!actions) throw new Error('there is no thread around this');
  return actions;
}
