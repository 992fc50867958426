import type { ContactKind } from '#contract/webhooks/alerts.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface ContactRow {
  appId: string;
  contactId: string;
  kind: ContactKind;
  /** Sealed. */
  target: Buffer;
  targetKeyId: number;
  createdAt: number;
  /** Muted until then. */
  mutedUntil: number | null;
  /** Of an e-mail address; before that, only the link is sent there. */
  confirmedAt: number | null;
}

function columns(db: Db) {
  return db`app_id, contact_id, kind, target, target_key_id, created_at, muted_until, confirmed_at`;
}

export async function findContacts(db: Db, appId: string): Promise<ContactRow[]> {
  return db<ContactRow[]>`
    select ${columns(db)} from alert_contacts where app_id = ${appId} order by contact_id`;
}

export async function findContact(db: Db, appId: string, contactId: string): Promise<ContactRow | undefined> {
  const [row] = await db<ContactRow[]>`
    select ${columns(db)}
    from alert_contacts where app_id = ${appId} and contact_id = ${contactId}`;
  return row;
}

export async function insertContact(
  tx: Tx,
  row: Omit<ContactRow, 'mutedUntil' | 'confirmedAt'>,
): Promise<void> {
  await tx`
    insert into alert_contacts (app_id, contact_id, kind, target, target_key_id, created_at)
    values (${row.appId}, ${row.contactId}, ${row.kind}, ${row.target}, ${row.targetKeyId}, ${row.createdAt})`;
}

export async function deleteContact(tx: Tx, appId: string, contactId: string): Promise<boolean> {
  const { count } = await tx`
    delete from alert_contacts where app_id = ${appId} and contact_id = ${contactId}`;
  return count === 1;
}

export async function deleteContacts(tx: Tx, appId: string): Promise<void> {
  await tx`delete from alert_contacts where app_id = ${appId}`;
}

export async function updateContactMuted(
  tx: Tx,
  { appId, contactId, mutedUntil }: Pick<ContactRow, 'appId' | 'contactId' | 'mutedUntil'>,
): Promise<ContactRow | undefined> {
  const [row] = await tx<ContactRow[]>`
    update alert_contacts set muted_until = ${mutedUntil} where app_id = ${appId} and contact_id = ${contactId}
    returning ${columns(tx)}`;
  return row;
}

/** The contact that a link names. */
export interface Confirming extends Pick<ContactRow, 'appId' | 'contactId'> {
  hash: Buffer;
  /** Sent later than this. */
  since: number;
}

/** The latest link; earlier ones are void. */
export async function updateConfirmation(
  tx: Tx,
  { appId, contactId, hash, sentAt }: Omit<Confirming, 'since'> & { sentAt: number },
): Promise<void> {
  await tx`
    update alert_contacts set confirmation_hash = ${hash}, confirmation_sent_at = ${sentAt}
    where app_id = ${appId} and contact_id = ${contactId}`;
}

function isNamed(db: Db, { appId, contactId, hash, since }: Confirming) {
  return db`
    app_id = ${appId} and contact_id = ${contactId} and confirmation_hash = ${hash}
      and confirmation_sent_at > ${since}`;
}

export async function findConfirmable(db: Db, link: Confirming): Promise<boolean> {
  return (await db`select from alert_contacts where ${isNamed(db, link)}`).length === 1;
}

export async function updateConfirmed(tx: Tx, link: Confirming, at: number): Promise<boolean> {
  const { count } = await tx`
    update alert_contacts set confirmed_at = coalesce(confirmed_at, ${at}) where ${isNamed(tx, link)}`;
  return count === 1;
}
