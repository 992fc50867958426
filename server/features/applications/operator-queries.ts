import { beginsWith } from '#platform/database/like.ts';
import type { Db } from '#platform/database.ts';

/** Applications whose names begin with a text, case-insensitively. A read over all shards. */
export async function findIdsByName(
  db: Db,
  { beginning, limit }: { beginning: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from applications where lower(name) like ${beginsWith(beginning)} and state <> 'deleted'
    order by lower(name), app_id limit ${limit}`;
  return rows.map(({ appId }) => appId);
}
