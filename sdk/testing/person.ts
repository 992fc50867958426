import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from './browser.ts';

const LOOK_EVERY_MS = 20;

/** A message as the chat shows it to people. */
export interface TestMessage {
  msgId: string;
  conversationId: string;
  /** The userId of the sender. */
  from: string;
  type: string;
  content?: string;
  /** The path of an upload, or a link to another server. */
  fileUrl?: string;
  caption?: string;
  replyToMsgId?: string;
  mentionedUserIds?: string[];
  /** The buttons below it. */
  quickReplies?: { buttons: { label: string; url?: string }[] };
  poll?: { question: string; options: { id: string; text: string; votes: number }[]; closed: boolean };
  /** Who reacted to it, by emoji, in the order of their first use. */
  reactions?: { given: { emoji: string; userIds: string[] }[] };
  sentAt: number;
  editedAt?: number;
}

/** A bot or person. */
export interface TestAccount {
  userId: string;
}

/** A bot, a person or a group to write to. */
export type Recipient = TestAccount | { groupId: string };

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
   * Writes to a bot, a person or a group: text, or the content of another type.
   *
   * @example
   * await ada.send(bot, 'Hello');
   * await ada.send(group, { type: 'text', content: '@Echo, hello', mentionedUserIds: [bot.userId] });
   * await ada.send(bot, { type: 'image', fileUrl: 'https://cdn.example.com/cat.jpg' });
   */
  send(to: Recipient, content: string | { type: string }): Promise<{ msgId: string }> {
    const message = typeof content === 'string' ? { type: 'text', content } : content;
    return 'groupId' in to
      ? this.#browser.call('POST', '/api/chat/groups/messages', { groupId: to.groupId, ...message })
      : this.#browser.call('POST', '/api/chat/messages', { to: to.userId, ...message });
  }

  /**
   * Creates a group with bots and people that this person has written with.
   *
   * @example
   * const group = await ada.createGroup({ name: 'Lunch', members: [bot, ben] });
   */
  createGroup({ name, members }: { name: string; members: TestAccount[] }): Promise<{ groupId: string }> {
    const body = { name, members: members.map(({ userId }) => userId) };
    return this.#browser.call('POST', '/api/chat/groups', body);
  }

  /**
   * Presses a button below a message: writes its label as an answer.
   *
   * @throws Error if the message has no such button, or no longer
   * @example
   * await ada.press(await ada.nextMessage(bot), 'Soup');
   */
  press({ quickReplies, ...message }: TestMessage, label: string): Promise<{ msgId: string }> {
    const button = indexOf(
      label,
      quickReplies?.buttons.map((one) => one.label),
    );
    return this.#browser.call('POST', `${pathOf(message)}/quick-replies`, { button });
  }

  /** Votes for an option of a poll, or takes the vote back. */
  async vote({ msgId, poll }: TestMessage, option: string): Promise<void> {
    const index = indexOf(
      option,
      poll?.options.map(({ text }) => text),
    );
    const vote = { messageId: msgId, optionId: poll?.options[index]?.id };
    await this.#browser.call('POST', '/api/chat/polls/vote', vote);
  }

  /** Sets the person's reactions to a message: none takes them back. */
  async react(message: TestMessage, ...emoji: string[]): Promise<void> {
    await this.#browser.call('PUT', `${pathOf(message)}/reactions`, { emoji });
  }

  /** Changes the text of a message that the person wrote, or its caption. */
  async edit(message: TestMessage, text: string): Promise<void> {
    await this.#browser.call('PATCH', pathOf(message), { text });
  }

  /** Deletes a message that the person wrote, for everybody. */
  async delete(message: TestMessage): Promise<void> {
    await this.#browser.call('DELETE', pathOf(message));
  }

  /** Blocks a bot or a person, who can then no longer write. */
  async block({ userId }: TestAccount): Promise<void> {
    await this.#browser.call('POST', '/api/chat/blocks', { userId });
  }

  async unblock({ userId }: TestAccount): Promise<void> {
    await this.#browser.call('DELETE', '/api/chat/blocks', { userId });
  }

  /** The conversation with somebody or in a group, oldest first. */
  async messages(other: Recipient): Promise<TestMessage[]> {
    const conversationId = 'groupId' in other ? other.groupId : await this.#findConversation(other);
    if (!conversationId) return [];
    const path = `/api/chat/conversations/${conversationId}/messages`;
    const messages: TestMessage[] = [];
    const pages = this.#inPages<TestMessage>(path, ['messages', 'nextBefore', 'before']);
    for await (const message of pages) messages.unshift(message);
    return messages;
  }

  /**
   * Waits for a message from somebody, or of others in a group, that this method has not returned before.
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
      const isWanted = (one: TestMessage) =>
        'groupId' in from ? one.from !== this.userId && one.type !== 'notice' : one.from === from.userId;
      const next = all.find((one) => isWanted(one) && !this.#seen.has(one.msgId));
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

  async #findConversation({ userId }: TestAccount): Promise<string | undefined> {
    const names = ['conversations', 'nextCursor', 'cursor'] as const;
    for await (const { conversationId, peer } of this.#inPages<Conversation>(
      '/api/chat/conversations',
      names,
    ))
      if (peer?.userId === userId) return conversationId;
    return undefined;
  }

  async *#inPages<Item>(
    path: string,
    [items, next, after]: readonly [items: string, next: string, after: string],
  ): AsyncGenerator<Item> {
    let query = '';
    do {
      const page = await this.#browser.call<Record<string, unknown>>('GET', path + query);
      yield* page[items] as Item[];
      query = page[next] ? `?${after}=${page[next]}` : '';
    } while (query);
  }
}

function pathOf({ conversationId, msgId }: Pick<TestMessage, 'conversationId' | 'msgId'>): string {
  return `/api/chat/conversations/${conversationId}/messages/${msgId}`;
}

function indexOf(text: string, among: string[] = []): number {
  const index = among.indexOf(text);
  if (index === -1)
    throw new Error(`the message does not offer ${text}, only: ${among.join(', ') || 'nothing'}`);
  return index;
}

/** The text that a person reads on a page. */
function textOf(page: string): string {
  const body = page.replace(/<(head|script|style)\b[\s\S]*?<\/\1>/g, '').replace(/<[^>]*>/g, ' ');
  return body.replace(/\s+/g, ' ').trim();
}
