import { Actor, inPages } from './actor.ts';
import type { CallOptions } from './service.ts';
import type {
  Draft,
  MessageReactions,
  Operations,
  Profile,
  StoredMessage,
  StoredMessages,
  Typing,
  UploadedFile,
} from './wire.ts';

/** A file to upload, with its name. */
export interface FileToUpload {
  data: Blob | Uint8Array | ArrayBuffer | string;
  /** Shown to people. */
  name: string;
  /** The type of message that it is for; by default what its content is. */
  type?: UploadedFile['type'];
}

/** Calls for bots only: their conversations, and whom they talk to. */
export abstract class ConversationCalls extends Actor {
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
   * Sets the reactions of the bot to a message of a conversation that it is in, whoever wrote it: an empty list takes them back.
   * Returns those of everybody.
   *
   * @example
   * const { messages } = await bot.listMessages({ conversationId: ada });
   * await bot.reactToMessage({ msgId: messages[0].msgId, conversationId: ada, emoji: ['👍'] });
   */
  async reactToMessage(
    message: Operations['PUT /v1/messages/{msgId}/reactions']['input'],
    options?: CallOptions,
  ): Promise<MessageReactions> {
    return this.call('PUT /v1/messages/{msgId}/reactions', message, options);
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
