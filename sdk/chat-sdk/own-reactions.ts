import { defaultEmojiResolver, type EmojiValue } from 'chat';
import type { Bot } from '../bot.ts';
import { Turns } from '../turns.ts';
import { conversationIdOf } from './content.ts';

/** Whether the bot reacts to a message with an emoji. */
interface OwnReaction {
  threadId: string;
  messageId: string;
  emoji: EmojiValue | string;
  isGiven: boolean;
}

/** The reactions of the bot: a call of Parley sets all of them to a message, and the toolkit changes one. */
export class OwnReactions {
  readonly #adapter: { readonly bot: Bot; readonly botUserId: string };
  readonly #turns = new Turns();

  constructor(adapter: { readonly bot: Bot; readonly botUserId: string }) {
    this.#adapter = adapter;
  }

  async set({ threadId, messageId: msgId, emoji, isGiven }: OwnReaction): Promise<void> {
    const { bot, botUserId } = this.#adapter;
    const conversationId = conversationIdOf(threadId);
    const changed = defaultEmojiResolver.toGChat(emoji);
    await this.#turns.run(msgId, async () => {
      const { reactions = [] } = await bot.getMessage({ msgId, conversationId });
      const own = reactions.flatMap((one) => (one.userIds.includes(botUserId) ? one.emoji : []));
      const others = own.filter((one) => one !== changed);
      await bot.reactToMessage({ msgId, conversationId, emoji: isGiven ? [...others, changed] : others });
    });
  }
}
