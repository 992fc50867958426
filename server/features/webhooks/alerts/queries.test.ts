import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Tx } from '#platform/database.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import {
  deleteContact,
  deleteContacts,
  findConfirmable,
  findContact,
  findContacts,
  insertContact,
  updateConfirmation,
  updateConfirmed,
  updateContactMuted,
} from './contact-queries.ts';
import {
  claimNotice,
  findDueNotices,
  findNoticeParts,
  findNotices,
  type NoticeSettlement,
  settleNotice,
} from './notice-queries.ts';
import {
  type AlertRow,
  deleteAlertsBefore,
  findAlerts,
  findLatestAlert,
  insertNotices,
  lockLiving,
  updateNoticesDue,
  upsertAlert,
} from './queries.ts';

const APP_IDS = ['app_1', 'app_2'] as const;
const CONTACT_IDS = ['alc_1', 'alc_2'] as const;
const [APP, OTHER] = APP_IDS;
const [FIRST, SECOND] = CONTACT_IDS;

/** Two applications with two contacts each. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db } = platform;
  for (const appId of APP_IDS) {
    await db`
      insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
      values (${appId}, 'ada', ${appId}, 'active', 1, 1)`;
    for (const contactId of CONTACT_IDS) {
      const row = { appId, contactId, kind: 'chat' as const, target: Buffer.of(1), targetKeyId: 1 };
      await db.write((tx) => insertContact(tx, { ...row, createdAt: 1 }));
    }
  }
  /** What is said of each contact. */
  const contacts = async (say: 'mutedUntil' | 'confirmedAt') =>
    Promise.all(APP_IDS.map(async (appId) => (await findContacts(db, appId)).map((contact) => contact[say])));
  const alert = (appId: string, n: number): AlertRow => {
    const times = { createdAt: n * 10, firstEventAt: n, lastEventAt: n };
    return { appId, alertId: `alr_${n}`, eventCount: n, eventCounts: {}, ...times };
  };
  const key = (appId: string, n: number, contactId: string) => ({ appId, alertId: `alr_${n}`, contactId });
  return { db, contacts, alert, key };
}

test('a contact changes and goes by itself', async (t) => {
  const { db, contacts } = await scene(t);
  const [appId, contactId] = [APP, FIRST];
  await db.write((tx) => updateContactMuted(tx, { appId, contactId, mutedUntil: 5 }));
  assert.deepEqual(await contacts('mutedUntil'), [
    [5, null],
    [null, null],
  ]);
  const hash = Buffer.of(7);
  await db.write((tx) => updateConfirmation(tx, { appId, contactId, hash, sentAt: 10 }));
  const wrong = [
    { appId: OTHER, contactId, hash, since: 9 },
    { appId, contactId: SECOND, hash, since: 9 },
    { appId, contactId, hash: Buffer.of(8), since: 9 },
    { appId, contactId, hash, since: 10 },
  ];
  for (const link of wrong) {
    assert.equal(await findConfirmable(db, link), false);
    assert.equal(await db.write((tx) => updateConfirmed(tx, link, 11)), false);
  }
  const right = { appId, contactId, hash, since: 9 };
  assert.ok(await findConfirmable(db, right));
  for (const at of [11, 12]) assert.ok(await db.write((tx) => updateConfirmed(tx, right, at)));
  assert.deepEqual(await contacts('confirmedAt'), [
    [11, null],
    [null, null],
  ]);
  const confirmed = [
    await findContact(db, APP, FIRST),
    await findContact(db, OTHER, FIRST),
    await findContact(db, APP, SECOND),
  ];
  assert.deepEqual(
    confirmed.map((found) => found?.confirmedAt),
    [11, null, null],
  );
  const remove = () => db.write((tx) => deleteContact(tx, OTHER, FIRST));
  assert.deepEqual([await remove(), await remove()], [true, false]);
  assert.deepEqual(await contacts('mutedUntil'), [[5, null], [null]]);
  await db.write((tx) => deleteContacts(tx, APP));
  assert.deepEqual(await contacts('mutedUntil'), [[], [null]]);
});

test('an alert goes to the contacts of its application that are not muted', async (t) => {
  const { db, alert } = await scene(t);
  const raise = async (row: AlertRow) => {
    await db.write((tx) => upsertAlert(tx, row));
    return db.write((tx) => insertNotices(tx, row, 0));
  };
  await db`update alert_contacts set muted_until = 10 where app_id = ${APP} and contact_id = ${FIRST}`;
  await db`update alert_contacts set muted_until = 31 where app_id = ${APP} and contact_id = ${SECOND}`;
  await db`update applications set alerts_muted_until = 20 where app_id = ${OTHER}`;
  const made = [await raise(alert(APP, 1)), await raise(alert(OTHER, 1)), await raise(alert(OTHER, 2))];
  assert.deepEqual(made, [1, 0, 2]);

  assert.deepEqual(
    [await findLatestAlert(db, APP), await findLatestAlert(db, OTHER), await findLatestAlert(db, 'app_3')],
    [10, 20, undefined],
  );
  await db.write((tx) => upsertAlert(tx, { ...alert(OTHER, 1), eventCount: 9 }));
  const counts = async () =>
    Promise.all(APP_IDS.map(async (appId) => (await findAlerts(db, appId, 9)).map((row) => row.eventCount)));
  assert.deepEqual(await counts(), [[1], [2, 9]]);
  await db.write((tx) => deleteAlertsBefore(tx, 9));
  assert.deepEqual(await counts(), [[1], [2, 9]]);
  await db.write((tx) => deleteAlertsBefore(tx, 10));
  assert.deepEqual(await counts(), [[], [2]]);
});

