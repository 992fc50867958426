import {
  type Adapter,
  type Author,
  type ChatInstance,
  defaultEmojiResolver,
  type Message,
  type WebhookOptions,
} from 'chat';
import type { Bot } from '../bot.ts';
import { conversationOf } from '../incoming.ts';
import { ignoreNotFound } from '../read-answer.ts';
import { Turns } from '../turns.ts';
import type { ReactionChanged, ReceivedEvent } from '../wire.ts';
import {
  NAME,
  type ParleyMessage,
  type Received,
  readAction,
  readCommand,
  threadIdOf,
  toMessage,
} from './content.ts';

/** For as long as an event may be delivered again. */
const SEEN_MS = 24 * 60 * 60_000;

/** Passes one event to the toolkit; the promise is that of its handlers. */
type Dispatch = (options: WebhookOptions | undefined) => Promise<unknown>;

/** The adapter that gets the events. */
interface ReadingAdapter extends Adapter<string, ParleyMessage> {
  readonly bot: Bot;
  authorOf(userId: string): Promise<Author>;
  fetchMessage(threadId: string, messageId: string): Promise<Message<ParleyMessage> | null>;
}

/** Reads what is needed of an event, for the toolkit. Nothing for events that it does not know. */
export type ReadEvent = (event: ReceivedEvent) => Promise<Dispatch | undefined>;

/** Turns events of Parley into those of the toolkit. */
export function eventReader(adapter: ReadingAdapter, chat: ChatInstance): ReadEvent {
  const turns = new Turns();
  return async (event) => {
    const { type, data } = event;
    switch (type) {
      case 'message.received':
      case 'group_message.received':
        return readMessage(data);
      case 'message.edited': {
        const message = await adapter.fetchMessage(threadIdOf(conversationOf(data)), data.msgId);
        if (!message) return undefined;
        const { threadId } = message;
        return once(data.eventId, async (options) =>
          chat.processMessageUpdated({ adapter, message, threadId }, options),
        );
      }
      case 'message.deleted': {
        const threadId = threadIdOf(conversationOf(data));
        const deleted = {
          messageId: data.msgId,
          threadId,
          channelId: threadId,
          deletedAt: new Date(data.at),
        };
        return once(data.eventId, async (options) =>
          chat.processMessageDeleted({ adapter, ...deleted, raw: data }, options),
        );
      }
      case 'reaction.changed':
        return readReaction(data);
      default:
        return undefined;
    }
  };

  async function readMessage(raw: Received): Promise<Dispatch | undefined> {
    if (raw.from === adapter.botUserId) return undefined;
    const conversationId = conversationOf(raw);
    const threadId = threadIdOf(conversationId);
    const user = await adapter.authorOf(raw.from);
    const isSandbox = 'sandbox' in raw;
    // Every answer of a button quotes its question; it may have been deleted since.
    const stored =
      raw.replyToMsgId === undefined || isSandbox
        ? undefined
        : await adapter.bot.getMessage({ msgId: raw.msgId, conversationId }).catch(ignoreNotFound);
    const pressed = stored?.quickReplyValue;
    if (pressed !== undefined) {
      const { actionId, value } = readAction(pressed);
      const action = { actionId, messageId: String(raw.replyToMsgId), threadId, user, raw };
      return once(raw.msgId, (options) =>
        chat.processAction({ adapter, ...action, ...(value !== undefined && { value }) }, options),
      );
    }
    const command = readCommand(raw.textMsg, adapter.userName);
    if (command)
      return once(raw.msgId, async (options) =>
        chat.processSlashCommand({ adapter, channelId: threadId, user, raw, ...command }, options),
      );
    // The toolkit handles each message once.
    return async (options) => chat.processMessage(adapter, threadId, toMessage(raw, user), options);
  }

  /** An event of Parley has all reactions of a person; the toolkit wants the difference. */
  async function readReaction(data: ReactionChanged): Promise<Dispatch> {
    const threadId = threadIdOf(conversationOf(data));
    const user = await adapter.authorOf(data.by);
    const key = `${NAME}:reactions:${data.msgId}:${data.by}`;
    const tellAll = async (options: WebhookOptions | undefined) => {
      const before = (await chat.getState().get<string[]>(key)) ?? [];
      const changed = (some: readonly string[], others: readonly string[]) =>
        some.filter((emoji) => !others.includes(emoji));
      const tell = (rawEmoji: string, added: boolean) =>
        chat.processReaction(
          {
            adapter,
            added,
            rawEmoji,
            emoji: defaultEmojiResolver.fromGChat(rawEmoji),
            messageId: data.msgId,
            threadId,
            user,
            raw: data,
          },
          options,
        );
      for (const emoji of changed(before, data.emoji)) await tell(emoji, false);
      for (const emoji of changed(data.emoji, before)) await tell(emoji, true);
      await chat.getState().set(key, data.emoji);
    };
    return once(data.eventId, (options) => turns.run(key, () => tellAll(options)));
  }

  function once(id: string, dispatch: Dispatch): Dispatch {
    const state = chat.getState();
    return async (options) => {
      if (options?.deduplicate === false) return dispatch(options);
      const key = `${NAME}:seen:${id}`;
      if (!(await state.setIfNotExists(key, true, SEEN_MS))) return undefined;
      try {
        return await dispatch(options);
      } catch (error) {
        await state.delete(key);
        throw error;
      }
    };
  }
}
