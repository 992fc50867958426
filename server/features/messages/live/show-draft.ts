import type { ShowDraft } from '#contract/messages.ts';
import type { Actor } from '#features/applications/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import { groupKey } from '#features/groups/index.ts';
import { Batcher, UNHURRIED } from '#platform/batch.ts';
import type { LiveEvent } from '#platform/live.ts';
import { findBotAccess } from '../access/bot-conversation.ts';
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
  readonly #reads: ReturnType<typeof createBatchedReads>;
  readonly #paces = new Map<string, Pace>();

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
    { accountId: userId, cachedKey }: Pick<Actor, 'accountId' | 'cachedKey'>,
    { conversationId: asked, content, replyToMsgId, keepIfLost }: ShowDraft,
    toAdmissionCheck: (endpoint: string) => KeptDraft['isAdmitted'],
  ): Promise<void> {
    const [{ own, refusal, audience: topic }] = await Promise.all([
      findBotAccess(this.#reads, userId, asked),
      cachedKey && this.#deps.applications.confirmKey(cachedKey),
    ]);
    if (refusal) throw refusal;
    if (topic === undefined) return;
    const { conversationId } = own;
    const at = this.#deps.clock.now();
    const key = `${conversationId} ${userId} ${replyToMsgId ?? ''}`;
    if (keepIfLost) {
      const isAdmitted = toAdmissionCheck(
        own.kind === 'group' ? 'POST /v1/messages/group' : 'POST /v1/messages',
      );
      this.#kept.hold(key, topic, { own, content, replyToMsgId: replyToMsgId ?? undefined, at, isAdmitted });
    } else this.#kept.release(key);
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

/** The reads behind a draft, which are made for all bots at once: with one statement each, they would cost most of an update. */
function createBatchedReads({ contacts, groups, shards }: MessageDeps) {
  type Side = Parameters<Contacts['find']>[0][number];
  type Membership = Parameters<Groups['findMembers']>[0][number];
  const keyOf = ({ conversationId, accountId }: Pick<Side, 'conversationId' | 'accountId'>) =>
    conversationId + accountId;
  const sides = new Batcher(async (asked: Side[]) => {
    const found = Map.groupBy(await contacts.find(asked), keyOf);
    return asked.map((side) => found.get(keyOf(side)) ?? []);
  }, UNHURRIED);
  const memberships = new Batcher(async (asked: Membership[]) => {
    const [found, members] = await Promise.all([groups.find(asked), groups.findMembers(asked)]);
    const groupOf = new Map(found.map((group) => [group.groupId, group]));
    const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
    return asked.map(({ groupId, accountId }) => {
      const group = groupOf.get(groupId);
      return group && { group, member: memberOf.get(groupId + accountId) };
    });
  }, UNHURRIED);
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
