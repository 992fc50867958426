import type { FoundAnswer } from './composer.ts';
import { type AnyMessage, conversationOf } from './incoming.ts';
import { inTurns, type SessionStore } from './session.ts';
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

/** Where a message was written, and by whom. */
type Place = Parameters<typeof conversationOf>[0] & { from: string };

/** How many questions to one person in one conversation are remembered. */
const MOST_QUESTIONS = 20;

/** The questions of a bot, by conversation and person. */
export class Questions {
  readonly #now: () => number;
  /** An answer that arrives before its question is stored waits for that. */
  readonly #change: ReturnType<typeof inTurns<Question[]>>;

  constructor(store: SessionStore<Question[]>, now: () => number) {
    this.#change = inTurns(store);
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
    let sent: SentMessage | undefined;
    await this.#update(message, async (asked) => {
      sent = await message.reply({
        ...{ type: 'text', content },
        ...(isInGroup && { mentionedUserIds: [from] }),
        ...(quickReplies && { quickReplies: { ...quickReplies, mentionedOnly: isInGroup } }),
      });
      // The handler may run again after its question was answered.
      if (!sent || asked.some(({ msgId }) => msgId === sent?.msgId)) return asked;
      // Nobody can quote anything in the group of simulated messages.
      const isQuoteNeeded = isInGroup && !sandbox;
      return [
        ...asked.slice(1 - MOST_QUESTIONS).map((one) => ({ ...one, isQuoteNeeded: true })),
        { ...sent, name, data, expiresAt, askedBy, isQuoteNeeded },
      ];
    });
    return sent;
  }

  /** The question that the message answers, the same one in every run, and the answer. Each question has one answer. */
  async findAnswer(message: AnyMessage<object>): Promise<FoundAnswer | undefined> {
    const { msgId, replyToMsgId, sentAt } = message;
    let question: Question | undefined;
    await this.#update(message, async (asked) => {
      question =
        asked.find(({ answeredBy }) => answeredBy === msgId) ??
        asked.find(
          (one) =>
            !one.answeredBy &&
            one.askedBy < msgId &&
            sentAt < one.expiresAt &&
            (replyToMsgId === one.msgId || (!replyToMsgId && !one.isQuoteNeeded)),
        );
      if (!question || question.answeredBy) return asked;
      return asked.map((one) => (one === question ? { ...one, answeredBy: msgId } : one));
    });
    if (!question) return undefined;
    const value = (await message.quickReplyValue()) ?? message.textMsg;
    return { name: question.name, answer: { value, data: question.data } };
  }

  /** A question that the bot deletes before it was answered is none any more. */
  withdraw(message: Place, msgId: string): Promise<void> {
    return this.#update(message, async (asked) => {
      const left = asked.filter((one) => one.msgId !== msgId || one.answeredBy);
      return left.length < asked.length ? left : asked;
    });
  }

  #update(message: Place, change: (asked: Question[]) => Promise<Question[]>): Promise<void> {
    return this.#change(`${conversationOf(message)} ${message.from}`, async (current) => {
      const asked = current ?? [];
      const next = await change(asked);
      return next === asked ? current : next;
    });
  }
}
