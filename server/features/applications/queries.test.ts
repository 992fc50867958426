import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Tx } from '#platform/database.ts';
import { columnsOf } from '#testing/columns.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import { findLiveKeys, insertKey, revokeKey, revokeKeys, updateKey } from './credentials/key-queries.ts';
import {
  addApplication,
  deleteExpiredPreviousSecrets,
  deleteOwned,
  findApplications,
  findForDelivery,
  findIdsByName,
  findOwnedIds,
  findSecrets,
  findWebhookUrls,
  type LockedApplication,
  lockApplication,
  updateClientSecret,
  updateName,
  updatePreviousWebhookSecret,
  updateRequestsPerMinute,
  updateWebhookSecret,
  updateWebhookUrl,
} from './queries.ts';
import {
  deleteAccountTeam,
  deleteExpiredInvitations,
  deleteInvitation,
  deleteInvitations,
  deleteTeammate,
  deleteTeammates,
  findInvitations,
  findTeamIds,
  findTeammates,
  findTeamRole,
  insertAccountTeam,
  insertInvitation,
  insertTeammate,
  updateTeamRole,
} from './team/queries.ts';

const APP_IDS = ['app_1', 'app_2'] as const;
const [FIRST, SECOND] = APP_IDS;

const PEOPLE = ['ada', 'bob'] as const;

