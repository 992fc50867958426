import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installServiceAccount, SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import { countWaiting } from '#testing/citus.ts';
import { expectErrors } from '#testing/logged-errors.ts';
import { eventually } from '#testing/waits.ts';
import { createWorld, type Person } from '#testing/world.ts';

function write(from: Person, to: { accountId: string }, more: object = {}) {
  const body = { to: to.accountId, type: 'text', content: 'hello', ...more };
  return from.calls('POST', '/api/chat/messages', body);
}

test('people’s sends of one batch each get their own answer', async () => {
  await using world = await createWorld();
  const people = ['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'].map((name) => world.person(name));
  const [ada, bob, cleo, dan, eve] = (await Promise.all(people)) as [Person, Person, Person, Person, Person];
  const bot = await world.bot();
  const quoted = await ada.writes(bob, 'first');
  await cleo.blocks(ada);
  await dan.blocks(eve);
  const answers = await Promise.all([
    write(ada, bob, { replyToMsgId: quoted.msgId }),
    write(ada, cleo),
    write(ada, dan),
    write(bob, ada),
    write(cleo, bob, { replyToMsgId: quoted.msgId }),
    write(dan, eve),
    write(eve, eve),
    write(eve, { accountId: 'usr_00000000000000000000000a' }),
    write(eve, bot),
  ]);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 403, 201, 201, 404, 403, 400, 404, 201],
  );
  assert.equal((await ada.reads(bob)).length, 3);
  assert.equal((await dan.reads(ada)).length, 1);
  assert.equal((await eve.reads(bot)).length, 1);
});

test('a message that was stored although its answer was lost is confirmed, also if it would be refused now', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const body = { to: bob.accountId, type: 'text', content: 'hello' };
  const sends = () => ada.calls('POST', '/api/chat/messages', body, { 'idempotency-key': 'one' });
  const { data } = (await sends()).body;
  await world.db`update idempotency_keys set answer = null, answer_key_id = null`;
  await bob.blocks(ada);
  const again = await sends();
  assert.deepEqual([again.status, again.body.data.msgId], [201, data.msgId]);
  assert.equal((await ada.reads(bob)).length, 1);
});

test('nobody answers what the service announces', async () => {
  await using world = await createWorld();
  await installServiceAccount(world);
  const { status, reason } = await write(await world.person(), { accountId: SERVICE_ACCOUNT_ID });
  assert.deepEqual([status, reason], [403, 'recipient.only-announces']);
});

test('people who write to each other for the first time at the same moment all succeed, and list each other', async () => {
  await using world = await createWorld();
  const people = await Promise.all(Array.from({ length: 8 }, (_, i) => world.person(`Person ${i}`)));
  const pairs = people.flatMap((one) => people.filter((other) => other !== one).map((other) => [one, other]));
  const answers = await Promise.all(pairs.map(([from, to]) => write(from as Person, to as Person)));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  for (const person of people) {
    const { body } = await person.calls('GET', '/api/chat/conversations');
    assert.equal(body.data.conversations.length, people.length - 1);
  }
});

test('several messages of one person at once are all stored, and those stored first move the read marker', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const answers = await Promise.all(Array.from({ length: 30 }, () => write(ada, bob)));
  const ids = new Set(answers.map(({ body }) => String(body.data.msgId)));
  assert.equal(ids.size, 30);
  const [own] = await world.db<{ readMsgId: string }[]>`
    select read_msg_id from account_conversations where account_id = ${ada.accountId}`;
  // Of those stored together, the last one. After it, others stored later are one's own, too.
  assert.ok(own && ids.has(own.readMsgId));
  const [theirs] = await world.db<{ readMsgId: string | null }[]>`
    select read_msg_id from account_conversations where account_id = ${bob.accountId}`;
  assert.equal(theirs?.readMsgId, null);
});

test('a further message changes neither the contact nor the list of the recipient', async () => {
  await using world = await createWorld();
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await ada.writes(bob, 'first');
  const versions = () => world.db<{ version: string }[]>`
    select concat(xmin, ' ', xmax, ' ', ctid) as version from contacts
    union all
    select concat(xmin, ' ', xmax, ' ', ctid) from account_conversations where account_id = ${bob.accountId}`;
  const before = [...(await versions())];
  await ada.writes(bob, 'second');
  assert.deepEqual([...(await versions())], before);
});

test('while a person deletes their account, every send is either stored and 201, or not stored', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo] = [await world.person('Ada'), await world.person('Bob'), await world.person('Cleo')];
  await ada.writes(bob, 'first');
  await cleo.writes(bob, 'first');
  const sends = [ada, cleo].map((from) => Array.from({ length: 40 }, () => write(from, bob)));
  await world.accounts.operator.deletePerson(ada.accountId, async () => {});
  const [ofAda, ofCleo] = await Promise.all(sends.map((answers) => Promise.all(answers)));
  const countOf = (answers: { status: number }[] = []) =>
    answers.filter(({ status }) => status === 201).length;
  assert.equal(countOf(ofCleo), 40, 'nobody else is concerned');
  assert.deepEqual(
    (ofAda ?? []).map(({ status }) => status).filter((status) => status !== 201 && status !== 401),
    [],
  );
  const stored = async (senderId: string) =>
    (await world.db`select from messages where sender_id = ${senderId}`).length;
  assert.equal(await stored(cleo.accountId), 41);
  assert.equal(await stored(ada.accountId), countOf(ofAda) + 1);
});

test('who waits for a lock of their own account holds up nobody else', async () => {
  await using world = await createWorld();
  const [ada, bob, cleo] = [await world.person('Ada'), await world.person('Bob'), await world.person('Cleo')];
  const locked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = world.db.begin(async (tx) => {
    await tx`select from accounts where account_id = ${ada.accountId} for no key update`;
    locked.resolve();
    await released.promise;
  });
  await locked.promise;
  const held: ReturnType<typeof write>[] = [];
  for (let count = 1; count <= 3; count++) {
    held.push(write(ada, bob));
    await eventually(async () => (await countWaiting(world.db)) === count);
  }
  assert.equal((await write(cleo, bob)).status, 201);
  released.resolve();
  await holding;
  assert.deepEqual(
    (await Promise.all(held)).map(({ status }) => status),
    [201, 201, 201],
  );
});

test('a message that cannot be stored fails alone', async () => {
  expectErrors(/unstorable/);
  await using world = await createWorld();
  const people = await Promise.all(Array.from({ length: 6 }, (_, i) => world.person(`Person ${i}`)));
  const [reader, ...writers] = people as [Person, ...Person[]];
  await using storable = new AsyncDisposableStack();
  // Other tests get this database.
  storable.defer(async () => void (await world.db`alter table messages drop constraint unstorable`));
  await world.db`alter table messages add constraint unstorable check (type <> 'location') not valid`;
  const location = { type: 'location', content: undefined, location: { latitude: 1, longitude: 2 } };
  const answers = await Promise.all(
    writers.map((writer, i) => write(writer, reader, i === 2 ? location : {})),
  );
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 201, 500, 201, 201],
  );
});
