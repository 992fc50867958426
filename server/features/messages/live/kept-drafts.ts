import { LIMITS } from '#contract/limits.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import { ApiError } from '#platform/errors.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { firstIdAt } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import type { MessageDeps } from '../deps.ts';
import { findOlder } from '../queries.ts';
import type { Senders } from '../senders.ts';

/** The latest text of a draft that is kept if its bot falls silent. */
export interface KeptDraft {
  own: BotConversation;
  content: string;
  replyToMsgId: string | undefined;
  at: number;
  /** Whether the bot may send a message; counts it towards the quota of sends. */
  isAdmitted: () => Promise<boolean>;
}

interface Held extends KeptDraft {
  reserved: Reserved | undefined;
  unsubscribe: () => void;
}

const LONGEST_SILENCE_MS = LIMITS.draftSeconds * 1000;
/** As many as are looked through for the message, which is among them unless its conversation is very lively. */
const NEWEST = 100;

/**
 * Drafts that become messages when their bots have fallen silent (docs/decisions/0099). Each is in the memory of the process that got
 * its latest update: until it ends, nothing is stored.
 */
export class KeptDrafts {
  readonly #deps: MessageDeps;
  readonly #senders: Pick<Senders, 'sendPrivate' | 'sendToGroup'>;
  readonly #held = new Map<string, Held>();

  constructor(deps: MessageDeps, senders: Pick<Senders, 'sendPrivate' | 'sendToGroup'>) {
    this.#deps = deps;
    this.#senders = senders;
  }

  /** @param topic on which its updates and the message are published, also by other processes */
  hold(key: string, topic: string, draft: KeptDraft): void {
    const before = this.#held.get(key);
    if (before) Object.assign(before, draft);
    else {
      const unsubscribe = this.#deps.live.subscribe(topic, (event) => this.#follow(key, event));
      this.#held.set(key, { ...draft, reserved: undefined, unsubscribe });
    }
  }

  release(key: string): void {
    this.#held.get(key)?.unsubscribe();
    this.#held.delete(key);
  }

  /** One step: sends those whose bots have said nothing for too long, as far as they still may. */
  async sendLost(): Promise<void> {
    const silentSince = this.#deps.clock.now() - LONGEST_SILENCE_MS;
    const lost = [...this.#held].filter(([, { at }]) => at <= silentSince);
    await eachByItself(
      lost,
      async ([key, held]) => {
        // The bot may go on meanwhile, here or in another process.
        const isSilent = () => this.#held.get(key) === held && held.at <= silentSince;
        if ((await this.#isLost(held)) && isSilent()) await this.#send(held);
        if (isSilent()) this.release(key);
      },
      'not every message that a bot left unfinished could be kept',
    );
  }

  /** Another process has a later update, or the message has been sent. */
  #follow(key: string, event: LiveEvent): void {
    const held = this.#held.get(key);
    if (!held) return;
    const { conversationId, accountId } = held.own;
    const isOfDraft = (botId: string, data: { conversationId: string; replyToMsgId?: string }) =>
      botId === accountId &&
      data.conversationId === conversationId &&
      data.replyToMsgId === held.replyToMsgId;
    const isOver =
      event.type === 'message'
        ? isOfDraft(event.data.from, event.data)
        : event.type === 'message.draft' &&
          isOfDraft(event.data.userId, event.data) &&
          event.data.at > held.at;
    if (isOver) this.release(key);
  }

  /** False if the message was sent through another process whose event was lost. */
  async #isLost({ own, replyToMsgId, at, reserved, isAdmitted }: Held): Promise<boolean> {
    const since = { ...own, hiddenMsgId: firstIdAt('msg', at) };
    const rows = await findOlder(this.#deps.db, since, { before: undefined, limit: NEWEST });
    const isSent = rows.some(
      (row) =>
        row.senderId === own.accountId &&
        (row.replyToMsgId ?? undefined) === replyToMsgId &&
        row.msgId !== reserved?.id,
    );
    return !isSent && (await isAdmitted());
  }

  async #send(held: Held): Promise<void> {
    const { own, content, replyToMsgId } = held;
    const bot = { kind: 'bot' as const, accountId: own.accountId };
    const text = { type: 'text' as const, content, ...(replyToMsgId !== undefined && { replyToMsgId }) };
    // After a failure it may have been stored.
    const isResumed = held.reserved !== undefined;
    held.reserved = { id: held.reserved?.id ?? this.#deps.newId('msg'), isResumed };
    try {
      await (own.peerId === null
        ? this.#senders.sendToGroup(bot, { groupId: own.conversationId, ...text }, held.reserved)
        : this.#senders.sendPrivate(bot, { to: own.peerId, ...text }, held.reserved));
    } catch (error) {
      // The bot may no longer write there.
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
    }
  }
}
