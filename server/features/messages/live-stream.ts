import type { EventStream } from '#platform/http/event-stream.ts';
import { type LiveEvent, MISSED } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';
import { followConversations } from './live-conversations.ts';

/** How long a page that was cut off may stay away without having to read everything again. */
const LINGER_MS = 60_000;
/** How many events are kept for a page: those under way when it was cut off, and those since. */
const KEPT_EVENTS = 64;
/** A person's pages that are away at the same time; the longest-gone give way. */
const AWAY_PER_ACCOUNT = 10;
const ID_BYTES = 12;

/**
 * What one page hears, over as many connections as it takes. While the page is away its events are kept, within bounds;
 * beyond them it is told to read again what it shows (docs/decisions/0015-live-resume.md).
 */
interface Listening {
  id: string;
  accountId: string;
  /** How many events there were; the last of `kept` has this number. */
  count: number;
  kept: LiveEvent[];
  stream: EventStream | undefined;
  /** Runs while the page is away. */
  lingering: NodeJS.Timeout | undefined;
  unfollow: () => void;
}

/** The pages that listen through this process. */
export class LivePages implements Disposable {
  readonly #deps: Pick<Platform, 'db' | 'live' | 'random'>;
  readonly #listening = new Map<string, Listening>();
  readonly #away = new Map<string, Set<Listening>>();

  constructor(deps: Pick<Platform, 'db' | 'live' | 'random'>) {
    this.#deps = deps;
  }

  /**
   * Begins to listen, or goes on where the cursor says. Nothing is lost in between: what happens before
   * {@link Joined.attach} is kept like what happens while a page is away.
   */
  async join(accountId: string, cursor: string | undefined): Promise<Joined> {
    const { listening, count } = this.#find(accountId, cursor) ?? {};
    if (listening && count !== undefined) {
      this.#keep(listening);
      return this.#joined(listening, count, true);
    }
    const fresh: Listening = {
      id: this.#deps.random.bytes(ID_BYTES).toString('base64url'),
      accountId,
      count: 0,
      kept: [],
      stream: undefined,
      lingering: undefined,
      unfollow: () => {},
    };
    fresh.unfollow = await followConversations(this.#deps, accountId, (event) => hear(fresh, event));
    this.#listening.set(fresh.id, fresh);
    return this.#joined(fresh, 0, false);
  }

  [Symbol.dispose](): void {
    for (const listening of this.#listening.values()) this.#end(listening);
  }

  #find(accountId: string, cursor = ''): { listening: Listening; count: number } | undefined {
    const [, id = '', digits = ''] = /^([\w-]{16})\.(\d{1,15})$/.exec(cursor) ?? [];
    const listening = this.#listening.get(id);
    const count = Number(digits);
    if (listening?.accountId !== accountId || count > listening.count) return undefined;
    return count >= listening.count - listening.kept.length ? { listening, count } : undefined;
  }

  #joined(listening: Listening, count: number, isResumed: boolean): Joined {
    return {
      attach: (stream) => {
        // The server may not have noticed yet that the connection before is gone.
        listening.stream?.close();
        listening.stream = stream;
        send(stream, listening, count, ready(isResumed));
        const first = listening.count - listening.kept.length;
        for (let n = count; n < listening.count; n++) {
          send(stream, listening, n + 1, listening.kept[n - first] as LiveEvent);
        }
      },
      leave: (stream) => {
        if (listening.stream === stream) this.#linger(listening);
      },
    };
  }

  #linger(listening: Listening): void {
    listening.stream = undefined;
    clearTimeout(listening.lingering);
    listening.lingering = setTimeout(() => this.#end(listening), LINGER_MS).unref();
    const away = this.#away.get(listening.accountId) ?? new Set();
    this.#away.set(listening.accountId, away.add(listening));
    for (const longest of away) {
      if (away.size <= AWAY_PER_ACCOUNT) break;
      this.#end(longest);
    }
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

/** A page's place, taken for one connection. */
export interface Joined {
  /** Sends `ready`, then what was missed, then what happens. */
  attach(stream: EventStream): void;
  /** To be called however the connection ends; undefined when it never came to a stream. */
  leave(stream: EventStream | undefined): void;
}

function hear(listening: Listening, event: LiveEvent): void {
  listening.count++;
  if (event === MISSED) {
    // No older cursor leads on from here: the page reads again, now or when it is back.
    listening.kept = [];
    if (listening.stream) send(listening.stream, listening, listening.count, ready(false));
    return;
  }
  listening.kept.push(event);
  if (listening.kept.length > KEPT_EVENTS) listening.kept.shift();
  if (listening.stream) send(listening.stream, listening, listening.count, event);
}

function ready(resumed: boolean): LiveEvent {
  return { type: 'ready', data: { resumed } };
}

function send(stream: EventStream, { id }: Listening, count: number, event: LiveEvent): void {
  stream.send({ ...event, id: `${id}.${count}` });
}
