import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TestClock } from '#testing/platform.ts';
import {
  BUCKETS,
  bucketOf,
  createIds,
  idFromHex,
  idToHex,
  isId,
  privateConversationId,
  timeOfId,
} from './ids.ts';
import { systemRandom } from './random.ts';

const USER_ID = /^[A-Za-z0-9_-]{1,128}$/;

test('ids start with their kind and have the form of a userId', () => {
  const newId = createIds(new TestClock(), systemRandom);
  for (const kind of ['usr', 'msg', 'app'] as const) {
    const id = newId(kind);
    assert.match(id, USER_ID);
    assert.equal(id.length, 28);
    assert.ok(isId(kind, id));
    assert.ok(!isId('grp', id));
  }
});

test('ids sort in order of creation, within a millisecond and when the clock goes back', () => {
  const clock = new TestClock();
  const newId = createIds(clock, systemRandom);
  const ids: string[] = [];
  for (const milliseconds of [0, 0, 1, -500, 0, 100_000]) {
    clock.advance({ milliseconds });
    for (let i = 0; i < 1000; i++) ids.push(newId('msg'));
  }
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
});

test('an id contains its creation time', () => {
  const clock = new TestClock();
  assert.equal(timeOfId(createIds(clock, systemRandom)('msg')), clock.now());
});

test('ids of many processes in the same millisecond differ', () => {
  const clock = new TestClock();
  const ids = Array.from({ length: 10_000 }, () => createIds(clock, systemRandom)('msg'));
  assert.equal(new Set(ids).size, ids.length);
});

test('a text that cannot be an id is recognised', () => {
  const id = createIds(new TestClock(), systemRandom)('msg');
  const others = [
    '',
    'msg',
    'msg_',
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    `${id}\n`,
    ` ${id}`,
    `msg_${'u'.repeat(24)}`,
  ];
  for (const text of [...others, id.replace('_', '-'), 'msg_\0', `msg_${'é'.repeat(24)}`])
    assert.ok(!isId('msg', text), text);
});

test('an id and its hex digits convert into each other', () => {
  assert.equal(idToHex('app_000000000000000000000000'), '0'.repeat(30));
  assert.equal(idToHex('app_zzzzzzzzzzzzzzzzzzzzzzzz'), 'f'.repeat(30));
  assert.equal(idToHex('app_00000000000000000000000g'), `${'0'.repeat(28)}10`);
  const newId = createIds(new TestClock(), systemRandom);
  for (let i = 0; i < 1000; i++) {
    const id = newId('app');
    assert.match(idToHex(id), /^[0-9a-f]{30}$/);
    assert.equal(idFromHex('app', idToHex(id)), id);
  }
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9a-f]{30}$/), (digits) => {
      assert.ok(isId('app', idFromHex('app', digits)));
      assert.equal(idToHex(idFromHex('app', digits)), digits);
    }),
  );
});

test('a conversation has the same key for both sides, and a different one for any other pair', () => {
  const newId = createIds(new TestClock(), systemRandom);
  const [one, other, third] = [newId('usr'), newId('usr'), newId('usr')];
  const id = privateConversationId(one, other);
  assert.equal(privateConversationId(other, one), id);
  assert.ok(isId('prv', id));
  assert.equal(new Set([id, privateConversationId(one, third), privateConversationId(one, one)]).size, 3);
});

test('buckets never change and are filled evenly', () => {
  assert.deepEqual(
    ['', 'prv_000000000000000000000000', 'grp_0123456789abcdefghjkmnpq'].map(bucketOf),
    [453, 340, 885],
  );
  const counts = new Map<number, number>();
  const newId = createIds(new TestClock(), systemRandom);
  const owner = newId('usr');
  for (let i = 0; i < 50 * BUCKETS; i++) {
    const bucket = bucketOf(privateConversationId(owner, newId('usr')));
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
  }
  assert.equal(counts.size, BUCKETS);
  assert.ok(Math.min(...counts.keys()) === 0 && Math.max(...counts.keys()) === BUCKETS - 1);
  assert.ok(Math.max(...counts.values()) < 100 && Math.min(...counts.values()) > 15);
});
