import { LIMITS } from '#contract/limits.ts';
import { withoutDeleted } from '#features/accounts/index.ts';
import { insertWrote } from '#features/contacts/index.ts';
import { findDeletedGroups, importGroup, importNewcomers } from '#features/groups/index.ts';
import { importListings, importPins } from '#features/messages/index.ts';
import { inChunks } from '#platform/database/chunks.ts';
import type { Database, Tx } from '#platform/database.ts';
import { displayName } from '#platform/display-name.ts';
import { bucketOf, idOf, privateConversationId } from '#platform/ids.ts';
import { readByShard, type Shards } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import type { SourceConversation } from './items.ts';
import type { Owner, People } from './people.ts';
import type { Report } from './report.ts';

/** Private conversations that become visible in one transaction. */
const MOST_PAIRS = 256;

type Deps = Pick<Platform, 'clock' | 'config' | 'live'> & { db: Database; shards: Shards };

/** A conversation of an export, and the one that it becomes. */
export interface Target {
  source: SourceConversation;
  conversationId: string;
  bucket: number;
  kind: 'group' | 'private';
  /** It was deleted here, or both of its accounts were: its messages are left out. */
  isClosed: boolean;
  /** The export does not say who is in it: it is those who wrote. */
  isOfAuthors: boolean;
  firstAt: number | undefined;
  lastMsgId: string | undefined;
  /** When each side of a private conversation first wrote. */
  wroteAt: Map<string, number>;
  pins: { msgId: string; by: string; at: number }[];
}

type Member = Owner & { isAdmin: boolean };

/**
 * The conversations of an import. People see them only at the end, when it is known up to where they have read: so an import
 * that is interrupted shows nothing by halves.
 */
export class Conversations {
  readonly #deps: Deps;
  readonly #source: string;
  readonly #people: People;
  readonly #report: Report;
  readonly #targets = new Map<string, Target>();

  constructor(deps: Deps, source: string, people: People, report: Report) {
    this.#deps = deps;
    this.#source = source;
    this.#people = people;
    this.#report = report;
  }

  of(id: string): Target | undefined {
    return this.#targets.get(id);
  }

  /** The people in them are resolved. */
  async add(added: readonly SourceConversation[]): Promise<void> {
    const targets = added.filter(({ id }) => !this.#targets.has(id)).map((one) => this.#targetOf(one));
    const groups = targets.flatMap(({ kind, bucket, conversationId: groupId }) =>
      kind === 'group' ? { bucket, groupId } : [],
    );
    const { db, shards, config } = this.#deps;
    const deleted =
      groups.length === 0 ? [] : await readByShard(shards, groups, (asked) => findDeletedGroups(db, asked));
    for (const target of targets) {
      this.#targets.set(target.source.id, target);
      target.isClosed ||= deleted.includes(target.conversationId);
      if (!target.isClosed && !target.isOfAuthors)
        this.#report.count(target.kind === 'group' ? 'groups' : 'private conversations');
      if (!target.isClosed && target.source.members.size > config.maxGroupMembers)
        this.#report.count('groups above MAX_GROUP_MEMBERS');
    }
  }

  /** Notes the author of a message. */
  addAuthor({ source, isOfAuthors }: Target, personId: string): void {
    if (!isOfAuthors) return;
    if (source.members.size === 0) {
      this.#report.count('groups');
      this.#report.count('groups without members');
    }
    source.members.set(personId, false);
  }

  #targetOf(source: SourceConversation): Target {
    const [one, other] = source.kind === 'private' ? this.#membersOf(source) : [];
    const isPrivate = one !== undefined && other !== undefined;
    const isOfAuthors = source.members.size === 0;
    if (source.kind === 'private' && !isPrivate && !isOfAuthors)
      this.#report.count('conversations with oneself');
    const conversationId = isPrivate
      ? privateConversationId(one.accountId, other.accountId)
      : idOf('grp', `import ${this.#source}:${source.id}`);
    return {
      source,
      conversationId,
      bucket: bucketOf(conversationId),
      kind: isPrivate ? 'private' : 'group',
      isClosed: isPrivate && one.isDeleted && other.isDeleted,
      isOfAuthors,
      firstAt: undefined,
      lastMsgId: undefined,
      wroteAt: new Map(),
      pins: [],
    };
  }

