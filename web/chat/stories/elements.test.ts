import assert from 'node:assert/strict';
import { test } from 'node:test';
import { elementsOf, firstUnseen } from './elements.ts';

const story = {
  storyId: 'sty_1',
  texts: [
    { id: 'el_2', text: 'two', createdAt: 2 },
    { id: 'el_4', text: 'four', createdAt: 4 },
  ],
  images: [{ id: 'el_1', imageUrl: '/media/x/one.png', createdAt: 1 }],
  unreadable: [{ id: 'el_5', createdAt: 5 }],
  videos: [{ id: 'el_3', videoUrl: 'https://example.com/three.mp4', createdAt: 3 }],
};

test('the elements of a story are in the order of publication', () => {
  const elements = elementsOf(story);
  assert.deepEqual(
    elements.map(({ kind, id }) => [kind, id]),
    [
      ['image', 'el_1'],
      ['text', 'el_2'],
      ['video', 'el_3'],
      ['text', 'el_4'],
      ['unreadable', 'el_5'],
    ],
  );
});

test('the viewer begins at the first unseen element, or at the start if all were seen', () => {
  const elements = elementsOf(story);
  assert.equal(firstUnseen(elements, undefined), 0);
  assert.equal(firstUnseen(elements, 'el_2'), 2);
  assert.equal(firstUnseen(elements, 'el_5'), 0);
});
