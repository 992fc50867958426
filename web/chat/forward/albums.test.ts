import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '#contract/chat.ts';
import { newAlbums } from './albums.ts';

test('several pictures of an album are forwarded as a new one; a single one without', () => {
  const picture = (msgId: string, albumId?: string, from = 'usr_a'): ChatMessage => ({
    msgId,
    conversationId: 'grp_1',
    from,
    type: 'image',
    sentAt: 0,
    ...(albumId && { fileDetails: { albumId } }),
  });
  const messages = [
    picture('m1', 'a'),
    picture('m2', 'a'),
    picture('m3', 'b'),
    picture('m4'),
    picture('m5'),
    picture('m6', 'b', 'usr_b'),
  ];
  const albumOf = newAlbums(messages);
  const [first, second, ...others] = messages.map(albumOf);
  assert.ok(first && first !== 'a');
  assert.equal(second, first);
  assert.deepEqual(others, [undefined, undefined, undefined, undefined]);
  assert.notEqual(newAlbums(messages)(picture('m1', 'a')), first);
});
