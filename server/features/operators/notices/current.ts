import type { Notices } from '#contract/notices.ts';
import { NOTICES_TOPIC } from '#platform/live.ts';
import { Loop } from '#platform/loop.ts';
import type { Platform } from '#platform/platform.ts';
import { selectLines, selectMaintenance } from './queries.ts';

/** How late this process finds what the command line did, or what was told while Redis was away. */
const EVERY_MS = 2_000;

type Deps = Pick<Platform, 'db' | 'clock' | 'live' | 'notices'>;

/** Reads what holds now, and has this process go by it. Undefined where that was known. */
async function readNotices({ db, clock, notices }: Omit<Deps, 'live'>): Promise<Notices | undefined> {
  const [maintenance, lines] = [await selectMaintenance(db), await selectLines(db, clock.now())];
  const read: Notices = {
    ...(maintenance && { maintenance }),
    announcements: lines.map(({ announcementId, text, endsAt }) => ({
      announcementId,
      text,
      ...(endsAt !== null && { endsAt }),
    })),
  };
  return notices.take(read) ? read : undefined;
}

/** After a change, in this process: its pages, and the other processes and theirs, are told. */
export async function tellNotices(deps: Deps): Promise<void> {
  const changed = await readNotices(deps);
  if (changed) deps.live.publish(NOTICES_TOPIC, { type: 'notices.changed', data: changed });
}

/** The same where somebody else made the change, which every process finds out by itself. */
export async function lookForNotices(deps: Deps): Promise<void> {
  const changed = await readNotices(deps);
  if (changed) deps.live.hear(NOTICES_TOPIC, { type: 'notices.changed', data: changed });
}

/**
 * Keeps what this process knows true until it is disposed of; what holds at its start it knows when this resolves, unless the
 * database has it on a node that is away.
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
