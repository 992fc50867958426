import type { Maintenance, Notices } from '#contract/notices.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { type RowOf, withoutAbsent } from '#platform/absent.ts';
import type { Db } from '#platform/database.ts';
import { NOTICES_TOPIC } from '#platform/live.ts';
import { Loop } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * How late this process notices changes by the command line, or changes published while Redis was
 * unavailable.
 */
const EVERY_MS = 2_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'live' | 'notices'>;

async function readNotices({ db, clock }: Deps): Promise<Notices> {
  const [maintenance] = await db<RowOf<Maintenance>[]>`
    select started_at, until, text from maintenance where id = 1`;
  const now = clock.now();
  const lines = await db<Pick<RowOf<Announcement>, 'announcementId' | 'text' | 'endsAt'>[]>`
    select announcement_id, text, ends_at from announcements
    where is_line and ended_at is null and (ends_at is null or ends_at > ${now})
    order by announcement_id desc`;
  return {
    ...(maintenance && { maintenance: withoutAbsent(maintenance) }),
    announcements: lines.map(withoutAbsent),
  };
}

/** The messages that have not been sent to everybody, the oldest first. */
export async function selectUnsent(
  db: Db,
): Promise<Pick<Announcement, 'announcementId' | 'people' | 'told'>[]> {
  return db`
    select announcement_id, people, told from announcements
    where is_message and told_at is null and ended_at is null order by announcement_id`;
}

/** After a change in this process: notifies its pages, and the other processes and their pages. */
export async function tellNotices(deps: Deps): Promise<void> {
  const data = await readNotices(deps);
  if (deps.notices.take(data)) deps.live.publish(NOTICES_TOPIC, { type: 'notices.changed', data });
}

/** The same for a change made elsewhere, which every process detects independently. */
export async function lookForNotices(deps: Platform): Promise<void> {
  const { changes } = deps.notices;
  const data = await readNotices(deps);
  // A state that was taken meanwhile may be newer; the next look finds out.
  if (deps.notices.changes === changes && deps.notices.take(data))
    deps.live.publishLocally(NOTICES_TOPIC, { type: 'notices.changed', data });
}

/**
 * Keeps the state in this process current until it is disposed of; it has the initial state when this resolves,
 * unless the database node that stores it is down.
 */
export async function followNotices(platform: Platform): Promise<AsyncDisposable> {
  const { live, log, notices } = platform;
  await lookForNotices(platform).catch((error) =>
    log.error({ err: error }, 'announcements and maintenance are not known yet; serving without them'),
  );
  const followed = new AsyncDisposableStack();
  followed.defer(
    live.subscribe(NOTICES_TOPIC, (event) => {
      if (event.type === 'notices.changed') notices.take(event.data);
    }),
  );
  followed.use(
    new Loop(platform, { name: 'notices', everyMs: EVERY_MS, isDelayed: true }, () =>
      lookForNotices(platform),
    ),
  );
  return followed;
}

/** Whether there is maintenance, and how many people an announcement has not reached yet. */
export function watchNotices({ metrics, db, notices }: Platform): void {
  metrics.gauge('parley_maintenance', '1 while there is maintenance: nothing is written.', () =>
    Number(notices.maintenance !== undefined),
  );
  metrics.gauge(
    'parley_announcement_people_waiting',
    'People to whom the message of an announcement is still to be sent.',
    async () => (await selectUnsent(db)).reduce((sum, { people, told }) => sum + people - told, 0),
  );
}