/** Two applications of Ada, Alpha and Aleph. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db } = platform;
  for (const accountId of PEOPLE)
    await db`
      insert into accounts (account_id, is_bot, name, created_at) values (${accountId}, false, ${accountId}, 1)`;
  for (const [i, appId] of APP_IDS.entries()) {
    const row = { appId, ownerId: 'ada', name: i === 0 ? 'Alpha' : 'Aleph', requestsPerMinute: 60 };
    const secrets = { clientSecretHash: null, webhookSecret: Buffer.of(1), webhookSecretKeyId: 1 };
    await db.begin((tx) => addApplication(tx, { ...row, ...secrets, createdAt: 1 }));
  }
  const change = (work: (tx: Tx, application: LockedApplication) => Promise<unknown>) =>
    db.begin(async (tx) => {
      const application = await lockApplication(tx, FIRST);
      assert.ok(application);
      await work(tx, application);
    });
  return { db, change };
}

const idsOf = (rows: readonly { appId: string }[]) => rows.map(({ appId }) => appId);

test('an application changes without its neighbour', async (t) => {
  const { db, change } = await scene(t);
  const select = (appId: string) => db`select * from applications where app_id = ${appId}`;
  const neighbour = await select(SECOND);
  const until = (time: number) => ({ ciphertext: Buffer.of(2), keyId: 2, until: time });
  await change(async (tx, application) => {
    await updateName(tx, application, 'Beta');
    await updateRequestsPerMinute(tx, application, 61);
    await updateClientSecret(tx, application, { hash: Buffer.of(2), createdAt: 2 });
    await updateWebhookSecret(tx, application, {
      ...{ webhookSecret: Buffer.of(2), webhookSecretKeyId: 2 },
      createdAt: 2,
    });
    await updatePreviousWebhookSecret(tx, application, until(10));
    await updateWebhookUrl(tx, application, { sealedWebhookUrl: Buffer.of(2), sealedWebhookUrlKeyId: 2 });
  });
  const [changed] = await select(FIRST);
  assert.deepEqual(
    [changed?.['name'], changed?.['requestsPerMinute'], changed?.['version']],
    ['Beta', 61, Number(neighbour[0]?.['version']) + 1],
  );
  assert.deepEqual(await select(SECOND), neighbour);

  const previousUntil = async () =>
    (await findForDelivery(db, [FIRST]))[0]?.previousWebhookSecretUntil ?? undefined;
  await db.write((tx) => deleteExpiredPreviousSecrets(tx, 9));
  assert.equal(await previousUntil(), 10);
  await db.write((tx) => deleteExpiredPreviousSecrets(tx, 10));
  assert.equal(await previousUntil(), undefined);
});

test('applications are found by what names them, without deleted ones', async (t) => {
  const { db } = await scene(t);
  const found = async () => [
    idsOf(await findApplications(db, [FIRST])),
    idsOf(await findForDelivery(db, [FIRST])),
    await findIdsByName(db, { beginning: 'al', limit: 9 }),
    [(await findSecrets(db, FIRST))?.name, (await findSecrets(db, SECOND))?.name],
    idsOf(await findWebhookUrls(db, 9)),
  ];
  assert.deepEqual(await found(), [[FIRST], [FIRST], [SECOND, FIRST], ['Alpha', 'Aleph'], []]);
  assert.deepEqual(await findIdsByName(db, { beginning: 'alp', limit: 9 }), [FIRST]);
  await db`update applications set sealed_webhook_url = ''`;
  assert.deepEqual(idsOf(await findWebhookUrls(db, 9)), [SECOND, FIRST]);
  await db`update applications set state = 'deleted' where app_id = ${FIRST}`;
  assert.deepEqual(await found(), [[], [], [SECOND], [undefined, 'Aleph'], [SECOND]]);
});

test('keys of an application change by themselves, and not once they are revoked', async (t) => {
  const { db, change } = await scene(t);
  for (const appId of APP_IDS)
    for (const n of [1, 2, 3])
      await db`
        insert into api_keys (app_id, key_hash, scopes, created_at, name)
        values (${appId}, ${Buffer.of(n)}, '{}', ${n}, 'old')`;
  const live = async () =>
    Promise.all(
      APP_IDS.map(async (appId) =>
        (await findLiveKeys(db, appId)).map(({ keyHash, name }) => `${keyHash[0]} ${name}`),
      ),
    );
  const neighbours = ['1 old', '2 old', '3 old'];
  await change((tx, app) => revokeKey(tx, app, { keyHash: Buffer.of(2), revokedAt: 10 }));
  for (const n of [1, 2])
    await change((tx, app) => updateKey(tx, app, { keyHash: Buffer.of(n), name: 'new', scopes: [] }));
  assert.deepEqual(await live(), [['1 new', '3 old'], neighbours]);
  await change((tx, app) => revokeKey(tx, app, { keyHash: Buffer.of(2), revokedAt: 20 }));
  await change((tx, app) => revokeKeys(tx, app, 30));
  assert.deepEqual(await live(), [[], neighbours]);
  const revoked = await db`
    select name, revoked_at::integer from api_keys where app_id = ${FIRST} order by key_hash`;
  assert.deepEqual(columnsOf(revoked, 'name', 'revokedAt'), [
    ['new', 30],
    ['old', 10],
    ['old', 30],
  ]);
  await change((tx, app) =>
    insertKey(tx, app, { keyHash: Buffer.of(4), name: 'x', scopes: [], createdAt: 4 }),
  );
  assert.deepEqual(await live(), [['4 x'], neighbours]);
});

test('teams and their invitations are those of one application', async (t) => {
  const { db } = await scene(t);
  const join = (appId: string, accountId: string) =>
    db.write((tx) => insertTeammate(tx, appId, { accountId, role: 'viewer', joinedAt: 1 }));
  for (const appId of APP_IDS)
    for (const accountId of ['ada', 'bob']) assert.ok(await join(appId, accountId));
  assert.equal(await join(FIRST, 'ada'), false);
  const roles = async () =>
    Promise.all(
      APP_IDS.map(async (appId) =>
        (await findTeammates(db, appId)).map(({ accountId, role }) => `${accountId} ${role}`).join(),
      ),
    );
  const role = 'developer';
  assert.ok(await db.write((tx) => updateTeamRole(tx, FIRST, { accountId: 'ada', role })));
  assert.equal(await db.write((tx) => updateTeamRole(tx, FIRST, { accountId: 'eve', role })), false);
  assert.deepEqual(await roles(), ['ada developer,bob viewer', 'ada viewer,bob viewer']);
  const roleOf = (appId: string, accountId: string) => findTeamRole(db, appId, accountId);
  assert.deepEqual([await roleOf(FIRST, 'ada'), await roleOf(FIRST, 'bob')], ['developer', 'viewer']);
  assert.deepEqual([await roleOf(SECOND, 'ada'), await roleOf(FIRST, 'eve')], ['viewer', undefined]);
  const leave = (appId: string) => db.write((tx) => deleteTeammate(tx, appId, 'ada'));
  assert.deepEqual([await leave(SECOND), await leave(SECOND)], [true, false]);
  assert.deepEqual(await roles(), ['ada developer,bob viewer', 'bob viewer']);
  await db.write((tx) => deleteTeammates(tx, SECOND));
  assert.deepEqual(await roles(), ['ada developer,bob viewer', '']);

  const invite = (appId: string, n: number, expiresAt: number) =>
    db.write((tx) => insertInvitation(tx, appId, { tokenHash: Buffer.of(n), role, createdAt: n, expiresAt }));
  for (const appId of APP_IDS) for (const n of [1, 2, 3]) await invite(appId, n, n * 10);
  const open = async (now: number) =>
    Promise.all(
      APP_IDS.map(async (appId) =>
        (await findInvitations(db, appId, now)).map(({ tokenHash }) => tokenHash[0]).join(),
      ),
    );
  assert.deepEqual(
    [await open(9), await open(10)],
    [
      ['1,2,3', '1,2,3'],
      ['2,3', '2,3'],
    ],
  );
  const accept = (n: number, now: number) =>
    db.write((tx) => deleteInvitation(tx, FIRST, { tokenHash: Buffer.of(n), now }));
  assert.deepEqual(
    [await accept(1, 10), await accept(2, 19), await accept(2, 19)],
    [undefined, role, undefined],
  );
  await db.write((tx) => deleteExpiredInvitations(tx, FIRST, 9));
  assert.deepEqual(await open(0), ['1,3', '1,2,3']);
  await db.write((tx) => deleteExpiredInvitations(tx, FIRST, 10));
  assert.deepEqual(await open(0), ['3', '1,2,3']);
  await db.write((tx) => deleteInvitations(tx, FIRST));
  assert.deepEqual(await open(0), ['', '1,2,3']);
});

test('the applications of a person are theirs alone', async (t) => {
  const { db } = await scene(t);
  for (const appId of APP_IDS)
    await db`insert into account_applications (account_id, app_id, created_at) values ('bob', ${appId}, 1)`;
  for (const accountId of PEOPLE)
    for (const appId of APP_IDS) await db.write((tx) => insertAccountTeam(tx, accountId, appId));
  await db.write((tx) => deleteOwned(tx, 'ada', FIRST));
  await db.write((tx) => deleteAccountTeam(tx, 'bob', SECOND));
  const all = (find: typeof findTeamIds) =>
    Promise.all(PEOPLE.map(async (one) => (await find(db, one)).sort()));
  assert.deepEqual(await all(findOwnedIds), [[SECOND], [FIRST, SECOND]]);
  assert.deepEqual(await all(findTeamIds), [[FIRST, SECOND], [FIRST]]);
});
