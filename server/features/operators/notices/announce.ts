import { textIn } from '#contract/languages.ts';
import type { Announcement } from '#contract/operate/notices.ts';
import { SERVICE_ACCOUNT_ID, withoutDeleted } from '#features/accounts/index.ts';
import { type RowOf, withoutAbsent } from '#platform/absent.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, invalidArgument, notFound } from '#platform/errors.ts';
import type { Acts } from '../acts.ts';
import type { OperatorCommandDeps, OperatorDeps } from '../deps.ts';
import { selectUnsent, tellNotices } from './current.ts';

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
    const row = { announcementId, isLine, isMessage, createdAt, endsAt: endsAt ?? null, people };
    await db.begin(async (tx) => {
      await tx`insert into announcements ${tx({ ...row, text: tx.json(text) })}`;
      const details = { ...text, ...(isLine && { line: true }), ...(isMessage && { people }) };
      await record(details)(tx, announcementId);
    });
    await tellNotices(deps);
    return { announcementId };
  },
  /** Removes the banner and stops sending the message. */
  'announcement.ended': async (deps, { announcementId }, _, record) => {
    await deps.db.begin(async (tx) => {
      const ended = await tx`
        update announcements set ended_at = ${deps.clock.now()}
        where announcement_id = ${announcementId} and ended_at is null returning announcement_id`;
      if (ended.length === 0) throw notFound('announcement.unknown');
      await record()(tx);
    });
    await tellNotices(deps);
  },
} satisfies Acts<OperatorCommandDeps>;

/** The newest first. */
export async function listAnnouncements({ db }: OperatorCommandDeps): Promise<Announcement[]> {
  const rows = await db<RowOf<Announcement>[]>`
    select announcement_id, text, is_line, is_message, created_at, ends_at, ended_at, people, told, told_at
    from announcements order by announcement_id desc limit ${LISTED}`;
  return rows.map(withoutAbsent);
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

/** An announcement that other workers leave alone until the transaction ends; everybody up to an account id has it. */
interface Unsent extends Pick<Announcement, 'text' | 'createdAt'> {
  toldUpTo: string;
}

async function sendBatch(tx: Tx, { clock, accounts, messages }: OperatorDeps, announcementId: string) {
  const [unsent] = await tx<Unsent[]>`
    select text, created_at, told_up_to from announcements
    where announcement_id = ${announcementId} and told_at is null and ended_at is null
    for update skip locked`;
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
  await tx`
    update announcements
    set told = told + ${people.length}, told_up_to = ${people.at(-1)?.accountId ?? toldUpTo},
      told_at = ${isDone ? clock.now() : null}
    where announcement_id = ${announcementId}`;
  return { show };
}
