import { ParleyError } from './error.ts';
import { GrowingDraft } from './growing-draft.ts';
import { ignoreNotFound } from './read-answer.ts';
import { splitText } from './split-text.ts';
import type {
  Message,
  Profile,
  QuickReplies,
  ReceivedGroupMessage,
  ReceivedMessage,
  SentMessage,
  StoredMessage,
} from './wire.ts';

/** The content of a message without its recipient: one variant for each of the 8 types. */
export type MessageContent = ContentOf<Message>;

/** Applied to each variant separately, to keep the union. */
type ContentOf<Variant> = Variant extends Message ? Omit<Variant, 'to'> : never;

/** The context of a message: its fields, and the ways to reply. */
export interface Handled<State extends object> {
  /** State set by middleware for later handlers; empty at the start of each attempt. */
  state: Partial<State>;
  /**
   * Replies in the same conversation, quoting the message. Replies are idempotent: when an event is handled again because
   * its handler crashed half-way, the n-th reply is sent once. If the earlier run sent another text, that text stays, and
   * the result is undefined.
   *
   * @example
   * bot.on('message', async (message) => {
   *   await message.reply(`You wrote: ${message.textMsg}`);
   *   await message.reply({ type: 'gif', fileUrl: 'https://cdn.example.com/wave.gif' });
   * });
   */
  reply(content: string | MessageContent): Promise<SentMessage | undefined>;
  /**
   * Shows for a few seconds that the bot is typing, unless that fails or its quota is used up.
   *
   * @example
   * bot.on('message', async (message) => {
   *   await message.typing();
   *   await message.reply('That took a while.');
   * });
   */
  typing(): Promise<void>;
  /**
   * Replies with a text that is still being produced, such as the answer of a language model: open pages show it grow, and at the
   * end it is sent as an ordinary reply. A text that is too long becomes several replies, of which the last gets the buttons.
   * With `keepIfLost`, what was shown becomes the reply if the bot dies and does not begin again within 30 seconds.
   *
   * @throws TypeError for a piece that is no string, such as those of `fullStream` of the AI SDK
   * @example
   * bot.on('message', async (message) => {
   *   async function* words() {
   *     for (const word of ['Tomorrow ', 'will be ', '**sunny**.']) yield word;
   *   }
   *   await message.stream(words());
   * });
   */
  stream(
    text: AsyncIterable<string>,
    options?: { quickReplies?: QuickReplies; keepIfLost?: boolean },
  ): Promise<(SentMessage | undefined)[]>;
  /**
   * Changes the text of a reply, or its caption. Nothing happens if there is none, since `reply()` kept that of an earlier run, nor if
   * it has been deleted.
   *
   * @example
   * bot.on('message', async (message) => {
   *   const sent = await message.reply('One moment …');
   *   await message.edit(sent, 'Sunny, 21 °C.');
   * });
   */
  edit(reply: SentMessage | undefined, change: string | { caption: string }): Promise<void>;
  /**
   * Deletes a reply for everybody, unless it has been. A question of `bot.ask()` that has no answer is then none any more.
   *
   * @example
   * bot.on('message', async (message) => {
   *   const sent = await message.reply('Not for long');
   *   await message.delete(sent);
   * });
   */
  delete(reply: SentMessage | undefined): Promise<void>;
  /**
   * Reacts to the message. These are then all reactions of the bot to it: none takes earlier ones back.
   *
   * @example
   * bot.on('message', async (message) => {
   *   await message.react('👀');
   *   await message.reply('Sunny, 21 °C.');
   *   await message.react('👍', '🌞');
   * });
   */
  react(...emoji: string[]): Promise<void>;
  /**
   * Who wrote the message: name, username and picture, remembered for five minutes.
   *
   * @example
   * bot.on('message', async (message) => {
   *   const { name } = await message.sender();
   *   await message.reply(`Hello, ${name}!`);
   * });
   */
  sender(): Promise<Profile>;
  /**
   * The value of the button of `quickReplies` that wrote the message, or its label if it has none; undefined for a message that
   * was typed.
   *
   * @example
   * bot.on('message', async (message) => {
   *   if ((await message.quickReplyValue()) === 'order-17') return message.reply('Ordered.');
   *   const buttons = [{ label: 'Order', value: 'order-17' }, { label: 'Not today' }];
   *   await message.reply({ type: 'text', content: 'Soup?', quickReplies: { buttons, once: true } });
   * });
   */
  quickReplyValue(): Promise<string | undefined>;
}

