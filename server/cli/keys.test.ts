import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { SigningKeys } from '#features/oauth/openid/signing-keys.ts';
import { requireProvider } from '#features/sign-in-providers/providers.ts';
import { openAnswer } from '#features/webhooks/attempts/answer.ts';
import { parseKeys } from '#platform/crypto/keyring.ts';
import { loadKeyring, proveKeyring, watchKeys } from '#platform/crypto/master-keys.ts';
import { type Database, openPatiently } from '#platform/database.ts';
import { countWaiting } from '#testing/citus.ts';
import { columnOf } from '#testing/columns.ts';
import { damage } from '#testing/damage.ts';
import { failsOnce } from '#testing/failed-attempt.ts';
import { installation } from '#testing/installation.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { eventually } from '#testing/waits.ts';
import { countSealedWith } from './keys/reseal.ts';
import { SEALED_COLUMNS } from './keys/sealed-columns.ts';
import { sealedRows } from './keys/sealed-rows.ts';
import { keyCommands } from './keys.ts';

const installed = (t: TestContext) => installation(t, keyCommands);

test('every column that is sealed is known to the rotation', async (t) => {
  const { world } = await installed(t);
  const rows = await world.db<{ tableName: string; columnName: string }[]>`
    select relname::text as table_name, attname::text as column_name
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attname like '%\_key\_id'`;
  const known = SEALED_COLUMNS.map(({ table, keyIdColumn }) => `${table}.${keyIdColumn}`).sort();
  assert.deepEqual(known, rows.map((row) => `${row.tableName}.${row.columnName}`).sort());
});

