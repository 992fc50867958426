import type { Middleware } from './composer.ts';
import { type AnyMessage, conversationOf } from './incoming.ts';
import { Turns } from './turns.ts';

/** Where sessions are kept, by conversation. */
export interface SessionStore<Session> {
  read(key: string): Promise<Session | undefined>;
  /** `undefined` removes the session. */
  write(key: string, session: Session | undefined): Promise<void>;
  /**
   * Changes a session; callers take turns, also those of other processes. A store without it is for one process. When `change` throws,
   * the session stays as it was.
   */
  update?(key: string, change: (current: Session | undefined) => Promise<Session | undefined>): Promise<void>;
}

/** Changes sessions of a store, those of each key one after another. */
export function inTurns<Session>(store: SessionStore<Session>): NonNullable<SessionStore<Session>['update']> {
  const turns = new Turns();
  return (key, change) =>
    turns.run(key, async () => {
      if (store.update) return store.update(key, change);
      const current = await store.read(key);
      const next = await change(current);
      if (next !== current) await store.write(key, next);
    });
}

/**
 * Keeps sessions in the memory of one process; they are lost when it exits.
 *
 * @example
 * const store = new MemorySessionStore<{ step: string }>();
 * bot.use(session({ initial: () => ({ step: 'name' }), store }));
 */
export class MemorySessionStore<Session> implements SessionStore<Session> {
  readonly #sessions = new Map<string, Session>();

  async read(key: string): Promise<Session | undefined> {
    return this.#sessions.get(key);
  }

  async write(key: string, session: Session | undefined): Promise<void> {
    if (session === undefined) this.#sessions.delete(key);
    else this.#sessions.set(key, session);
  }
}

/**
 * Middleware that gives each conversation a session, `message.state.session`: read before the handlers, and stored after them if
 * they changed it; it is what JSON can express. When a handler throws, the session stays as it was. Messages of one conversation are
 * handled one after another, within one process, or among all that share a store which can do that.
 *
 * @param options `initial` makes the session of a new conversation; `store` defaults to the memory of the process
 * @example
 * bot.use(session({ initial: () => ({ count: 0 }) }));
 * bot.on('message', (message) => {
 *   const { session } = message.state;
 *   session.count++;
 *   return message.reply(`That was message ${session.count}.`);
 * });
 */
export function session<Session extends object>({
  initial,
  store = new MemorySessionStore(),
}: {
  initial: () => Session;
  store?: SessionStore<Session>;
}): Middleware<AnyMessage<{ session: Session }>> {
  const update = inTurns(store);
  return (message, next) =>
    update(conversationOf(message), async (current) => {
      const { state } = message;
      const before = JSON.stringify(current ?? initial());
      state.session = JSON.parse(before);
      await next();
      return JSON.stringify(state.session) === before ? current : state.session;
    });
}
