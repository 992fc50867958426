import type { FoundAnswer } from './composer.ts';
import { type AnyMessage, conversationOf } from './incoming.ts';
import type { SessionStore } from './session.ts';
import { Turns } from './turns.ts';
import type { QuickReplies, SentMessage } from './wire.ts';

/** A question that was asked, as a store keeps it. */
export interface Question {
  name: string;
  msgId: string;
  data?: unknown;
  /** Epoch milliseconds. */
  expiresAt: number;
  /** The message that the question replies to. */
  askedBy: string;
  /** The message that answered it. */
  answeredBy?: string;
  /** Only a message that quotes the question answers it. */
  isQuoteNeeded: boolean;
}

/** How a question is asked. */
export interface AskOptions {
  /** Chooses the handlers of the answer: those of `bot.onAnswer(name, …)`. */
  name: string;
  /** In a group, only the person who is asked may press them. */
  quickReplies?: QuickReplies;
  /** For the handlers of the answer; it is what JSON can express. */
  data?: unknown;
  /** A message that was written later is no answer, but an ordinary message. Defaults to 1,440, a day. */
  timeoutMinutes?: number;
}

/** How many questions to one person in one conversation are remembered. */
const MOST_QUESTIONS = 20;

/** The questions of a bot, by conversation and person. */
export class Questions {
  readonly #store: SessionStore<Question[]>;
  readonly #now: () => number;
  /** An answer that arrives before its question is stored waits for that. */
  readonly #turns = new Turns();

  constructor(store: SessionStore<Question[]>, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  async ask(
    message: AnyMessage<object>,
    content: string,
    { name, quickReplies, data, timeoutMinutes = 1440 }: AskOptions,
  ): Promise<SentMessage | undefined> {
    const { from, msgId: askedBy, sandbox } = message;
    const isInGroup = 'groupId' in message;
    if (!(timeoutMinutes > 0 && timeoutMinutes < Infinity))
      throw new TypeError('timeoutMinutes must be a number above 0');
    const expiresAt = this.#now() + timeoutMinutes * 60_000;
    return this.#inTurn(message, async (asked, write) => {
      const sent = await message.reply({
        ...{ type: 'text', content },
        ...(isInGroup && { mentionedUserIds: [from] }),
        ...(quickReplies && { quickReplies: { ...quickReplies, mentionedOnly: isInGroup } }),
      });
      // The handler may run again after its question was answered.
      if (sent && !asked.some(({ msgId }) => msgId === sent.msgId)) {
        const earlier = asked.slice(1 - MOST_QUESTIONS).map((one) => ({ ...one, isQuoteNeeded: true }));
        // Nobody can quote anything in the group of simulated messages.
        const isQuoteNeeded = isInGroup && !sandbox;
        await write([...earlier, { ...sent, name, data, expiresAt, askedBy, isQuoteNeeded }]);
      }
      return sent;
    });
  }

  /** The question that the message answers, the same one in every run, and the answer. Each question has one answer. */
  async findAnswer(message: AnyMessage<object>): Promise<FoundAnswer | undefined> {
    const { msgId, replyToMsgId, sentAt } = message;
    const question = await this.#inTurn(message, async (asked, write) => {
      const answered = asked.find(({ answeredBy }) => answeredBy === msgId);
      if (answered) return answered;
      const open = asked.find(
        (one) =>
          !one.answeredBy &&
          one.askedBy !== msgId &&
          sentAt < one.expiresAt &&
          (replyToMsgId === one.msgId || (!replyToMsgId && !one.isQuoteNeeded)),
      );
      if (open) await write(asked.map((one) => (one === open ? { ...one, answeredBy: msgId } : one)));
      return open;
    });
    if (!question) return undefined;
    const value = (await message.quickReplyValue()) ?? message.textMsg;
    return { name: question.name, answer: { value, data: question.data } };
  }

  #inTurn<T>(
    message: AnyMessage<object>,
    work: (asked: Question[], write: (asked: Question[]) => Promise<void>) => Promise<T>,
  ): Promise<T> {
    const key = `${conversationOf(message)} ${message.from}`;
    return this.#turns.run(key, async () =>
      work((await this.#store.read(key)) ?? [], (asked) => this.#store.write(key, asked)),
    );
  }
}
