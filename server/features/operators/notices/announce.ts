import { OPERATE } from '#contract/api/operate.ts';
import { textIn } from '#contract/languages.ts';
import type { Announcement, MakeAnnouncement } from '#contract/operate/notices.ts';
import { SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { firstIdAt } from '#platform/ids.ts';
import { recordAct } from '../acts.ts';
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

/** The dependencies that the command line has, too. */
/** The acting operator; without one, the command line. */
export interface By {
  operatorId?: string | undefined;
}

/** Existing accounts at that time: ids are ordered by creation. */
export const afterAllPeople = (createdAt: number) => firstIdAt('usr', createdAt + 1);

/**
 * Publishes an announcement: as a banner on all pages from now on, and as a message, which workers send.
 *
 * @returns its id
 * @throws ApiError 400
 */
export async function announce(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  { text, isLine, isMessage, endsAt }: MakeAnnouncement,
): Promise<string> {
  const { db, clock, newId, accounts } = deps;
  const createdAt = clock.now();
  if (!isLine && !isMessage) throw failedPrecondition('announcement.nowhere');
  if (endsAt !== undefined && endsAt <= createdAt) throw invalidArgument('endsAt', 'in-the-past');
  const announcementId = newId('ann');
  const people = isMessage ? await accounts.operator.countPeople(afterAllPeople(createdAt)) : 0;
  await db.begin(async (tx) => {
    await insertAnnouncement(tx, {
      announcementId,
      text,
      isLine,
      isMessage,
      createdAt,
      endsAt: endsAt ?? null,
      people,
    });
    const details = { ...text, ...(isLine && { line: 'yes' }), ...(isMessage && { people }) };
    await recordAct(tx, deps, { operatorId, act: 'announcement.made', subject: announcementId, details });
  });
  await tellNotices(deps);
  return announcementId;
}

/** Removes the banner and stops sending the message. @throws ApiError 404 */
export async function endAnnouncement(
  deps: OperatorCommandDeps,
  { operatorId }: By,
  announcementId: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    if (!(await updateEnded(tx, announcementId, deps.clock.now()))) throw notFound('announcement.unknown');
    await recordAct(tx, deps, { operatorId, act: 'announcement.ended', subject: announcementId });
  });
  await tellNotices(deps);
}

/** The newest first. */
export async function listAnnouncements({ db }: OperatorCommandDeps): Promise<Announcement[]> {
  return (await selectAnnouncements(db, LISTED)).map(view);
}

function view({ endsAt, endedAt, toldAt, toldUpTo: _, ...row }: AnnouncementRow): Announcement {
  return {
    ...row,
    ...(endsAt !== null && { endsAt }),
    ...(endedAt !== null && { endedAt }),
    ...(toldAt !== null && { toldAt }),
  };
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
    before: afterAllPeople(createdAt),
    limit: BATCH_SIZE,
  });
  const show = await messages.botInbox.tell(
    tx,
    SERVICE_ACCOUNT_ID,
    people.map(({ accountId, language }) => ({ personId: accountId, text: textIn(text, language) })),
  );
  const isDone = people.length < BATCH_SIZE;
  await updateProgress(tx, announcementId, {
    more: people.length,
    upTo: people.at(-1)?.accountId ?? toldUpTo,
    doneAt: isDone ? clock.now() : null,
  });
  return { show };
}

/** Announcements. */
export function announcementRoutes(deps: OperatorDeps) {
  return serve(OPERATE, {
    'GET /announcements': async () => ({ announcements: await listAnnouncements(deps) }),
    'POST /announcements': async ({ operator, body }) => ({
      announcementId: await announce(deps, { operatorId: operator.accountId }, body),
    }),
    'DELETE /announcements/:announcementId': async ({ operator, params }) => {
      await endAnnouncement(deps, { operatorId: operator.accountId }, params.announcementId);
      return {};
    },
  });
}
