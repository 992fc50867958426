import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { success } from '#testing/answers.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import { failedPrecondition, unavailable } from '../errors.ts';
import { isId } from '../ids.ts';
import { creatingOnce, type Repeatable, removeExpiredIdempotencyKeys } from './idempotency.ts';

const KEY = 'key-1';

/** A creation of rows, so that the database shows how many were created. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db } = platform;
  const tries: { id: string; isResumed: boolean }[] = [];
  const create = async (id: string, isResumed: boolean) => {
    tries.push({ id, isResumed });
    await db`insert into unique_names (value, kind, owner_id) values (${id}, 'username', 'x') on conflict do nothing`;
    return { msgId: id };
  };
  const createOnce = creatingOnce(platform);
  const repeatableOf = (given: Partial<Repeatable> = {}): Repeatable => ({
    accountId: 'usr_a',
    clientId: 'app_a',
    key: KEY,
    request: ['POST', '/v1/things', { a: 1 }],
    idKind: 'msg',
    ...given,
  });
  const answerOnce = (given?: Partial<Repeatable>, run: typeof create = create) =>
    createOnce(repeatableOf(given), 'thing created', run);
  /** The same as `answerOnce()`, with something that happens before the look-up of a known key. */
  const answerSlowly = (before: () => Promise<void>) => {
    const slowDb = new Proxy(db, {
      apply(target, self, args) {
        const statement = Reflect.apply(target, self, args);
        const isLookUp = String(args[0]).includes('select request_hash');
        return isLookUp ? before().then(() => statement) : statement;
      },
    });
    return creatingOnce({ ...platform, db: slowDb })(repeatableOf(), 'thing created', create);
  };
  const once = async (...args: Parameters<typeof answerOnce>) => (await answerOnce(...args)).data;
  const things = async () => (await db`select value from unique_names`).map((row) => row['value']);
  return { ...platform, create, answerOnce, answerSlowly, once, things, tries };
}

const usedElsewhere = {
  status: 409,
  code: 'already-exists',
  message: 'Idempotency-Key was already used for another request',
};

test('without a key every call creates an object, and no response is stored', async (t) => {
  const { once, things, db } = await scene(t);
  const answers = [await once({ key: undefined }), await once({ key: undefined })];
  assert.deepEqual((await things()).sort(), answers.map(({ msgId }) => msgId).sort());
  assert.equal((await db`select 1 from idempotency_keys`).length, 0);
});

test('the same key and body get the first response again, including its timestamp; the object has the reserved ID', async (t) => {
  const { answerOnce, clock, things, tries } = await scene(t);
  const first = await answerOnce();
  const { msgId } = first.data;
  assert.ok(isId('msg', msgId));
  assert.deepEqual(first, success('thing created', { msgId }, clock.now()));
  clock.advance({ hours: 23 });
  assert.deepEqual(await answerOnce(), first);
  assert.deepEqual(await things(), [msgId]);
  assert.deepEqual(tries, [{ id: msgId, isResumed: false }]);
});

test('100 concurrent requests with one key create one object and get one response', async (t) => {
  const { once, things } = await scene(t);
  const answers = await Promise.all(Array.from({ length: 100 }, () => once()));
  assert.deepEqual(new Set(answers.map(({ msgId }) => msgId)), new Set(await things()));
  assert.equal((await things()).length, 1);
});

test('the same key with another body or route gets a 409, before and after the first request ends', async (t) => {
  const { once, things, create } = await scene(t);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const first = once({}, async (id, isResumed) => {
    start();
    await released;
    return create(id, isResumed);
  });
  await started;
  const others: Repeatable['request'][] = [
    ['POST', '/v1/things', { a: 2 }],
    ['POST', '/v1/other', { a: 1 }],
  ];
  for (const request of others) await assert.rejects(once({ request }), usedElsewhere);
  release();
  const { msgId } = await first;
  for (const request of others) await assert.rejects(once({ request }), usedElsewhere);
  assert.deepEqual(await things(), [msgId]);
});

test('another account or client may use the same key', async (t) => {
  const { once, things } = await scene(t);
  await Promise.all([once(), once({ accountId: 'usr_b' }), once({ clientId: 'app_b' })]);
  assert.equal((await things()).length, 3);
});

test('a key is valid for 24 hours and can then be reused', async (t) => {
  const { once, things, clock } = await scene(t);
  const first = await once();
  clock.advance({ hours: 24, milliseconds: -1 });
  assert.deepEqual(await once(), first);
  clock.advance({ milliseconds: 1 });
  const second = await once({ request: ['POST', '/v1/other', {}] });
  assert.notEqual(second.msgId, first.msgId);
  assert.deepEqual(await once({ request: ['POST', '/v1/other', {}] }), second);
  assert.equal((await things()).length, 2);
});

test('100 concurrent requests after 24 hours create one new object', async (t) => {
  const { once, things, clock } = await scene(t);
  const first = await once();
  clock.advance({ hours: 24 });
  const answers = await Promise.all(Array.from({ length: 100 }, () => once()));
  assert.equal(new Set(answers.map(({ msgId }) => msgId)).size, 1);
  assert.equal((await things()).length, 2);
  assert.notEqual(answers[0]?.msgId, first.msgId);
});

