import { textIn } from '#contract/languages.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { SERVICE_ACCOUNT_ID, withoutDeleted } from '#features/accounts/index.ts';
import { withoutAbsent } from '#platform/absent.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import type { Acts } from '../acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from '../deps.ts';
import { tellNotices } from './current.ts';
import {
  type AnnouncementRow,
  insertAnnouncement,
  lockUnsent,
  selectAnnouncements,
  selectUnsent,
  updateEnded,
  updateProgress,
} from './queries.ts';

const LISTED = 100;

/** Announcements: as a banner on all pages, and as a message, which workers send. */
export const announcementActs = {
  'announcement.made': async (deps, _, { text, isLine, isMessage, endsAt }, record) => {
    const { db, clock, newId, accounts } = deps;
    const createdAt = clock.now();
    if (!isLine && !isMessage) throw failedPrecondition('announcement.nowhere');
    if (endsAt !== undefined && endsAt <= createdAt) throw invalidArgument('endsAt', 'in-the-past');
    const announcementId = newId('ann');
    const people = isMessage ? await accounts.operator.countPeople(createdAt) : 0;
    const row = { announcementId, text, isLine, isMessage, createdAt, endsAt: endsAt ?? null, people };
    await db.begin(async (tx) => {
      await insertAnnouncement(tx, row);
      const details = { ...text, ...(isLine && { line: true }), ...(isMessage && { people }) };
      await record(details)(tx, announcementId);
    });
    await tellNotices(deps);
    return { announcementId };
  },
  /** Removes the banner and stops sending the message. */
  'announcement.ended': async (deps, { announcementId }, _, record) => {
    await deps.db.begin(async (tx) => {
      if (!(await updateEnded(tx, announcementId, deps.clock.now()))) throw notFound('announcement.unknown');
      await record()(tx);
    });
    await tellNotices(deps);
  },
} satisfies Acts<OperatorCommandDeps>;

/** The newest first. */
export async function listAnnouncements({ db }: OperatorCommandDeps): Promise<Announcement[]> {
  return (await selectAnnouncements(db, LISTED)).map(view);
}

function view({ toldUpTo: _, ...row }: AnnouncementRow): Announcement {
  return withoutAbsent(row);
}

/** The number of people per transaction: some tens of milliseconds. */
const BATCH_SIZE = 100;

/**
 * One slice of the worker: the account of the service writes to the next people. Their messages and the position commit
 * together, so that each of them gets exactly one message.
 *
 * @returns whether there may be more
 */
export async function sendAnnouncements(deps: OperatorDeps): Promise<boolean> {
  for (const { announcementId } of await selectUnsent(deps.db)) {
    const sent = await deps.db.begin((tx) => sendBatch(tx, deps, announcementId));
    if (!sent) continue;
    sent.show();
    return true;
  }
  return false;
}

async function sendBatch(tx: Tx, { clock, accounts, messages }: OperatorDeps, announcementId: string) {
  const unsent = await lockUnsent(tx, announcementId);
  if (!unsent) return undefined;
  const { text, createdAt, toldUpTo } = unsent;
  const people = await accounts.operator.listPeople(tx, {
    after: toldUpTo,
    createdBy: createdAt,
    limit: BATCH_SIZE,
  });
  const show = await messages.botInbox.tell(
    tx,
    SERVICE_ACCOUNT_ID,
    (await withoutDeleted(tx, people)).map(({ accountId, language }) => ({
      personId: accountId,
      text: textIn(text, language),
    })),
  );
  const isDone = people.length < BATCH_SIZE;
  await updateProgress(tx, announcementId, {
    more: people.length,
    upTo: people.at(-1)?.accountId ?? toldUpTo,
    doneAt: isDone ? clock.now() : null,
  });
  return { show };
}
