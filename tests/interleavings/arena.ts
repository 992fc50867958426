import { openDatabase } from '#platform/database.ts';
import { Bot, Person } from '#testing/actors.ts';
import { createTestDatabase } from '#testing/database.ts';
import { PATIENT } from '#testing/waits.ts';
import { createWorld, type World } from '#testing/world.ts';
import { composeFeatures, createHttp } from '../../server/app.ts';
import { LETTERS, Scheduler } from './scheduler.ts';

/** A limit that no run reaches. */
const NO_LIMIT = 1_000_000_000;

export type Arena = Awaited<ReturnType<typeof createArena>>;

/** Several servers with one database, whose statements a scheduler puts in order. */
export async function createArena() {
  await using made = new AsyncDisposableStack();
  const database = made.use(await createTestDatabase());
  const monitor = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  made.defer(() => monitor.end({ timeout: 5 }));
  const scheduler = new Scheduler(async () => {
    const [row] = await monitor<{ count: number }[]>`
      select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and cardinality(pg_blocking_pids(pid)) > 0`;
    return row?.count ?? 0;
  });
  const world = made.use(
    await createWorld(
      {
        requestsPerMinute: NO_LIMIT,
        messagesPerMinute: NO_LIMIT,
        newPeoplePerDay: NO_LIMIT,
        unansweredMessagesPerHour: NO_LIMIT,
        newPeopleAddedPerDay: NO_LIMIT,
        groupsPerDay: NO_LIMIT,
      },
      {
        database: { url: database.url, [Symbol.asyncDispose]: async () => {} },
        watch: (db) => scheduler.watch(db),
      },
    ),
  );
  const servers: World[] = [];
  for (const _ of LETTERS) {
    const features = composeFeatures(world);
    const app = await createHttp(world, features);
    made.defer(() => app.close());
    servers.push({ ...world, ...features, app });
  }
  const kept = made.move();
  return {
    scheduler,
    /** As a test's world; its own server takes part in no race. */
    world,
    /** A server for each of the concurrent requests: nothing in the memory of one process puts them in order. */
    servers,
    /** The person as a client of this server. */
    person: (server: number, person: Person) => new Person(servers[server] as World, person),
    bot: (server: number, bot: Bot) => new Bot(servers[server] as World, bot),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