test('a rotation seals all rows again while the server writes, and the old key can be retired', async (t) => {
  const { world, keys: path, run } = await installed(t);
  await using _watch = watchKeys(world);
  const insert = async (count: number) => {
    for (let i = 0; i < count; i++) {
      const msgId = world.newId('msg');
      const text = Buffer.from(`text of ${msgId}`);
      const { keyId, ciphertext } = world.keyring.seal({ table: 'messages', rowId: msgId }, text);
      await world.db.begin(
        (tx) => tx`
          insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
          values (${i % 1024}, 'prv_1', ${msgId}, 'usr_1', 'text', ${ciphertext}, ${keyId}, 0)`,
      );
    }
  };
  await insert(450);
  const rotating = run('keys rotate');
  await insert(50);
  const outcome = await rotating;
  await insert(5);

  assert.equal((outcome.data as { keyId: number }).keyId, 2);
  assert.deepEqual([...parseKeys(await readFile(path, 'utf8')).keys()], [1, 2]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(world.keyring.activeKeyId, 2, 'the server seals with the new key, without a restart');
  const rows = await world.db<{ msgId: string; body: Buffer; bodyKeyId: number }[]>`
    select msg_id, body, body_key_id from messages`;
  assert.equal(rows.length, 505);
  for (const { msgId, body, bodyKeyId } of rows) {
    assert.equal(bodyKeyId, 2);
    const sealed = { keyId: bodyKeyId, ciphertext: body };
    const opened = world.keyring.open({ table: 'messages', rowId: msgId }, sealed);
    assert.equal(String(opened), `text of ${msgId}`);
  }

  await assert.rejects(run('keys retire', ['2']), /key 2 is in use/);
  await assert.rejects(run('keys retire', ['1']), /younger than a minute/);
  world.clock.advance({ minutes: 2 });
  assert.equal((await run('keys retire', ['1'])).text, 'key 1 is retired');
  assert.deepEqual([...parseKeys(await readFile(path, 'utf8')).keys()], [2]);
  const restarted = await loadKeyring(world.config, world);
  await proveKeyring({ ...world, keyring: restarted });
});

test('what the features have sealed is sealed again, and still opens for them', async (t) => {
  const { world, run } = await installed(t);
  const bot = await world.bot({ webhookUrl: 'https://hooks.example.com/x' });
  const ada = await world.person('Ada');
  await ada.writes(bot, 'Hello');
  const token = await world.token({ person: ada, scopes: ['polls:write', 'stories:write'] });
  const calls = async (url: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': url };
    const answer = await world.app.inject({ method: 'POST', url, headers, payload: body });
    assert.equal(answer.statusCode, 201, answer.body);
  };
  const question = { question: 'Tea?', options: ['Yes', 'No'], isAnonymous: true };
  await calls('/v1/polls', { receiverId: (await world.person('Bob')).accountId, ...question });
  await calls('/v1/stories', { type: 'text', text: 'The sun is out' });
  const { providerId } = await world.signInProviders.addProvider(
    { ...COMPANY, clientSecret: 'of Parley' },
    async () => {},
  );
  const failed = { deliveryId: world.newId('dlv'), seq: 1 };
  await failsOnce(world, { bucket: 0, deliveryId: failed.deliveryId });
  const written = await sealedWith(world.db, 1);
  for (const wanted of [
    'messages.body',
    'events.body',
    'event_attempts.answer',
    'applications.webhook_secret',
    'polls.voter_secret',
    'story_elements.body',
    'idempotency_keys.answer',
    'applications.sealed_webhook_url',
    'sign_in_providers.client_secret',
  ])
    assert.ok(written.includes(wanted), `${wanted} of ${written.join(', ')}`);

  await run('keys rotate');
  assert.deepEqual(await sealedWith(world.db, 1), []);
  assert.deepEqual(await sealedWith(world.db, 2), written);
  assert.deepEqual(columnOf(await ada.reads(bot), 'content'), ['Hello']);
  const [row] = await world.db<{ answer: Buffer; answerKeyId: number }[]>`
    select answer, answer_key_id from event_attempts`;
  assert.ok(row);
  assert.equal((await requireProvider(world, providerId)).clientSecret, 'of Parley');
  const sealed = { ciphertext: row.answer, keyId: row.answerKeyId };
  assert.equal(openAnswer(world.keyring, failed, sealed)?.body, 'broken');
});

test('a rotation that was cut off goes on, and no other is begun meanwhile', async (t) => {
  const { world, keys: path, run } = await installed(t);
  const bot = await world.bot();
  await (await world.person()).writes(bot, 'Hello');
  await run('keys rotate', [], { flags: ['add-only'] });
  await assert.rejects(run('keys rotate', [], { flags: ['add-only'] }), /a rotation is in progress/);
  const { data } = await run('keys rotate');
  const { added, resealed } = data as { added: boolean; resealed: number };
  assert.deepEqual([added, resealed >= 2], [false, true]);
  // Otherwise a key that has leaked would seem to be replaced.
  await assert.rejects(run('keys rotate'), /no key was added.* first run "keys retire"/);
  assert.deepEqual([...parseKeys(await readFile(path, 'utf8')).keys()], [1, 2]);
});

test('keys are counted, and rows read, however long a pass over a table takes', async (t) => {
  const { world } = await installed(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'Hello');
  const messages = SEALED_COLUMNS.find(
    ({ table }) => table === 'messages',
  ) as (typeof SEALED_COLUMNS)[number];
  const impatient = openPatiently(String(world.config.databaseUrl));
  t.after(() => impatient.end({ timeout: 0 }));
  await impatient.unsafe('set statement_timeout = 1');
  const count = async () => {
    let rows = 0;
    for await (const part of sealedRows(impatient, messages, { keyId: '= 1' })) rows += part.length;
    return rows;
  };
  for (const read of [() => countSealedWith(impatient, messages, 1), count]) {
    const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const holding = world.db.begin(async (tx) => {
      await tx`lock table messages in access exclusive mode`;
      lock();
      await released;
    });
    await locked;
    const reading = read();
    await eventually(async () => (await countWaiting(world.db)) > 0);
    release();
    await holding;
    assert.equal(await reading, 1);
  }
});

async function sealedWith(db: Database, keyId: number): Promise<string[]> {
  const counts = await Promise.all(SEALED_COLUMNS.map((column) => countSealedWith(db, column, keyId)));
  return SEALED_COLUMNS.filter((_, i) => (counts[i] ?? 0) > 0).map(
    ({ table, column }) => `${table}.${column}`,
  );
}

test('a row that cannot be read is left by the rotation, and does not keep a key from being retired', async (t) => {
  const { world, run } = await installed(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'lost');
  await damage(world.db, { table: 'messages', column: 'body' }, 'all');
  await ada.writes(bob, 'kept');
  const outcome = await run('keys rotate');
  assert.deepEqual(outcome.data, { keyId: 2, added: true, resealed: 1, unreadable: 1 });
  assert.equal(
    outcome.text,
    'encrypted 1 rows again with key 2; 1 cannot be read and were left as they are: "doctor" names them',
  );
  assert.equal((await ada.reads(bob))[0]?.content, 'kept');
  world.clock.advance({ minutes: 2 });
  assert.equal((await run('keys retire', ['1'])).text, 'key 1 is retired');
});

test('a new signing key is published before it signs; the one before stays while a token needs it', async (t) => {
  const { world, run } = await installed(t);
  const { signingKeys, removeExpiredSigningKeys } = world.oauth.openId;
  const kids = async () => (await signingKeys.listPublic()).map(({ kid }) => kid);
  const [first] = await kids();
  const { data, text } = await run('keys rotate-signing');
  const { kid: second } = data as { kid: string };
  assert.equal(text, `key ${second} is published, and signs in 10 minutes`);
  world.clock.advance({ seconds: 10 });
  assert.deepEqual(await kids(), [first, second], 'a server that runs reads it');
  assert.equal((await signingKeys.findActive()).kid, first);
  world.clock.advance({ minutes: 10 });
  assert.equal((await signingKeys.findActive()).kid, second);
  world.clock.advance({ minutes: 65 });
  await removeExpiredSigningKeys();
  assert.deepEqual(await kids(), [first, second], 'a token may live');
  world.clock.advance({ minutes: 10 });
  await removeExpiredSigningKeys();
  world.clock.advance({ seconds: 10 });
  assert.deepEqual(await kids(), [second]);
  const replaced = await run('keys rotate-signing', [], { flags: ['at-once'] });
  const { kid: third, removed } = replaced.data as { kid: string; removed: number };
  assert.deepEqual([replaced.text, removed], [`key ${third} signs now; 1 earlier keys removed`, 1]);
  world.clock.advance({ seconds: 10 });
  assert.deepEqual([await kids(), (await signingKeys.findActive()).kid], [[third], third]);
  world.clock.advance({ hours: -1 });
  const { kid: fourth } = (await run('keys rotate-signing', [], { flags: ['at-once'] })).data as {
    kid: string;
  };
  assert.deepEqual(await kids(), [fourth], 'also when the clock was set back');
});

test('signing keys are sealed, and sealed again by a rotation', async (t) => {
  const { world, run } = await installed(t);
  const { kid } = await world.oauth.openId.signingKeys.findActive();
  const [row] = await world.db<
    { secret: Buffer; publicKey: string }[]
  >`select secret, public_key from service_keys`;
  assert.ok(row && !row.secret.includes('"d"') && !row.publicKey.includes('"d"'));
  await run('keys rotate');
  world.clock.advance({ minutes: 2 });
  await run('keys retire', ['1']);
  const other = new SigningKeys(world);
  assert.equal((await other.findActive()).kid, kid);
});
