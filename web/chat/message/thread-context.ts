import { createContext, use } from 'react';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import type { Unsent } from '../outbox/store.ts';

/** Actions on a message, wherever it is shown. */
export interface ThreadActions {
  conversationId: Conversation['conversationId'];
  mayWrite: boolean;
  /** The commands that are links in a text: those of the bots that are here, with and without the bot's username. */
  commands: ReadonlySet<string>;
  mayReact: boolean;
  /** Whether the person administers the group. */
  isAdmin: boolean;
  quote: (message: ChatMessage) => void;
  edit: (message: ChatMessage) => void;
  forward: (messages: readonly ChatMessage[]) => void;
  /** Begins a choice of several messages with this one. */
  select: (message: ChatMessage) => void;
  mayPin: boolean;
  pinned: ReadonlySet<string>;
  send: (content: Unsent['content']) => void;
  /** Shows the picture of a message as large as the window. */
  view: (msgId: string) => void;
  /** Shows the message that another one quotes. */
  jumpTo: (msgId: string) => void;
}

export const ThreadContext = createContext<ThreadActions | undefined>(undefined);

export function useThread(): ThreadActions {
  const actions = use(ThreadContext);
  if (!actions) throw new Error('there is no thread around this');
  return actions;
}
