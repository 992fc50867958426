import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';

/** Counting stops here: a number beyond it tells nothing more, and reading must stay cheap. */
const COUNTED = 100_000;

/** How much is to be sent, and for how long the oldest of it has been due. */
export function watchQueue({ metrics, db, clock }: Pick<Platform, 'metrics' | 'db' | 'clock'>): void {
  metrics.gauge(
    'parley_webhook_queue_events',
    'Events to be sent, at most 100000 of each kind.',
    async () => {
      const { due, waiting, parked } = await countOpen(db, clock.now());
      return Object.entries({ due, waiting, parked }).map(([state, value]) => ({ labels: { state }, value }));
    },
  );
  metrics.gauge(
    'parley_webhook_queue_age_seconds',
    'For how long the oldest event has been due.',
    async () => {
      const oldest = await findOldestDue(db);
      return oldest === undefined ? 0 : Math.max(0, clock.now() - oldest) / 1000;
    },
  );
}

async function countOpen(db: Db, now: number) {
  const [row] = await db<{ due: number; waiting: number; parked: number }[]>`
    select count(*) filter (where next_attempt_at <= ${now})::integer as due,
      count(*) filter (where next_attempt_at > ${now})::integer as waiting,
      count(*) filter (where next_attempt_at is null)::integer as parked
    from (
      select next_attempt_at from deliveries where state in ('pending', 'retrying') limit ${COUNTED}
    ) as open`;
  return row ?? { due: 0, waiting: 0, parked: 0 };
}

async function findOldestDue(db: Db): Promise<number | undefined> {
  const [row] = await db<{ oldest: number | null }[]>`
    select min(next_attempt_at) as oldest
    from (
      select next_attempt_at from deliveries where state in ('pending', 'retrying') limit ${COUNTED}
    ) as open`;
  return row?.oldest ?? undefined;
}
