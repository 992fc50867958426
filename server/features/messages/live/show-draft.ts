import { LIMITS } from '#contract/limits.ts';
import type { ShowDraft } from '#contract/messages.ts';
import type { Actor } from '#features/applications/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import { groupKey } from '#features/groups/index.ts';
import { Batcher, UNHURRIED } from '#platform/batch.ts';
import { paced } from '#platform/concurrency/paced.ts';
import { isGap, type LiveEvent } from '#platform/live.ts';
import { findBotAccess } from '../access/bot-conversation.ts';
import type { MessageDeps } from '../deps.ts';
import type { KeptDraft, KeptDrafts } from './kept-drafts.ts';

/** At most ten updates a second reach a page. */
const EVERY_MS = 100;
/** As long as a page shows an update. */
const SHOWN_MS = LIMITS.draftSeconds * 1000;

interface Update {
  topic: string;
  data: Extract<LiveEvent, { type: 'message.draft' }>['data'];
}

/** A draft that pages show. */
interface Shown {
  latest: Update;
  /** Whether the bot would still be admitted. */
  isAdmitted: () => Promise<boolean>;
  timer: NodeJS.Timeout;
}

/** The messages that bots are writing, as open pages show them. Nothing is stored: each update has the whole text. */
export class ShownDrafts {
  readonly #deps: MessageDeps;
  readonly #kept: KeptDrafts;
  readonly #reads: ReturnType<typeof createBatchedReads>;
  /** Drafts that were updated a moment ago, with the newest update if it waits. */
  readonly #waiting = new Map<string, Update | undefined>();
  readonly #shown = new Map<string, Shown>();

  constructor(deps: MessageDeps, kept: KeptDrafts) {
    this.#deps = deps;
    this.#kept = kept;
    this.#reads = createBatchedReads(deps);
  }

  /**
   * @param toAdmissionCheck whether the bot may still send, by this endpoint
   * @throws ApiError 404, 403 if the bot may not write there
   * @throws KeyChanged
   */
  async show(
    { appId, accountId: userId, cachedKey }: Pick<Actor, 'appId' | 'accountId' | 'cachedKey'>,
    { conversationId: asked, content, replyToMsgId, keepIfLost }: ShowDraft,
    toAdmissionCheck: (endpoint?: string) => KeptDraft['isAdmitted'],
  ): Promise<void> {
    // The time of what is judged: pages ignore it if the draft is ended meanwhile.
    const at = this.#deps.clock.now();
    const [{ own, refusal, audience: topic }] = await Promise.all([
      findBotAccess(this.#reads, userId, asked),
      cachedKey && this.#deps.applications.confirmKey(cachedKey),
    ]);
    if (refusal) throw refusal;
    if (topic === undefined) return;
    const { conversationId } = own;
    const key = `${conversationId} ${userId} ${replyToMsgId ?? ''}`;
    if (keepIfLost) {
      const isAdmitted = toAdmissionCheck(
        own.kind === 'group' ? 'POST /v1/messages/group' : 'POST /v1/messages',
      );
      this.#kept.hold(key, topic, { own, content, replyToMsgId: replyToMsgId ?? undefined, at, isAdmitted });
    } else this.#kept.release(key);
    const data = { conversationId, userId, content, ...(replyToMsgId && { replyToMsgId }), at };
    const update = { topic, data };
    this.#watch(key, appId, { latest: update, isAdmitted: toAdmissionCheck() });
    this.#show(key, update);
  }

  /** Ends the draft as soon as the bot may no longer finish it. */
  #watch(key: string, appId: string, draft: Omit<Shown, 'timer'>): void {
    const before = this.#shown.get(key);
    if (before) {
      Object.assign(before, draft).timer.refresh();
      return;
    }
    const unsubscribe = this.#deps.live.subscribe(appId, (event) => {
      if (event.type === 'credential.revoked' || isGap(event))
        void this.#endUnlessAdmitted(key).catch((err) =>
          this.#deps.log.warn({ err }, 'a draft may be shown although its bot may not write any more'),
        );
    });
    const timer = setTimeout(() => {
      unsubscribe();
      this.#shown.delete(key);
    }, SHOWN_MS).unref();
    this.#shown.set(key, { ...draft, timer });
  }

  async #endUnlessAdmitted(key: string): Promise<void> {
    const shown = this.#shown.get(key);
    if (!shown || (await shown.isAdmitted())) return;
    const { topic, data } = shown.latest;
    this.#show(key, { topic, data: { ...data, content: '', at: this.#deps.clock.now() } });
  }

  #show(key: string, update: Update): void {
    if (this.#waiting.has(key)) {
      this.#waiting.set(key, update);
      return;
    }
    const { topic, data } = update;
    this.#deps.live.publish(topic, { type: 'message.draft', data });
    this.#waiting.set(key, undefined);
    setTimeout(() => this.#showWaiting(key), paced(EVERY_MS)).unref();
  }

  #showWaiting(key: string): void {
    const update = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (update) this.#show(key, update);
  }
}

/** The reads behind a draft, which are made for all bots at once: with one statement each, they would cost most of an update. */
function createBatchedReads({ contacts, groups, shards }: MessageDeps) {
  type Side = Parameters<Contacts['find']>[0][number];
  const keyOf = ({ conversationId, accountId }: Pick<Side, 'conversationId' | 'accountId'>) =>
    conversationId + accountId;
  const sides = new Batcher(async (asked: Side[]) => {
    const found = Map.groupBy(await contacts.find(asked), keyOf);
    return asked.map((side) => found.get(keyOf(side)) ?? []);
  }, UNHURRIED);
  const memberships = new Batcher(groups.findForActors, UNHURRIED);
  return {
    contacts: {
      find: async (asked: Side[]) =>
        (await Promise.all(asked.map((side) => sides.submit(side, shards.of(side.bucket))))).flat(),
    },
    groups: {
      async findForActor(groupId: string, accountId: string) {
        const key = groupKey(groupId);
        return key && memberships.submit({ ...key, accountId }, shards.of(key.bucket));
      },
    },
  };
}
