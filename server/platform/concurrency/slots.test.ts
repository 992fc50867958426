import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Slots } from './slots.ts';

test('an added item stays until it is removed, and its slot is reused', () => {
  const slots = new Slots<string>();
  const first = slots.add('first');
  const second = slots.add('second');
  assert.deepEqual(
    [...slots],
    [
      [first, 'first'],
      [second, 'second'],
    ],
  );
  slots.remove(first);
  slots.remove(first);
  assert.deepEqual([...slots], [[second, 'second']]);
  assert.equal(slots.add('third'), first);
  assert.notEqual(slots.add('fourth'), second);
  assert.deepEqual(
    [...slots].map(([, item]) => item),
    ['third', 'second', 'fourth'],
  );
});

test('items may be removed during iteration', () => {
  const slots = new Slots<number>();
  for (let item = 1; item <= 4; item++) slots.add(item);
  for (const [slot, item] of slots) if (item % 2 === 0) slots.remove(slot);
  assert.deepEqual(
    [...slots].map(([, item]) => item),
    [1, 3],
  );
});