  /** Each account once. */
  #membersOf({ members }: SourceConversation): Member[] {
    const found = new Map<string, Member>();
    for (const [id, isAdmin] of members) {
      const owner = this.#people.of(id);
      found.set(owner.accountId, {
        ...owner,
        isAdmin: isAdmin || found.get(owner.accountId)?.isAdmin === true,
      });
    }
    return [...found.values()];
  }

  /** Shows everything to everybody. */
  async finish(throwIfAborted: () => void): Promise<void> {
    const open = [...this.#targets.values()].filter(({ isClosed }) => !isClosed);
    for (const target of open.filter(({ kind }) => kind === 'group')) {
      throwIfAborted();
      await this.#finishGroup(target);
    }
    const pairs = open.filter(({ kind, lastMsgId }) => kind === 'private' && lastMsgId !== undefined);
    for (const some of inChunks(pairs, MOST_PAIRS)) {
      throwIfAborted();
      await this.#finishPairs(some);
    }
  }

  async #finishGroup(target: Target): Promise<void> {
    const everybody = this.#membersOf(target.source);
    const members = await this.#deps.db.begin(async (tx) => {
      const living = await withoutDeleted(tx, everybody);
      await this.#storeGroup(tx, target, living);
      return living;
    });
    this.#announce(members);
  }

  async #storeGroup(tx: Tx, target: Target, members: readonly Member[]): Promise<void> {
    const { source, conversationId: groupId, bucket } = target;
    const [first] = members;
    if (!first) return;
    const creatorId =
      source.creatorId === undefined ? undefined : this.#people.of(source.creatorId).accountId;
    const isMember = members.some(({ accountId }) => accountId === creatorId);
    const firstAdmin = members.find(({ isAdmin }) => isAdmin);
    const founder = isMember && creatorId !== undefined ? creatorId : (firstAdmin ?? first).accountId;
    const createdAt = source.createdAt ?? target.firstAt ?? this.#deps.clock.now();
    const group = {
      bucket,
      groupId,
      name: displayName(source.name, LIMITS.groupNameLength) ?? 'Group',
      description: clipped(source.description ?? '', LIMITS.groupDescriptionLength),
      photoUrl: null,
      photoSetBy: null,
      isBroadcast: false,
      sendMessages: source.isArchived !== true,
      editInfoOnlyAdmin: true,
      creatorId: founder,
      memberCount: members.length,
      createdAt,
    };
    const rows = members.map(({ accountId, isAdmin }) => ({
      accountId,
      // A group without administrators could not be changed by anybody.
      isAdmin: firstAdmin ? isAdmin : accountId === founder,
      botAppId: null,
      joinedAt: createdAt,
    }));
    const isNew = await importGroup(tx, group, rows);
    const listings = members.map((one) => this.#listing(target, one, null));
    if (isNew) {
      await importListings(tx, listings, { isNew });
      await this.#pin(tx, target);
      return;
    }
    const unused = new Set(members.flatMap(({ accountId, isUnused }) => (isUnused ? accountId : [])));
    const newcomers = rows.filter(({ accountId }) => unused.has(accountId));
    const joined = await importNewcomers(tx, group, newcomers);
    const isJoined = ({ accountId }: Pick<Owner, 'accountId'>) => joined.has(accountId);
    await importListings(tx, listings.filter(isJoined), { isNew: true });
    const others = listings.filter((one) => !isJoined(one));
    if (target.lastMsgId !== undefined) await importListings(tx, others, { isNew });
  }

  async #finishPairs(targets: readonly Target[]): Promise<void> {
    const sides = targets.flatMap((target) => {
      const [one, other] = this.#membersOf(target.source);
      if (!one || !other) return [];
      return [
        { ...one, target, peerId: other.accountId },
        { ...other, target, peerId: one.accountId },
      ];
    });
    const owners = await this.#deps.db.begin(async (tx) => {
      const living = await withoutDeleted(tx, sides);
      const wrote = living.flatMap(
        ({ target: { bucket, conversationId, wroteAt: times }, accountId, peerId }) => {
          const wroteAt = times.get(accountId);
          return wroteAt === undefined ? [] : { bucket, conversationId, accountId, peerId, wroteAt };
        },
      );
      const listings = living.map((side) => this.#listing(side.target, side, side.peerId));
      for (const part of inChunks(wrote, MOST_PAIRS)) await insertWrote(tx, part);
      await importListings(tx, listings, { isNew: true });
      for (const target of targets) await this.#pin(tx, target);
      return living;
    });
    this.#announce(owners);
  }

  #listing(target: Target, { accountId }: Owner, peerId: string | null) {
    const { conversationId, bucket, kind, firstAt, lastMsgId: readMsgId = null } = target;
    const createdAt = target.source.createdAt ?? firstAt ?? this.#deps.clock.now();
    return { accountId, conversationId, bucket, kind, peerId, createdAt, readMsgId };
  }

  async #pin(tx: Tx, { conversationId, bucket, pins }: Target): Promise<void> {
    const ordered = pins.toSorted((one, other) => one.at - other.at);
    const newest = ordered.slice(-LIMITS.pinnedMessages).map((pin) => ({ ...pin, conversationId, bucket }));
    if (newest.length > 0) await importPins(tx, this.#deps, newest);
  }

  /** Open pages fetch everything anew, once. */
  #announce(owners: readonly Owner[]): void {
    for (const { accountId, isKnown } of owners)
      if (isKnown) this.#deps.live.publish(accountId, { type: 'profile.changed', data: {} });
  }
}

function clipped(text: string, length: number): string {
  return [...text.replace(/\p{Cc}/gu, ' ').trim()].slice(0, length).join('').trim();
}
