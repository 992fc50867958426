import { createContext, use } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import type { People } from '../conversations/people.ts';
import type { Unsent } from '../outbox/store.ts';

/** The conversation around a message, and the actions on it. */
export interface ThreadAround {
  isGroup: boolean;
  people: People;
  mayWrite: boolean;
  /** The commands that become links in a text: those of the bots in the conversation, with and without username. */
  commands: ReadonlySet<string>;
  mayReact: boolean;
  /** Whether the person is an administrator of the group. */
  isAdmin: boolean;
  quote: (message: ChatMessage) => void;
  edit: (message: ChatMessage) => void;
  forward: (messages: readonly ChatMessage[]) => void;
  /** Starts selecting messages with this one. */
  select: (message: ChatMessage) => void;
  mayPin: boolean;
  pinned: ReadonlySet<string>;
  send: (content: Unsent['content']) => void;
  /** Opens the picture of a message in the viewer. */
  view: (msgId: string) => void;
  /** Scrolls to the quoted message. */
  jumpTo: (msgId: string) => void;
}

export const ThreadContext = createContext<ThreadAround | undefined>(undefined);

export function useThread(): ThreadAround {
  const around = use(ThreadContext);
  if (!around) throw new Error('there is no thread around this');
  return around;
}
