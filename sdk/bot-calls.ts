import { Actor, inPages } from './actor.ts';
import type { CallOptions } from './service.ts';
import type {
  AcknowledgeEvents,
  ChangeBot,
  DeadLetter,
  DeadLetterPage,
  Draft,
  EventPage,
  Operations,
  OwnBot,
  OwnGroup,
  OwnGroups,
  Profile,
  ReplayedEvents,
  RequestPage,
  SetWebhook,
  StoredMessage,
  StoredMessages,
  Typing,
  UploadedFile,
  Webhook,
} from './wire.ts';

/** A file to upload, with its name. */
export interface FileToUpload {
  data: Blob | Uint8Array | ArrayBuffer | string;
  /** Shown to people. */
  name: string;
  /** The type of message that it is for; by default what its content is. */
  type?: UploadedFile['type'];
}

/** Calls for bots only: whom and where they are, and the stored events and requests of their application. */
export abstract class BotCalls extends Actor {
  /**
   * The name, username and picture of a person who wrote to the bot, or of anybody in a group with it.
   *
   * @example
   * const { name, username } = await bot.getProfile(ada);
   */
  async getProfile(userId: string, options?: CallOptions): Promise<Profile> {
    return this.call('GET /v1/people/{userId}', { userId }, options);
  }

  /**
   * Reads a message of a conversation that the bot is in, whoever wrote it.
   *
   * @example
   * const { messages } = await bot.listMessages({ conversationId: ada });
   * const { textMsg, editedAt } = await bot.getMessage({ msgId: messages[0].msgId, conversationId: ada });
   */
  async getMessage(
    message: Operations['GET /v1/messages/{msgId}']['input'],
    options?: CallOptions,
  ): Promise<StoredMessage> {
    return this.call('GET /v1/messages/{msgId}', message, options);
  }

  /**
   * One page of a conversation that the bot is in, newest first.
   *
   * @example
   * const { messages, nextBefore } = await bot.listMessages({ conversationId: group });
   * console.log(messages.length, nextBefore ? 'and more' : 'in all');
   */
  async listMessages(
    page: Operations['GET /v1/conversations/{conversationId}/messages']['input'],
    options?: CallOptions,
  ): Promise<StoredMessages> {
    return this.call('GET /v1/conversations/{conversationId}/messages', page, options);
  }

  /**
   * All messages of a conversation that the bot is in, newest first, loaded page by page: what both sides wrote, in a group
   * since the bot joined.
   *
   * @param conversationId `chatId` or `groupId` of its messages
   * @example
   * for await (const { from, textMsg } of bot.history(ada)) console.log(from, textMsg);
   */
  history(conversationId: string, options?: CallOptions): AsyncGenerator<StoredMessage, void> {
    return inPages(['before', 'nextBefore', 'messages'], (page) =>
      this.listMessages({ conversationId, ...page }, options),
    );
  }

  /**
   * Shows for a few seconds that the bot is typing.
   *
   * @example
   * await bot.sendTyping({ conversationId: ada });
   */
  async sendTyping(conversation: Typing, options?: CallOptions): Promise<void> {
    await this.call('POST /v1/messages/typing', conversation, options);
  }

  /**
   * Shows the text so far of a message that the bot is writing, on open pages of the conversation, until that message is sent
   * with the same `replyToMsgId` or 30 seconds have passed. `message.stream()` does both.
   *
   * @example
   * await bot.showDraft({ conversationId: ada, content: 'Tomorrow will be' });
   * await bot.sendMessage({ to: ada, type: 'text', content: 'Tomorrow will be sunny.' });
   */
  async showDraft(draft: Draft, options?: CallOptions): Promise<void> {
    await this.call('PUT /v1/messages/draft', draft, options);
  }

  /**
   * Uploads a file to the service, for a message that is sent in the next 24 hours.
   *
   * @param file a `File`, or its content and name; in Node, `fs.openAsBlob()` reads a large one from disk while it is sent
   * @throws TypeError for anything else, such as a path or a stream
   * @example
   * const { type, fileUrl } = await bot.upload({ data: 'Warm tea\nDry socks', name: 'list.txt' });
   * await bot.sendMessage({ to: ada, type: 'doc', fileUrl, caption: 'What to bring' });
   */
  async upload(file: Blob | FileToUpload, options?: CallOptions): Promise<UploadedFile> {
    const { data, name, type }: Partial<FileToUpload> = file instanceof Blob ? { data: file } : (file ?? {});
    // A Blob turns whatever else it is given into text, such as "undefined".
    if (!isContent(data)) {
      throw new TypeError('upload() takes a Blob, or { data, name } with a Blob, bytes or a string as data');
    }
    const form = new FormData();
    const blob = data instanceof Blob ? data : new Blob([data as string]);
    form.append('file', blob, name ?? (blob as { name?: string }).name ?? 'file');
    return this.call('POST /v1/uploads', type ? { type } : {}, options, { form });
  }

  /**
   * Changes the description, commands or picture of the bot. The API key needs the scope `bot:manage`, which its owner grants in
   * the console.
   *
   * @example
   * await bot.changeMe({ commands: [{ command: 'today', description: 'The weather of today' }] });
   */
  async changeMe(profile: ChangeBot, options?: CallOptions): Promise<OwnBot> {
    return this.call('PATCH /v1/me', profile, options);
  }

