import type { ChatEvent } from '#contract/live-events.ts';
import type { OpenSession } from '#features/accounts/index.ts';
import type { EventStream, StreamOwner } from '#platform/http/connections/event-stream.ts';
import { OpenStreams } from '#platform/http/connections/open-streams.ts';
import { privateConversationId } from '#platform/ids.ts';
import { isGap, type LiveEvent, NOTICES_TOPIC } from '#platform/live.ts';
import { selectHolders } from '../access/queries.ts';
import type { MessageDeps } from '../deps.ts';
import { followConversations } from './follow-conversations.ts';

/** How long a page may be disconnected without having to reload everything. */
const LINGER_MS = 60_000;
/** How many events are kept for a page: those in transit when it was disconnected, and later ones. */
const KEPT_EVENTS = 64;
/** The number of a person's disconnected pages; the oldest are dropped. */
const AWAY_PER_ACCOUNT = 10;
const ID_BYTES = 12;
/** The number of people whose lists are read in one statement. */
const BATCH_SIZE = 1_000;
/** Changed names and pictures of bots: each process notifies its pages that have a conversation with one. */
export const BOTS_TOPIC = 'bots';
/** Not kept: there are many of them, and a page that reconnects requests the others' markers. */
const FLEETING: ReadonlySet<LiveEvent['type']> = new Set(['conversation.receipt', 'typing', 'message.draft']);

/** A person may hide these. */
const RECEIPTS = ['conversation.receipt', 'receipts.changed'] as const;
const TYPING = ['typing'] as const;
const HIDEABLE: ReadonlySet<LiveEvent['type']> = new Set([...RECEIPTS, ...TYPING]);

/** The pages connected to this process. */
export class LivePages implements Disposable {
  readonly #deps: MessageDeps;
  readonly #listening = new Map<string, Listening>();
  readonly #away = new Map<string, Set<Listening>>();
  readonly #open: OpenStreams;
  readonly #unfollow: (() => void)[];

  constructor(deps: MessageDeps) {
    this.#deps = deps;
    this.#open = new OpenStreams('http.too-many-live-streams', deps.config.liveStreamsPerPerson);
    const unfollowBots = deps.live.subscribe(BOTS_TOPIC, (event) => {
      if (event.type === 'person.changed')
        void this.#publishBotChange(event).catch((err) =>
          deps.log.warn({ err }, 'a page was not told of a bot'),
        );
    });
    const unfollowNotices = deps.live.subscribe(NOTICES_TOPIC, (event) => {
      if (event.type === 'notices.changed')
        for (const listening of this.#listening.values()) listening.receive(event);
    });
    this.#unfollow = [unfollowBots, unfollowNotices];
  }

