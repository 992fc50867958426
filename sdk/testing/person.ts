import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from './browser.ts';

const LOOK_EVERY_MS = 20;

/** A message as the chat shows it to people. */
export interface TestMessage {
  msgId: string;
  /** The userId of the sender. */
  from: string;
  type: string;
  content?: string;
  /** The path of an upload, or a link to another server. */
  fileUrl?: string;
  caption?: string;
  replyToMsgId?: string;
  /** Who reacted to it, by emoji, in the order of their first use. */
  reactions?: { given: { emoji: string; userIds: string[] }[] };
  sentAt: number;
}

/** A bot or person to write to. */
export interface Recipient {
  userId: string;
}

interface Conversation {
  conversationId: string;
  peer?: { userId: string };
}

/** A person with an account, who uses the chat. */
export class TestPerson {
  readonly userId: string;
  readonly name: string;
  readonly #browser: Browser;
  readonly #seen = new Set<string>();

  constructor({ userId, name, browser }: { userId: string; name: string; browser: Browser }) {
    this.userId = userId;
    this.name = name;
    this.#browser = browser;
  }

  /**
   * Writes to a bot or a person: text, or the content of another type.
   *
   * @example
   * await ada.send(bot, 'Hello');
   * await ada.send(bot, { type: 'image', fileUrl: 'https://cdn.example.com/cat.jpg' });
   */
  send(to: Recipient, content: string | { type: string }): Promise<{ msgId: string }> {
    const message = typeof content === 'string' ? { type: 'text', content } : content;
    return this.#browser.call('POST', '/api/chat/messages', { to: to.userId, ...message });
  }

  /** The conversation with somebody, oldest first. */
  async messages(other: Recipient): Promise<TestMessage[]> {
    const list = await this.#browser.call<{ conversations: Conversation[] }>(
      'GET',
      '/api/chat/conversations',
    );
    const found = list.conversations.find(({ peer }) => peer?.userId === other.userId);
    if (!found) return [];
    const path = `/api/chat/conversations/${found.conversationId}/messages`;
    const { messages } = await this.#browser.call<{ messages: TestMessage[] }>('GET', path);
    return messages.toReversed();
  }

  /**
   * Waits for a message from somebody that this method has not returned before.
   *
   * @throws Error if none arrives in time
   * @example
   * await ada.send(bot, 'Hello');
   * const { content } = await ada.nextMessage(bot);
   */
  async nextMessage(from: Recipient, { timeoutMs = 5_000 } = {}): Promise<TestMessage> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const all = await this.messages(from);
      const next = all.find((one) => one.from === from.userId && !this.#seen.has(one.msgId));
      if (next) {
        this.#seen.add(next.msgId);
        return next;
      }
      if (Date.now() > deadline) throw new Error(`no message came within ${timeoutMs} ms`);
      await pause(LOOK_EVERY_MS);
    }
  }

  /**
   * Consents to an application's request, and returns the URL that the browser is sent back to.
   *
   * @param authorizeUrl the URL to which the application sends people, such as that of the SDK's `oauth.authorize()`
   */
  async approve(authorizeUrl: string): Promise<string> {
    const page = await (await this.#browser.page(authorizeUrl)).text();
    const consent = /name="consent" value="([^"]*)"/.exec(page)?.[1];
    if (consent === undefined) throw new Error(`Parley did not ask for consent: ${textOf(page)}`);
    const answer = await this.#browser.page('/oauth/consent', { consent, decision: 'approve' });
    return answer.headers.get('location') as string;
  }
}

/** The text that a person reads on a page. */
function textOf(page: string): string {
  const body = page.replace(/<(head|script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
  return body.replace(/\s+/g, ' ').trim();
}