test('a notice is claimed, and settled by whoever claimed it', async (t) => {
  const { db, alert, key } = await scene(t);
  for (const appId of APP_IDS)
    for (const n of [1, 2]) {
      await db.write((tx) => upsertAlert(tx, alert(appId, n)));
      await db.write((tx) => insertNotices(tx, alert(appId, n), 10));
    }
  const due = async (now: number) =>
    (await findDueNotices(db, now, 99))
      .map(({ appId, alertId, contactId }) => [appId, alertId, contactId].map((id) => id.slice(4)).join(''))
      .sort();
  const all = ['111', '112', '121', '122', '211', '212', '221', '222'];
  assert.deepEqual([await due(9), await due(10)], [[], all]);
  const claim = { now: 10, leaseOwner: 'me', leaseEndsAt: 50 };
  const notice = key(APP, 1, FIRST);
  assert.equal((await db.write((tx) => claimNotice(tx, notice, { ...claim, now: 9 }))).length, 0);
  assert.equal((await db.write((tx) => claimNotice(tx, notice, claim))).length, 1);
  assert.equal((await db.write((tx) => claimNotice(tx, notice, claim))).length, 0);
  assert.deepEqual([await due(49), await due(50)], [all.slice(1), all]);

  // Only those that nobody has tried or claimed wait longer.
  await db`update alert_notices set attempts = 1 where app_id = ${APP} and alert_id = 'alr_2' and contact_id = ${FIRST}`;
  for (const n of [1, 2]) await db.write((tx) => updateNoticesDue(tx, alert(APP, n), 60));
  assert.deepEqual(await due(50), ['111', '121', ...all.slice(4)]);

  const settle = (change: Partial<NoticeSettlement>) => {
    const settlement = { ...notice, attempts: 1, state: 'sent' as const, nextAttemptAt: null, fault: null };
    return db.write((tx) => settleNotice(tx, { ...settlement, leaseOwner: 'me', ...change }));
  };
  const states = async () =>
    Promise.all(
      APP_IDS.map(async (appId) =>
        (await findNotices(db, appId, ['alr_1'])).map(({ contactId, state }) => `${contactId} ${state}`),
      ),
    );
  const pending = CONTACT_IDS.map((contactId) => `${contactId} pending`);
  await settle({ leaseOwner: 'another' });
  assert.deepEqual(await states(), [pending, pending]);
  await db`update alert_notices set lease_owner = 'me'`;
  await settle({});
  await settle({ state: 'failed' });
  await db`update alert_notices set lease_owner = 'me'`;
  await settle({ state: 'failed' });
  assert.deepEqual(await states(), [[`${FIRST} sent`, `${SECOND} pending`], pending]);
  const sent = await db`select from alert_notices where state <> 'pending'`;
  assert.equal(sent.length, 1);
  await db`update alert_notices set next_attempt_at = 0`;
  assert.equal((await db.write((tx) => claimNotice(tx, notice, { ...claim, now: 99 }))).length, 0);
  await db.write((tx) => updateNoticesDue(tx, alert(APP, 1), 60));
  assert.deepEqual(await due(0), all.slice(1));
  await db`update alert_notices set lease_owner = null, attempts = 0`;
  await db.write((tx) => updateNoticesDue(tx, alert(APP, 1), 60));
  const later = await db`select contact_id from alert_notices where next_attempt_at = 60`;
  assert.deepEqual(
    later.map(({ contactId }) => contactId),
    [SECOND],
  );
});

test('a notice has the parts of its own application, alert and contact', async (t) => {
  const { db, alert, key } = await scene(t);
  for (const appId of APP_IDS)
    for (const n of [1, 2]) await db.write((tx) => upsertAlert(tx, alert(appId, n)));
  await db`
    update alert_contacts set confirmed_at = case when app_id = ${APP} then 10 else 20 end + right(contact_id, 1)::integer`;
  const parts = async (appId: string, n: number, contactId: string) => {
    const found = await findNoticeParts(db, key(appId, n, contactId));
    return found && [found.name, found.eventCount, found.confirmedAt];
  };
  assert.deepEqual(
    [await parts(APP, 1, FIRST), await parts(OTHER, 2, SECOND), await parts(APP, 3, FIRST)],
    [[APP, 1, 11], [OTHER, 2, 22], undefined],
  );
  const living = (appId: string) => db.write((tx) => lockLiving(tx, appId));
  await db`update applications set state = 'deleted' where app_id = ${APP}`;
  assert.deepEqual([await living(APP), await living(OTHER)], [false, true]);
  assert.deepEqual([await parts(APP, 1, FIRST), await parts(OTHER, 1, FIRST)], [undefined, [OTHER, 1, 21]]);
  await db.begin(async (tx: Tx) => {
    await lockLiving(tx, OTHER);
    const free = await db`select from applications where app_id = ${OTHER} for no key update skip locked`;
    assert.equal(free.length, 0);
  });
});
