import type {
  Adapter,
  AdapterPostableMessage,
  Attachment,
  Author,
  ChannelInfo,
  ChatInstance,
  EmojiValue,
  FetchOptions,
  FetchResult,
  FormattedContent,
  Logger,
  Message,
  StreamChunk,
  StreamOptions,
  ThreadInfo,
  UserInfo,
  WebhookOptions,
} from 'chat';
import { NotImplementedError } from 'chat';
import { fetchHandler } from '../adapters/fetch.ts';
import { Bot, type BotOptions } from '../bot.ts';
import { GrowingDraft } from '../growing-draft.ts';
import type { PollOptions } from '../polling/polling.ts';
import { ProfileCache } from '../profile-cache.ts';
import { ignoreNotFound } from '../read-answer.ts';
import { Receiver } from '../receiver.ts';
import { requiredSecret } from '../required.ts';
import { WebhookRefused } from '../signature.ts';
import { splitText } from '../split-text.ts';
import type { Profile, ReceivedEvent } from '../wire.ts';
import {
  conversationIdOf,
  FORMAT,
  NAME,
  type ParleyMessage,
  type Posted,
  readPosted,
  type Sent,
  textsOf,
  threadIdOf,
  toAttachment,
  toMessage,
  withEmoji,
  withNames,
} from './content.ts';
import { eventReader, type ReadEvent } from './events.ts';
import { OwnReactions } from './own-reactions.ts';

export type { ParleyMessage } from './content.ts';

/** The credentials of the bot, as for `Bot`. Which events were handled is in the state of the toolkit. */
export type ParleyAdapterOptions = Omit<BotOptions, 'store' | 'onError'>;

/**
 * Parley as a platform of the Chat SDK (npm `chat`), for a bot that also runs elsewhere.
 *
 * @throws TypeError for credentials that are none
 * @example
 * const chat = new Chat({
 *   userName: 'weather',
 *   adapters: { parley: createParleyAdapter({ baseUrl, apiKey, webhookSecret }) },
 *   state: createMemoryState(),
 * });
 * chat.onDirectMessage((thread, message) => thread.post(`You wrote: ${message.text}`));
 */
export function createParleyAdapter(options: ParleyAdapterOptions): ParleyAdapter {
  return new ParleyAdapter(options);
}

/** The adapter that {@link createParleyAdapter} makes. */
export class ParleyAdapter implements Adapter<string, ParleyMessage> {
  readonly name = NAME;
  readonly encodeThreadId = threadIdOf;
  readonly decodeThreadId = conversationIdOf;
  readonly channelIdFromThreadId = (threadId: string) => threadId;
  /** The calls that the toolkit does not have, such as those for polls and groups. */
  readonly bot: Bot;
  readonly #webhookSecret: string | undefined;
  readonly #now: () => number;
  readonly #profiles: ProfileCache;
  readonly #reactions = new OwnReactions(this);
  userName = 'bot';
  botUserId = '';
  #readEvent: ReadEvent | undefined;
  #logger: Logger | undefined;

  constructor(options: ParleyAdapterOptions) {
    this.bot = new Bot(options);
    this.#webhookSecret = options.webhookSecret;
    this.#now = options.now ?? Date.now;
    this.#profiles = new ProfileCache((userId) => this.bot.getProfile(userId), this.#now);
  }

  async initialize(chat: ChatInstance): Promise<void> {
    const { userId, username = '' } = await this.bot.getMe();
    this.#readEvent = eventReader(this, chat);
    this.#logger = chat.getLogger(NAME);
    this.botUserId = userId;
    this.userName = username;
  }

