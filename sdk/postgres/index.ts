import type { SessionStore } from '../session.ts';

/** A pool of `pg`, or anything else with its `query`. */
export interface PostgresPool {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

const CREATE_TABLE = `create table if not exists parley_sessions (
  name text not null,
  key text not null,
  session json,
  updated_at timestamptz not null default now(),
  held_by text,
  held_until timestamptz,
  primary key (name, key)
)`;
const INSUFFICIENT_PRIVILEGE = '42501';
const NO_SCHEMA = '3F000';
const UNDEFINED_TABLE = '42P01';
/** Of two processes that create the table at once, one may get these. */
const CREATED_MEANWHILE = ['23505', '42710', '42P07'];

/** For how long a process that died keeps a session from the others. */
const HOLD_SECONDS = 30;
const LONGEST_PAUSE_MS = 250;

/**
 * Keeps sessions, or the questions of a bot, in PostgreSQL, so that they survive a restart and several processes share them: one at a
 * time changes a session, and the others wait. The table `parley_sessions` is created when it is first needed.
 *
 * @example
 * const pool = new pg.Pool({ connectionString });
 * const store = new PostgresSessionStore<{ step: string }>({ pool, name: 'orders' });
 * bot.use(session({ initial: () => ({ step: 'name' }), store }));
 */
export class PostgresSessionStore<Session> implements SessionStore<Session> {
  readonly #pool: PostgresPool;
  readonly #name: string;

  /** @param options `name`: of these sessions, since all that is kept in a database is in one table */
  constructor({ pool, name }: { pool: PostgresPool; name: string }) {
    this.#pool = pool;
    this.#name = name;
  }

  async read(key: string): Promise<Session | undefined> {
    const [row] = await this.#query<{ session: string | null }>(
      'select session::text as session from parley_sessions where name = $1 and key = $2',
      [key],
    );
    return toSession(row);
  }

  async write(key: string, session: Session | undefined): Promise<void> {
    if (session === undefined) {
      await this.#query('delete from parley_sessions where name = $1 and key = $2', [key]);
      return;
    }
    await this.#query(
      `insert into parley_sessions (name, key, session) values ($1, $2, $3)
      on conflict (name, key) do update set session = excluded.session, updated_at = now()`,
      [key, JSON.stringify(session)],
    );
  }

  async update(
    key: string,
    change: (current: Session | undefined) => Promise<Session | undefined>,
  ): Promise<void> {
    const holder = crypto.randomUUID();
    const current = await this.#hold(key, holder);
    const renewal = setInterval(
      () => this.#renew(key, holder).catch(() => undefined),
      (HOLD_SECONDS * 1000) / 3,
    );
    try {
      const next = await change(current);
      const isStored = await this.#release(key, holder, next);
      if (!isStored && next !== current)
        throw new Error(
          'a session was changed by another process, since this one lost its database for long',
        );
    } catch (error) {
      await this.#release(key, holder, current).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Waits until no other process holds the session, and returns it. */
  async #hold(key: string, holder: string): Promise<Session | undefined> {
    for (let pauseMs = 10; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const [row] = await this.#query<{ session: string | null }>(
        `insert into parley_sessions as stored (name, key, held_by, held_until)
        values ($1, $2, $3, now() + $4 * interval '1 second')
        on conflict (name, key) do update set held_by = excluded.held_by, held_until = excluded.held_until
        where stored.held_until is null or stored.held_until < now()
        returning session::text as session`,
        [key, holder, HOLD_SECONDS],
      );
      if (row) return toSession(row);
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
    }
  }

  #renew(key: string, holder: string): Promise<unknown[]> {
    return this.#query(
      `update parley_sessions set held_until = now() + $4 * interval '1 second'
      where name = $1 and key = $2 and held_by = $3`,
      [key, holder, HOLD_SECONDS],
    );
  }

  /** Stores the session, unless another process has taken it over. */
  async #release(key: string, holder: string, session: Session | undefined): Promise<boolean> {
    const held = 'where name = $1 and key = $2 and held_by = $3 returning key';
    const rows =
      session === undefined
        ? await this.#query(`delete from parley_sessions ${held}`, [key, holder])
        : await this.#query(
            `update parley_sessions set session = $4, updated_at = now(), held_by = null, held_until = null ${held}`,
            [key, holder, JSON.stringify(session)],
          );
    return rows.length > 0;
  }

  async #query<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const run = async () => (await this.#pool.query(text, [this.#name, ...values])).rows as Row[];
    try {
      return await run();
    } catch (error) {
      if (codeOf(error) !== UNDEFINED_TABLE) throw error;
      await this.#createTable();
      return run();
    }
  }

  async #createTable(): Promise<void> {
    try {
      await this.#pool.query(CREATE_TABLE, []);
    } catch (error) {
      const code = codeOf(error);
      if (CREATED_MEANWHILE.includes(code)) return;
      if (code !== INSUFFICIENT_PRIVILEGE && code !== NO_SCHEMA) throw error;
      const grant = 'grant select, insert, update, delete on parley_sessions to …';
      throw new Error(
        `the bot’s role may not create the table parley_sessions: run this as one that may\n${CREATE_TABLE};\n${grant};`,
        { cause: error },
      );
    }
  }
}

function toSession<Session>(row: { session: string | null } | undefined): Session | undefined {
  return row?.session == null ? undefined : JSON.parse(row.session);
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code);
}