  /**
   * The webhook URL, the chosen events, and how the latest attempt went. The API key needs the scope `bot:manage`.
   *
   * @example
   * const { failingSince, lastAttempt } = await bot.getWebhook();
   * if (failingSince) console.error(lastAttempt?.message);
   */
  async getWebhook(options?: CallOptions): Promise<Webhook> {
    return this.call('GET /v1/webhook', undefined, options);
  }

  /**
   * Sets the webhook URL and the chosen events, such as in a pipeline that deploys the bot. The API key needs the scope
   * `bot:manage`.
   *
   * @example
   * await bot.setWebhook({ webhookUrl: 'https://hooks.example.com/bot', events: ['group.joined'] });
   */
  async setWebhook(webhook: SetWebhook, options?: CallOptions): Promise<Webhook> {
    return this.call('PUT /v1/webhook', webhook, options);
  }

  /**
   * Changes the text of a message that the bot sent in the last 48 hours, or the caption of its image, video or document.
   *
   * @example
   * const { msgId } = await bot.sendMessage({ to: ada, type: 'text', content: 'One moment …' });
   * await bot.editMessage({ msgId, conversationId: ada, content: 'Sunny, 21 °C.' });
   */
  async editMessage(
    message: Operations['PATCH /v1/messages/{msgId}']['input'],
    options?: CallOptions,
  ): Promise<StoredMessage> {
    return this.call('PATCH /v1/messages/{msgId}', message, options);
  }

  /**
   * Deletes a message that the bot sent in the last 48 hours, for everybody.
   *
   * @example
   * const { msgId } = await bot.sendMessage({ to: ada, type: 'text', content: 'Not for long' });
   * await bot.deleteMessage({ msgId, conversationId: ada });
   */
  async deleteMessage(
    message: Operations['DELETE /v1/messages/{msgId}']['input'],
    options?: CallOptions,
  ): Promise<void> {
    await this.call('DELETE /v1/messages/{msgId}', message, options);
  }

  /**
   * One page of the groups and broadcast lists that the bot is in.
   *
   * @example
   * const { groups, nextCursor } = await bot.listGroups();
   * console.log(groups.length, nextCursor ? 'and more' : 'in all');
   */
  async listGroups(page: { cursor?: string } = {}, options?: CallOptions): Promise<OwnGroups> {
    return this.call('GET /v1/groups', page, options);
  }

  /**
   * All groups and broadcast lists that the bot is in, loaded page by page.
   *
   * @example
   * for await (const { groupId, name, isAdmin } of bot.groups()) console.log(groupId, name, isAdmin);
   */
  groups(options?: CallOptions): AsyncGenerator<OwnGroup, void> {
    return inPages(['cursor', 'nextCursor', 'groups'], (page) => this.listGroups(page, options));
  }

  /**
   * One page of the stored events, oldest first. `poll()` is the easy way to handle them.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents({ limit: 10 });
   * const { hasMore } = await bot.listEvents({ after: nextAfter });
   */
  async listEvents(page: { after?: string; limit?: number } = {}, options?: CallOptions): Promise<EventPage> {
    return this.call('GET /v1/events', page, options);
  }

  /**
   * Stores how far the bot has handled its events, and abandons some of them; `poll()` calls it automatically.
   * `listEvents({ after: 'acknowledged' })` continues there.
   *
   * @example
   * const { events, nextAfter } = await bot.listEvents();
   * for (const { event } of events) console.log(event.type, event.data.sentAt);
   * await bot.acknowledgeEvents({ upTo: nextAfter });
   */
  async acknowledgeEvents(events: AcknowledgeEvents, options?: CallOptions): Promise<void> {
    await this.call('POST /v1/events/acknowledge', events, options);
  }

  /**
   * One page of the application's API log, the latest request first.
   *
   * @example
   * const { requests } = await bot.listRequests();
   * for (const { method, route, status } of requests) console.log(method, route, status);
   */
  async listRequests(page: { before?: string } = {}, options?: CallOptions): Promise<RequestPage> {
    return this.call('GET /v1/requests', page, options);
  }

  /**
   * One page of the abandoned events, oldest first.
   *
   * @example
   * const { deadLetters, nextAfter } = await bot.listDeadLetters({ limit: 10 });
   * console.log(deadLetters.length, nextAfter ? 'and more' : 'in all');
   */
  async listDeadLetters(
    page: { after?: string; limit?: number } = {},
    options?: CallOptions,
  ): Promise<DeadLetterPage> {
    return this.call('GET /v1/events/dead-letters', page, options);
  }

  /**
   * All abandoned events, oldest first: abandoned by `poll()` after 8 attempts, or by the service after 8 attempts at the
   * webhook.
   *
   * @example
   * for await (const { eventId, message } of bot.deadLetters()) {
   *   console.log(message);
   *   await bot.replayEvents([eventId]);
   * }
   */
  deadLetters(options?: CallOptions): AsyncGenerator<DeadLetter, void> {
    return inPages(['after', 'nextAfter', 'deadLetters'], (page) => this.listDeadLetters(page, options));
  }

  /**
   * Redelivers up to 100 events, by webhook or to `poll()`, which skips those that the bot has handled.
   *
   * @example
   * const { replayed } = await bot.replayEvents(['dlv_06f2c8k4x1m9q7t3w5z8b2n4']);
   */
  async replayEvents(eventIds: string[], options?: CallOptions): Promise<ReplayedEvents> {
    return this.call('POST /v1/events/replay', { eventIds }, options);
  }
}

function isContent(data: unknown): data is FileToUpload['data'] {
  return (
    typeof data === 'string' ||
    data instanceof Blob ||
    data instanceof ArrayBuffer ||
    ArrayBuffer.isView(data)
  );
}