  /**
   * The response to a webhook. As with other platforms, it does not wait for the handlers, whose errors the toolkit logs; an
   * event that has to survive a crash of the process is better fetched by `poll()`.
   */
  async handleWebhook(request: Request, options?: WebhookOptions): Promise<Response> {
    const secret = requiredSecret('webhookSecret', 'whsec_', this.#webhookSecret);
    const take = async (event: ReceivedEvent) => {
      const dispatch = await this.#read(event);
      const handled = dispatch?.(options).catch(() => undefined);
      // The toolkit tells of its own handlers, but only once it has looked whether the event is a new one.
      if (handled) options?.waitUntil?.(handled);
      return { outcome: 'handled' as const };
    };
    // Anybody can send any number of forged requests.
    const report = (error: unknown) =>
      error instanceof WebhookRefused || this.#logger?.error('a webhook could not be read', { error });
    const answer = await fetchHandler(new Receiver(secret, { take, report }, this.#now))(request);
    return answer.status === 204 ? new Response(null, { status: 200 }) : answer;
  }

  /**
   * Fetches events instead of receiving webhooks: an event is acknowledged when its handlers have succeeded, and otherwise tried
   * again, up to 8 times. Runs until the signal aborts.
   */
  poll(options?: PollOptions): Promise<void> {
    // The bot repeats what failed, and nothing else.
    const handle = async (event: ReceivedEvent) => (await this.#read(event))?.({ deduplicate: false });
    this.bot
      .on('message', (data) => handle({ type: 'message.received', data } as ReceivedEvent))
      .on('groupMessage', (data) => handle({ type: 'group_message.received', data } as ReceivedEvent));
    for (const type of ['message.edited', 'message.deleted', 'reaction.changed'] as const)
      this.bot.onEvent(type, (data) => handle({ type, data } as ReceivedEvent));
    return this.bot.poll(options);
  }

  get #read(): ReadEvent {
    if (!this.#readEvent) throw new Error('the adapter is not part of a Chat yet');
    return this.#readEvent;
  }

  /** Somebody who has left has no profile any more. */
  async authorOf(userId: string): Promise<Author> {
    const nobody: Profile = { userId, name: '', isBot: false };
    const { name, username = '', isBot } = await this.#profiles.find(userId).catch(() => nobody);
    return { userId, userName: username || name, fullName: name, isBot, isMe: userId === this.botUserId };
  }

  #withNames(said: string) {
    return withNames(withEmoji(said), (userId) => this.authorOf(userId));
  }

  /** Sends files first, then the text, in as many messages as it needs; the last has the buttons. */
  async postMessage(threadId: string, message: AdapterPostableMessage, replyToMsgId?: string): Promise<Sent> {
    return this.#sendAll(threadId, await readPosted(message, this.bot), replyToMsgId ? { replyToMsgId } : {});
  }

  /** Every message quotes the other one. */
  reply(threadId: string, messageId: string, message: AdapterPostableMessage): Promise<Sent> {
    return this.postMessage(threadId, message, messageId);
  }

  /** @throws TypeError for an empty message */
  async #sendAll(threadId: string, { text: said, buttons, files = [] }: Posted, quote = {}) {
    const conversationId = conversationIdOf(threadId);
    const { text, mentionedUserIds } = await this.#withNames(said);
    const texts = textsOf(text, buttons);
    let sent: Sent | undefined;
    for (const content of [...files, ...texts]) {
      const mentions = content === texts[0] && { mentionedUserIds };
      const raw = this.isDM(threadId)
        ? await this.bot.sendMessage({ to: conversationId, ...content, ...quote })
        : await this.bot.sendGroupMessage({ groupId: conversationId, ...content, ...quote, ...mentions });
      sent = { id: raw.msgId, threadId, raw };
    }
    if (!sent) throw new TypeError('the message is empty');
    return sent;
  }

  /** Shows the text while it grows, and then sends it. */
  async stream(
    threadId: string,
    chunks: AsyncIterable<string | StreamChunk>,
    { signal }: StreamOptions = {},
  ): Promise<Sent> {
    const conversationId = conversationIdOf(threadId);
    const showing = new GrowingDraft((content) =>
      this.bot.showDraft({ conversationId, content }, { isFleeting: true }),
    );
    let text = '';
    try {
      for await (const chunk of chunks) {
        if (signal?.aborted) break;
        if (typeof chunk === 'string') text += chunk;
        else if (chunk.type === 'markdown_text') text += chunk.text;
        showing.show(splitText(withEmoji(text)).at(-1) ?? '');
      }
    } finally {
      // A draft that arrived after its message would be shown again.
      await showing.pause();
    }
    return this.#sendAll(threadId, { text });
  }

  async editMessage(threadId: string, messageId: string, message: AdapterPostableMessage): Promise<Sent> {
    const { text: content } = await this.#withNames(FORMAT.renderPostable(message));
    const edited = { msgId: messageId, conversationId: conversationIdOf(threadId), content };
    return { id: messageId, threadId, raw: await this.bot.editMessage(edited) };
  }

  async deleteMessage(threadId: string, messageId: string): Promise<void> {
    await this.bot.deleteMessage({ msgId: messageId, conversationId: conversationIdOf(threadId) });
  }

  addReaction(threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    return this.#reactions.set({ threadId, messageId, emoji, isGiven: true });
  }

  removeReaction(threadId: string, messageId: string, emoji: EmojiValue | string): Promise<void> {
    return this.#reactions.set({ threadId, messageId, emoji, isGiven: false });
  }

  async startTyping(threadId: string): Promise<void> {
    await this.bot.sendTyping({ conversationId: conversationIdOf(threadId) });
  }

  /**
   * A page of the conversation, in a group since the bot joined.
   *
   * @throws NotImplementedError for `direction: 'forward'`
   */
  async fetchMessages(threadId: string, options: FetchOptions = {}): Promise<FetchResult<ParleyMessage>> {
    const { cursor, direction, limit } = options;
    if (direction === 'forward')
      throw new NotImplementedError('Parley reads conversations backwards', 'fetchMessages');
    const conversationId = conversationIdOf(threadId);
    const page = await this.bot.listMessages({ conversationId, ...(cursor && { before: cursor }) });
    const some = limit === undefined ? page.messages : page.messages.slice(0, limit);
    const nextCursor = some.length < page.messages.length ? some.at(-1)?.msgId : page.nextBefore;
    const messages = await Promise.all(
      some.map(async (raw) => toMessage(raw, await this.authorOf(raw.from))),
    );
    return { messages: messages.reverse(), ...(nextCursor !== undefined && { nextCursor }) };
  }

  /** Null for a message that the bot does not see. */
  async fetchMessage(threadId: string, messageId: string): Promise<Message<ParleyMessage> | null> {
    const conversationId = conversationIdOf(threadId);
    const raw = await this.bot.getMessage({ msgId: messageId, conversationId }).catch(ignoreNotFound);
    return raw ? toMessage(raw, await this.authorOf(raw.from)) : null;
  }

  async fetchThread(threadId: string): Promise<ThreadInfo> {
    const { name, ...info } = await this.fetchChannelInfo(threadId);
    return { ...info, channelId: threadId, ...(name && { channelName: name }) };
  }

  async fetchChannelInfo(channelId: string): Promise<ChannelInfo> {
    const conversationId = conversationIdOf(channelId);
    const info = { id: channelId, isDM: this.isDM(channelId), metadata: {} };
    if (info.isDM) return { ...info, name: (await this.authorOf(conversationId)).fullName };
    for await (const group of this.bot.groups())
      if (group.groupId === conversationId) return { ...info, name: group.name, metadata: { ...group } };
    return info;
  }

  async getUser(userId: string): Promise<UserInfo | null> {
    const found = await this.bot.getProfile(userId).catch(ignoreNotFound);
    if (!found) return null;
    const { name, username = '', isBot, picture } = found;
    const user = { userId, fullName: name, userName: username || name, isBot };
    return { ...user, ...(picture && { avatarUrl: picture }) };
  }

  /** The person must have written to the bot before. */
  async openDM(userId: string): Promise<string> {
    return threadIdOf(userId);
  }

  isDM(threadId: string): boolean {
    return conversationIdOf(threadId).startsWith('usr_');
  }

  postChannelMessage(channelId: string, message: AdapterPostableMessage): Promise<Sent> {
    return this.postMessage(channelId, message);
  }

  parseMessage(raw: ParleyMessage): Message<ParleyMessage> {
    if (!('from' in raw)) throw new TypeError('a message that was just sent has no content');
    const isMe = raw.from === this.botUserId;
    return toMessage(raw, { userId: raw.from, userName: '', fullName: '', isBot: isMe, isMe });
  }

  rehydrateAttachment(attachment: Attachment): Attachment {
    return attachment.url ? { ...attachment, ...toAttachment(attachment.type, attachment.url) } : attachment;
  }

  renderFormatted(content: FormattedContent): string {
    return FORMAT.fromAst(content);
  }
}
