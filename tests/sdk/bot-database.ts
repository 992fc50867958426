import { Pool } from 'pg';
import { createEmptyDatabase } from '#testing/database.ts';

/** A database of a bot's own, and pools of connections to it, as several processes have. */
export async function createBotDatabase() {
  const database = await createEmptyDatabase();
  const pools: Pool[] = [];
  return {
    url: database.url,
    openPool(): Pool {
      const pool = new Pool({ connectionString: database.url });
      // A pool has ended before the server has closed its connections: dropping the database does that.
      pool.on('error', () => undefined);
      pools.push(pool);
      return pool;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.end()));
      await database[Symbol.asyncDispose]();
    },
  };
}
