import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { TestClock } from '#testing/platform.ts';
import { systemRandom } from '../random.ts';
import { KEY_BYTES, Keyring, UnreadableError } from './keyring.ts';
import { logUnreadableRows } from './master-keys.ts';

function createScene() {
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { base: null, timestamp: false },
    { write: (line: string) => lines.push(JSON.parse(line)) },
  );
  const clock = new TestClock();
  const keys = new Map([[1, systemRandom.bytes(KEY_BYTES)]]);
  let looks = 0;
  const keyring = new Keyring(keys, systemRandom, {
    reread: () => {
      looks++;
      return keys;
    },
    onUnreadable: logUnreadableRows({ log, clock }),
  });
  const read = (rowId: string, table = 'messages', keyId = 1) =>
    keyring.openIfReadable({ table, rowId }, { keyId, ciphertext: Buffer.alloc(60) });
  return { lines, clock, keyring, read, looks: () => looks };
}

test('an unreadable row is named in the log once a minute', () => {
  const { lines, clock, read } = createScene();
  assert.equal(read('msg_1'), undefined);
  const line = {
    level: 50,
    table: 'messages',
    rowId: 'msg_1',
    keyId: 1,
    reason: 'the ciphertext is damaged or belongs to another row',
    msg: 'a row cannot be read',
  };
  assert.deepEqual(lines, [line]);
  read('msg_1');
  read('msg_1');
  assert.equal(lines.length, 1);
  clock.advance({ minutes: 1 });
  read('msg_1');
  assert.deepEqual(lines[1], { ...line, unloggedReads: 2 });
});

test('a damaged table neither floods the log nor hides another one', () => {
  const { lines, clock, read } = createScene();
  for (let i = 0; i < 5000; i++) read(`msg_${i}`);
  assert.equal(lines.length, 10);
  read('elm_1', 'story_elements');
  assert.equal(lines.at(-1)?.['rowId'], 'elm_1');
  clock.advance({ minutes: 1 });
  read('msg_5000');
  assert.deepEqual([lines.length, lines.at(-1)?.['unloggedReads']], [12, 4990]);
});

test('a missing key is looked for once, not for each row, until the file is read again', () => {
  const { lines, keyring, read, looks } = createScene();
  for (let i = 0; i < 100; i++) read(`msg_${i}`, 'messages', 7);
  assert.equal(looks(), 1);
  assert.equal(lines[0]?.['reason'], 'encryption key 7 is not in the keyring');
  keyring.refresh();
  read('msg_1', 'messages', 7);
  assert.equal(looks(), 3);
});

test('an unreadable value that is needed is an error that names the row only to the operator', () => {
  const { lines, keyring } = createScene();
  const open = () =>
    keyring.open({ table: 'polls', rowId: 'msg_1' }, { keyId: 1, ciphertext: Buffer.alloc(60) });
  assert.throws(open, (error: unknown) => {
    assert.ok(error instanceof UnreadableError);
    assert.deepEqual([error.status, error.table, error.rowId], [500, 'polls', 'msg_1']);
    assert.doesNotMatch(error.message, /polls|msg_1/);
    return true;
  });
  assert.deepEqual(lines, []);
});
