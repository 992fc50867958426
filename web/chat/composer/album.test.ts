import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSend } from './album.ts';

const chosen = (...types: string[]) =>
  types.map((type, i) => ({ key: String(i), file: new File([], `${i}`, { type }) }));

test('pictures and videos form an album, other files are separate, and one takes the caption', () => {
  const sent = toSend(chosen('audio/mpeg', 'image/jpeg', 'video/mp4', 'application/pdf'), 'media', 'Look');
  const [first] = sent.flatMap(({ content }) => content.fileDetails?.albumId ?? []);
  assert.deepEqual(
    sent.map(({ content: { type, caption, fileDetails } }) => [type, caption, fileDetails?.albumId]),
    [
      ['audio', undefined, undefined],
      ['image', 'Look', first],
      ['video', undefined, first],
      ['doc', undefined, undefined],
    ],
  );
});

test('ten form an album, the next ten another; a single one forms none', () => {
  const types = Array.from({ length: 23 }, () => 'image/png');
  const albums = Map.groupBy(
    toSend(chosen(...types), 'media', ''),
    ({ content }) => content.fileDetails?.albumId,
  );
  assert.deepEqual(
    [...albums.values()].map(({ length }) => length),
    [10, 10, 3],
  );
  for (const alone of [chosen('image/png'), chosen('image/png', 'text/plain')])
    assert.deepEqual(
      toSend(alone, 'media', '').flatMap(({ content }) => content.fileDetails?.albumId ?? []),
      [],
    );
  assert.deepEqual(
    toSend(chosen('image/png', 'image/png'), 'doc', 'a').map(({ content }) => content),
    [
      { type: 'doc', caption: 'a', fileDetails: { size: 0 } },
      { type: 'doc', fileDetails: { size: 0 } },
    ],
  );
});
