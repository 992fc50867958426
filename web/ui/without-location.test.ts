import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutLocation } from './without-location.ts';

const PLACE = '+48.1374+011.5755';
const number = (bytes: number, value: number) => {
  const made = Buffer.alloc(bytes);
  made.writeUIntBE(value, 0, bytes);
  return made;
};
const segment = (marker: number, content: string | Buffer) =>
  Buffer.concat([number(2, 0xff00 + marker), number(2, content.length + 2), Buffer.from(content)]);
const box = (type: string, ...content: (string | Buffer)[]) => {
  const inside = Buffer.concat(content.map((one) => Buffer.from(one)));
  return Buffer.concat([number(4, inside.length + 8), Buffer.from(type), inside]);
};
const without = async (file: Buffer, kind: 'image' | 'video' | 'document', type = 'image/jpeg') => {
  const sent = await withoutLocation(new File([Uint8Array.from(file)], 'a', { type }), kind);
  assert.deepEqual([sent.type, sent.size], [type, file.length]);
  return Buffer.from(await sent.arrayBuffer());
};

/** A photo of a camera, with a second entry, the place. */
function photo(entry: string) {
  const tiff = Buffer.from(`${entry}${PLACE}`, 'latin1');
  return Buffer.concat([
    number(2, 0xffd8),
    segment(0xe0, 'JFIF\0'),
    segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), tiff])),
    segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${PLACE}`),
    segment(0xed, `Photoshop 3.0\0${PLACE}`),
    segment(0xdb, 'table'),
    segment(0xda, `${PLACE} may also be what the picture is made of`),
  ]);
}

const BIG = 'MM\0*\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x04Cam\0\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0';
const LITTLE = 'II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0';

test('a photo loses its place and camera, and keeps its orientation and size', async () => {
  for (const entry of [BIG, LITTLE]) {
    const before = photo(entry);
    const after = await without(before, 'image');
    const picture = before.indexOf(number(2, 0xffdb));
    assert.ok(after.subarray(picture).equals(before.subarray(picture)));
    assert.equal(after.subarray(0, picture).toString('latin1').includes(PLACE.slice(0, 4)), false);
    assert.equal(after.includes('Cam'), false);
    const turned = 'Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0';
    assert.ok(after.includes(Buffer.from(turned, 'latin1')));
    // Once more, it stays as it is.
    assert.ok((await without(after, 'image')).equals(after));
    assert.ok((await without(before, 'document')).equals(before));
  }
});

test('a video loses its place, and keeps everything else and its size', async () => {
  const film = (place: string | Buffer) => {
    const place1 = typeof place === 'string' ? `\xa9xyz${place}` : place;
    return Buffer.concat([
      box('ftyp', 'isom'),
      box(
        'moov',
        box('mvhd', 'head'),
        box(typeof place === 'string' ? 'udta' : 'free', place1),
        box('trak', 'x'),
      ),
      box('mdat', PLACE),
    ]);
  };
  const before = film(PLACE);
  const cleared = Buffer.alloc(Buffer.byteLength(`\xa9xyz${PLACE}`));
  assert.deepEqual(await without(before, 'video', 'video/mp4'), film(cleared));
});

test('damaged and other files are sent as they are', async () => {
  for (const damaged of [
    Buffer.of(),
    Buffer.from('ffd8', 'hex'),
    Buffer.from('ffd8ffe10000ffe1ffff', 'hex'),
    Buffer.concat([Buffer.from('ffd8', 'hex'), segment(0xe0, 'Exif\0\0MM\0*\xff\xff\xff\xff')]),
    Buffer.from('000000', 'hex'),
    Buffer.from('00000001moov', 'latin1'),
    Buffer.from('00000002moov0000', 'latin1'),
    Buffer.from('GIF89a'),
  ]) {
    assert.deepEqual(await without(damaged, 'image'), damaged);
    assert.deepEqual(await without(damaged, 'video', 'video/mp4'), damaged);
  }
});
