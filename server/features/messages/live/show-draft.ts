import type { ShowDraft } from '#contract/messages.ts';
import type { LiveEvent } from '#platform/live.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import { findRights } from '../access/changed-conversation.ts';
import type { MessageDeps } from '../deps.ts';
import type { KeptDraft, KeptDrafts } from './kept-drafts.ts';

/** Ten updates a second reach a page. */
const EVERY_MS = 100;

interface Pace {
  /** The newest update, if it waits. */
  next: { topic: string; event: LiveEvent } | undefined;
  timer: NodeJS.Timeout;
}

/** The messages that bots are writing, as open pages show them. Nothing is stored: each update has the whole text. */
export class ShownDrafts {
  readonly #deps: MessageDeps;
  readonly #kept: KeptDrafts;
  readonly #paces = new Map<string, Pace>();

  constructor(deps: MessageDeps, kept: KeptDrafts) {
    this.#deps = deps;
    this.#kept = kept;
  }

  /** @throws ApiError 403 if the bot may not write there */
  async show(
    own: BotConversation,
    { content, replyToMsgId, keepIfLost }: Omit<ShowDraft, 'conversationId'>,
    isAdmitted: KeptDraft['isAdmitted'],
  ): Promise<void> {
    const { refusal, audience: topic } = await findRights(this.#deps, own, own);
    if (refusal) throw refusal;
    if (topic === undefined) return;
    const { accountId: userId, conversationId } = own;
    const at = this.#deps.clock.now();
    const key = `${conversationId} ${userId} ${replyToMsgId ?? ''}`;
    if (keepIfLost)
      this.#kept.hold(key, topic, { own, content, replyToMsgId: replyToMsgId ?? undefined, at, isAdmitted });
    else this.#kept.release(key);
    const data = { conversationId, userId, content, ...(replyToMsgId && { replyToMsgId }), at };
    this.#publish(key, topic, { type: 'message.draft', data });
  }

  #publish(key: string, topic: string, event: LiveEvent): void {
    const pace = this.#paces.get(key);
    if (pace) {
      pace.next = { topic, event };
      return;
    }
    this.#deps.live.publish(topic, event);
    const timer = setInterval(() => this.#publishNext(key), EVERY_MS).unref();
    this.#paces.set(key, { next: undefined, timer });
  }

  #publishNext(key: string): void {
    const pace = this.#paces.get(key);
    if (!pace) return;
    const { next } = pace;
    pace.next = undefined;
    if (next) {
      this.#deps.live.publish(next.topic, next.event);
      return;
    }
    clearInterval(pace.timer);
    this.#paces.delete(key);
  }
}