/** A private message to the bot, and the ways to reply. */
export type IncomingMessage<State extends object = Record<string, unknown>> = ReceivedMessage &
  Handled<State>;

/** A message in a group of the bot, and the ways to reply. */
export type IncomingGroupMessage<State extends object = Record<string, unknown>> = ReceivedGroupMessage &
  Handled<State>;

/** A message of either kind; one in a group has a `groupId`. */
export type AnyMessage<State extends object = Record<string, unknown>> =
  | IncomingMessage<State>
  | IncomingGroupMessage<State>;

/** The conversation of a message or an event, as bots address it: by the group, or the person. */
export function conversationOf({ groupId, chatId }: { groupId?: string; chatId?: string }): string {
  return (groupId ?? chatId) as string;
}

/** The calls behind the methods of a message. */
export interface MessageCalls {
  /** Sends a reply under an idempotency key that is the same in every run. */
  send(content: MessageContent, idempotencyKey: string): Promise<SentMessage>;
  typing(): Promise<void>;
  /** Shows the text so far of a reply. */
  showDraft(content: string, keepIfLost: boolean): Promise<void>;
  edit(msgId: string, change: { content: string } | { caption: string }): Promise<unknown>;
  /** Deletes a message, unless it has been. */
  delete(msgId: string): Promise<unknown>;
  react(msgId: string, emoji: string[]): Promise<unknown>;
  findProfile(userId: string): Promise<Profile>;
  /** Reads a message of the conversation. */
  get(msgId: string): Promise<Pick<StoredMessage, 'quickReplyValue'>>;
}

const nothing = async (): Promise<undefined> => undefined;

/** Nobody wrote a simulated message, and no reply to it is stored. */
const OF_SANDBOX: Omit<MessageCalls, 'send'> = {
  typing: nothing,
  showDraft: nothing,
  edit: nothing,
  delete: nothing,
  react: nothing,
  findProfile: async (userId) => ({ userId, isBot: false, name: 'Sandbox' }),
  get: async () => ({}),
};

export function withCalls<D extends ReceivedMessage | ReceivedGroupMessage, State extends object>(
  data: D,
  given: MessageCalls,
  keyName = 'reply',
): D & Handled<State> {
  const calls = data.sandbox ? { ...given, ...OF_SANDBOX } : given;
  let count = 0;
  const reply = async (said: string | MessageContent): Promise<SentMessage | undefined> => {
    const content: MessageContent = typeof said === 'object' ? said : { type: 'text', content: said };
    // A simulated event has no message to quote.
    const quoted = data.sandbox ? content : { replyToMsgId: data.msgId, ...content };
    const key = `${keyName}-${data.msgId}-${++count}`;
    try {
      return await calls.send(quoted, key).catch((error) => {
        if (content.replyToMsgId) throw error;
        // The message may have been deleted meanwhile: it is answered without a quote.
        ignoreNotFound(error);
        return calls.send(content, key);
      });
    } catch (error) {
      if (error instanceof ParleyError && error.code === 'already-exists') return undefined;
      throw error;
    }
  };
  const stream: Handled<State>['stream'] = async (source, { keepIfLost = false, ...below } = {}) => {
    const sent: (SentMessage | undefined)[] = [];
    let text = '';
    const showing = new GrowingDraft((content) => calls.showDraft(content, keepIfLost));
    try {
      for await (const piece of source) {
        if (typeof piece !== 'string') throw new TypeError('a piece must be a string');
        text += piece;
        const parts = splitText(text);
        if (parts.length > 1) {
          text = parts.pop() as string;
          await showing.pause();
          for (const part of parts) sent.push(await reply(part));
        }
        showing.show(text);
      }
    } finally {
      // A draft that arrived after its message would be shown again.
      await showing.pause();
    }
    for (const content of splitText(text)) sent.push(await reply({ type: 'text', content, ...below }));
    return sent;
  };
  return {
    ...data,
    reply,
    typing: calls.typing,
    stream,
    async edit(sent, change) {
      const changed = typeof change === 'object' ? change : { content: change };
      if (sent) await calls.edit(sent.msgId, changed).catch(ignoreNotFound);
    },
    async delete(sent) {
      if (sent) await calls.delete(sent.msgId);
    },
    async react(...emoji) {
      await calls.react(data.msgId, emoji);
    },
    sender: () => calls.findProfile(data.from),
    // Every answer of a button quotes its question; it may have been deleted since.
    quickReplyValue: async () =>
      data.replyToMsgId && (await calls.get(data.msgId).catch(ignoreNotFound))?.quickReplyValue,
    state: {},
  };
}