test('a refused creation releases its key, also for another body', async (t) => {
  const { once, things } = await scene(t);
  const refuse = async () => {
    throw failedPrecondition('poll.closed');
  };
  await assert.rejects(once({}, refuse), { message: 'the poll is closed' });
  const { msgId } = await once({ request: ['POST', '/v1/things', { a: 2 }] });
  assert.deepEqual(await things(), [msgId]);
});

test('a released key keeps its ID for the same request, which a concurrent attempt may be using', async (t) => {
  const { once, create, tries, db, clock } = await scene(t);
  const refuse = async (id: string, isResumed: boolean) => {
    tries.push({ id, isResumed });
    throw failedPrecondition('poll.closed');
  };
  await assert.rejects(once({}, refuse), { message: 'the poll is closed' });
  await assert.rejects(once({}, refuse), { message: 'the poll is closed' });
  const { msgId } = await once({}, create);
  assert.deepEqual(tries, [
    { id: msgId, isResumed: false },
    { id: msgId, isResumed: true },
    { id: msgId, isResumed: true },
  ]);
  await assert.rejects(once({ key: 'other' }, refuse), { message: 'the poll is closed' });
  clock.advance({ hours: 23 });
  assert.equal(await removeExpiredIdempotencyKeys({ db, clock }), 0);
  clock.advance({ hours: 1 });
  assert.equal(await removeExpiredIdempotencyKeys({ db, clock }), 2);
});

test('a request that finds a key just released takes it again, with its time', async (t) => {
  const { db, clock, once, answerOnce, answerSlowly } = await scene(t);
  const refuse = Promise.withResolvers<never>();
  const begun = Promise.withResolvers<void>();
  const refused = once({}, () => {
    begun.resolve();
    return refuse.promise;
  });
  await begun.promise;
  // The key is taken, and looked up only after its release.
  const waiting = answerSlowly(async () => {
    refuse.reject(failedPrecondition('poll.closed'));
    await assert.rejects(refused, { message: 'the poll is closed' });
  });
  assert.equal((await waiting).timestamp, clock.now());
  const [row] = await db<{ createdAt: number }[]>`select created_at from idempotency_keys`;
  assert.equal(row?.createdAt, clock.now());
  await assert.rejects(answerOnce({ request: ['POST', '/v1/things', { a: 2 }] }), usedElsewhere);
});

test('an interrupted creation is resumed with the same id, whether or not the object exists', async (t) => {
  for (const hadCreated of [true, false]) {
    const { once, things, create, tries } = await scene(t);
    const cause = hadCreated ? new Error('killed') : unavailable();
    const dies = async (id: string, isResumed: boolean) => {
      if (hadCreated) await create(id, isResumed);
      else tries.push({ id, isResumed });
      throw cause;
    };
    await assert.rejects(once({}, dies), cause);
    await assert.rejects(once({ request: ['POST', '/v1/things', { a: 2 }] }), usedElsewhere);
    const answer = await once();
    assert.deepEqual(tries, [
      { id: answer.msgId, isResumed: false },
      { id: answer.msgId, isResumed: true },
    ]);
    assert.deepEqual(await things(), [answer.msgId]);
    assert.deepEqual(await once(), answer);
  }
});

test('a malformed key gets a 400 that names the header', async (t) => {
  const { once, things } = await scene(t);
  for (const key of ['', ' ', 'two words', 'ü', 'a\tb', 'x'.repeat(256), ['a', 'b'], 'a, b']) {
    await assert.rejects(once({ key }), {
      status: 400,
      code: 'invalid-argument',
      message: 'Idempotency-Key must be 1 to 255 visible ASCII characters, sent once',
    });
  }
  assert.deepEqual(await things(), []);
  await once({ key: 'x' });
  await once({ key: 'x'.repeat(255) });
  assert.equal((await things()).length, 2);
});

test('the stored response is encrypted, of the key there is a hash, and no body can be guessed from that of a request', async (t) => {
  const { once, db } = await scene(t);
  const request = ['POST', '/v1/things', { a: 1 }] as const;
  await once({ key: 'ada@example.com', request }, async () => ({ msgId: 'canary' }));
  const [row] = await db<{ idempotencyKey: string; requestHash: Buffer; answer: Buffer }[]>`
    select idempotency_key, request_hash, answer from idempotency_keys`;
  assert.equal(row?.answer.includes('canary'), false);
  assert.match(row?.idempotencyKey ?? '', /^[\w-]{43}$/);
  assert.notEqual(row?.requestHash.toString('hex'), hash('sha256', JSON.stringify(request)));
});

test('expired keys are removed, others are kept', async (t) => {
  const { once, db, clock } = await scene(t);
  await once({ key: 'old' });
  clock.advance({ hours: 1 });
  await once({ key: 'young' });
  clock.advance({ hours: 23 });
  assert.equal(await removeExpiredIdempotencyKeys({ db, clock }), 1);
  const rows = await db`select created_at from idempotency_keys`;
  assert.deepEqual([...rows], [{ createdAt: clock.now() - 23 * 3_600_000 }]);
});