  /**
   * Subscribes, or resumes from the cursor. Nothing is lost in between: events before {@link
   * Connection.attach} are kept like those while a page is disconnected.
   *
   * @throws ApiError 429 when the person has too many open
   */
  async join(session: OpenSession, cursor: string | undefined): Promise<Connection> {
    const own = await this.#deps.accounts.findOwnLimits(session.accountId);
    const leave = this.#open.take(session.accountId, own?.liveStreamsPerPerson);
    try {
      const joined = await this.#listen(session, cursor);
      return new Connection(this, session, { ...joined, leave });
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #listen({ accountId }: OpenSession, cursor: string | undefined): Promise<Omit<Joined, 'leave'>> {
    const joined = this.#find(accountId, cursor);
    if (joined) {
      this.#keep(joined.listening);
      return { ...joined, isResumed: true };
    }
    const listening = new Listening(this.#deps.random.bytes(ID_BYTES).toString('base64url'), accountId);
    listening.unfollow = await followConversations(this.#deps, accountId, (event) => {
      listening.receive(event);
      // Chosen on any page of the person, in any process.
      if (event.type === 'profile.changed' || isGap(event))
        void this.#readChoices(listening).catch(() => undefined);
    });
    try {
      await this.#readChoices(listening);
    } catch (error) {
      listening.unfollow();
      throw error;
    }
    this.#listening.set(listening.id, listening);
    return { listening, count: 0, isResumed: false };
  }

  async #publishBotChange(event: Extract<LiveEvent, { type: 'person.changed' }>): Promise<void> {
    const { userId } = event.data;
    const accountIds = [...new Set([...this.#listening.values()].map(({ accountId }) => accountId))];
    for (let from = 0; from < accountIds.length; from += BATCH_SIZE) {
      const some = accountIds.slice(from, from + BATCH_SIZE);
      const ids = some.map((accountId) => privateConversationId(accountId, userId));
      const holders = new Set(
        (await selectHolders(this.#deps.db, some, ids)).map(({ accountId }) => accountId),
      );
      for (const listening of this.#listening.values())
        if (holders.has(listening.accountId)) listening.receive(event);
    }
  }

  async #readChoices(listening: Listening): Promise<void> {
    // Until it is known what the person has hidden, the page gets nothing of it.
    listening.reading++;
    try {
      const { readReceipts, typingIndicators } = await this.#deps.accounts.showProfile(listening.accountId);
      listening.unwanted = new Set([...(readReceipts ? [] : RECEIPTS), ...(typingIndicators ? [] : TYPING)]);
    } finally {
      listening.reading--;
    }
  }

  /** The page may reconnect, unless it already has another connection. */
  leave(listening: Listening, connection: Connection): void {
    if (listening.connection && listening.connection !== connection) return;
    listening.connection = undefined;
    clearTimeout(listening.lingering);
    listening.lingering = setTimeout(() => this.#end(listening), LINGER_MS).unref();
    const away = this.#away.get(listening.accountId) ?? new Set();
    this.#away.set(listening.accountId, away.add(listening));
    for (const longest of away) {
      if (away.size <= AWAY_PER_ACCOUNT) break;
      this.#end(longest);
    }
  }

  [Symbol.dispose](): void {
    for (const unfollow of this.#unfollow) unfollow();
    for (const listening of this.#listening.values()) this.#end(listening);
  }

  isOpen(session: OpenSession): Promise<boolean> {
    return this.#deps.accounts.isSessionOpen(session);
  }

  #find(accountId: string, cursor = ''): { listening: Listening; count: number } | undefined {
    const [, id = '', digits = ''] = /^([\w-]{16})\.(\d{1,15})$/.exec(cursor) ?? [];
    const listening = this.#listening.get(id);
    const count = Number(digits);
    if (listening?.accountId !== accountId || count > listening.count) return undefined;
    return listening.hasAllAfter(count) ? { listening, count } : undefined;
  }

  #keep(listening: Listening): void {
    clearTimeout(listening.lingering);
    const away = this.#away.get(listening.accountId);
    away?.delete(listening);
    if (away?.size === 0) this.#away.delete(listening.accountId);
  }

  #end(listening: Listening): void {
    this.#keep(listening);
    this.#listening.delete(listening.id);
    listening.unfollow();
  }
}

/**
 * The events of one page, over any number of connections. While the page is disconnected its events are kept,
 * within bounds; beyond them it has to reload (docs/decisions/0015-live-resume.md).
 */
class Listening {
  readonly id: string;
  readonly accountId: string;
  /** How many events there were; the last of `kept` has this number. */
  count = 0;
  kept: LiveEvent[] = [];
  connection: Connection | undefined;
  /** Runs while the page is disconnected. */
  lingering: NodeJS.Timeout | undefined;
  unfollow = () => {};
  /** The events that the person has hidden, and so does not get. */
  unwanted: ReadonlySet<LiveEvent['type']> = new Set();
  /** How many reads of these choices are in progress. */
  reading = 0;

  constructor(id: string, accountId: string) {
    this.id = id;
    this.accountId = accountId;
  }

  receive(event: LiveEvent): void {
    const unwanted = this.reading > 0 ? HIDEABLE : this.unwanted;
    if (unwanted.has(event.type) || isOwn(event, this.accountId)) return;
    if (FLEETING.has(event.type)) {
      this.connection?.send(this.count, event);
      return;
    }
    this.count++;
    if (isGap(event)) {
      // No older cursor can be resumed: the page reloads, now or when it reconnects.
      this.kept = [];
      this.connection?.send(this.count, ready(false));
      // The missed events may include the end of the session.
      this.connection?.check();
      return;
    }
    this.kept.push(event);
    if (this.kept.length > KEPT_EVENTS) this.kept.shift();
    this.connection?.send(this.count, event);
  }

  /** Whether all events after the given number of events are kept. */
  hasAllAfter(count: number): boolean {
    return count >= this.count - this.kept.length;
  }

  /** The kept events after the given number of events. */
  *after(count: number): Generator<[count: number, event: LiveEvent]> {
    const first = this.count - this.kept.length;
    for (let n = Math.max(count, first); n < this.count; n++)
      yield [n + 1, this.kept[n - first] as LiveEvent];
  }
}

/** The start of a connection: its page, the event after which it resumes, and the release of its slot. */
interface Joined {
  listening: Listening;
  count: number;
  isResumed: boolean;
  leave: () => void;
}

/** One connection of a page. */
export class Connection implements StreamOwner {
  readonly #pages: LivePages;
  readonly #session: OpenSession;
  readonly #joined: Joined;
  #stream: EventStream | undefined;

  constructor(pages: LivePages, session: OpenSession, joined: Joined) {
    this.#pages = pages;
    this.#session = session;
    this.#joined = joined;
  }

  /** Sends `ready`, then the missed events, then new ones. */
  async attach(stream: EventStream): Promise<void> {
    const { listening, count: from, isResumed } = this.#joined;
    // The server may not have noticed yet that the previous connection is closed.
    listening.connection?.close();
    listening.connection = this;
    this.#stream = stream;
    // More may have come since it joined than is kept.
    this.send(from, ready(isResumed && listening.hasAllAfter(from)));
    for (const [count, event] of listening.after(from)) this.send(count, event);
    // The session may have ended between its check and the subscription.
    await stream.check();
  }

  send(count: number, event: LiveEvent | ChatEvent): void {
    this.#stream?.send({ ...event, id: `${this.#joined.listening.id}.${count}` });
    if (event.type !== 'session.ended') return;
    if (event.data.sessionId === this.#session.sessionId) this.close();
  }

  close(): void {
    this.#stream?.close();
  }

  check(): void {
    void this.#stream?.check();
  }

  isAllowed(): Promise<boolean> {
    return this.#pages.isOpen(this.#session);
  }

  /** To be called however the connection ends, even if no stream began. */
  onClose(): void {
    this.#joined.leave();
    this.#pages.leave(this.#joined.listening, this);
  }
}

/** A person needs no events about their own typing or reading in a group. */
function isOwn(event: LiveEvent, accountId: string): boolean {
  return FLEETING.has(event.type) && 'userId' in event.data && event.data.userId === accountId;
}

function ready(resumed: boolean): ChatEvent {
  return { type: 'ready', data: { resumed } };
}
