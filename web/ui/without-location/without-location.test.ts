import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
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
  assert.equal(sent.type, type);
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
    assert.equal(after.length, before.length);
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

const png = (...chunks: Buffer[]) => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]);
const pngChunk = (type: string, content: string | Buffer) => {
  const checked = Buffer.concat([Buffer.from(type), Buffer.from(content)]);
  return Buffer.concat([number(4, content.length), checked, number(4, crc32(checked))]);
};
const TURNED = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0', 'latin1');

test('a PNG file loses its place, texts and time, and keeps its orientation and picture', async () => {
  const [head, picture, end] = [pngChunk('IHDR', 'size'), pngChunk('IDAT', PLACE), pngChunk('IEND', '')];
  const texts = ['tEXt', 'zTXt', 'iTXt', 'tIME'].map((type) => pngChunk(type, `XML:com.adobe.xmp\0${PLACE}`));
  for (const prefix of ['', 'Exif\0\0']) {
    const exif = pngChunk('eXIf', Buffer.from(`${prefix}${BIG}${PLACE}`, 'latin1'));
    const before = png(head, exif, ...texts, picture, ...texts, end, Buffer.from(PLACE));
    const after = await without(before, 'image', 'image/png');
    assert.deepEqual(after, png(head, pngChunk('eXIf', TURNED), picture, end));
    assert.deepEqual(await without(after, 'image', 'image/png'), after);
    assert.deepEqual(await without(before, 'document', 'image/png'), before);
  }
  assert.deepEqual(
    await without(png(head, pngChunk('eXIf', PLACE), picture, end), 'image'),
    png(head, picture, end),
  );
});

const webpChunk = (type: string, content: string | Buffer) => {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from(type), size, Buffer.from(content), Buffer.alloc(content.length % 2)]);
};
const webp = (...chunks: Buffer[]) => webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));

test('a WebP file loses its place, and keeps its orientation and picture', async () => {
  const head = (flags: number) => webpChunk('VP8X', Buffer.of(flags, 0, 0, 0, 9, 0, 0, 9, 0, 0));
  const [picture, xmp] = [webpChunk('VP8 ', PLACE), webpChunk('XMP ', `<${PLACE}/>`)];
  const exif = webpChunk('EXIF', Buffer.from(`${LITTLE}${PLACE}`, 'latin1'));
  const before = webp(head(0x1c), picture, exif, xmp);
  const after = await without(before, 'image', 'image/webp');
  assert.deepEqual(after, webp(head(0x18), picture, webpChunk('EXIF', TURNED)));
  assert.deepEqual(await without(after, 'image', 'image/webp'), after);
  const unreadable = webp(head(0x1c), picture, webpChunk('EXIF', PLACE), xmp);
  assert.deepEqual(await without(unreadable, 'image'), webp(head(0x10), picture));
  assert.deepEqual(await without(webp(picture), 'image'), webp(picture));
});

test('an AVIF or HEIF file loses its place where it stands, and keeps its orientation and everything else', async () => {
  const exif = Buffer.from(`\0\0\0\0${LITTLE}${PLACE}`, 'latin1');
  const cleared = Buffer.concat([Buffer.alloc(4), TURNED, Buffer.alloc(exif.length - TURNED.length - 4)]);
  const xmp = Buffer.from(`<${PLACE}/>`);
  const picture = Buffer.from(`${PLACE} may also be what the picture is made of`);
  const info = (version: 2 | 3, itemId: number, type: string) =>
    box(
      'infe',
      Buffer.of(version, 0, 0, 0),
      number(version === 2 ? 2 : 4, itemId),
      number(2, 0),
      `${type}\0`,
    );
  // The extents of the picture, Exif and XMP in the file, and in the box beside their locations.
  const inFile = (from: number) => {
    const at = [from, from + picture.length, from + picture.length + exif.length];
    const extent = (i: number, length: number) =>
      Buffer.concat([
        number(2, i),
        number(2, 0),
        number(2, 1),
        number(4, at[i - 1] as number),
        number(4, length),
      ]);
    return box(
      'iloc',
      '\0\0\0\0',
      Buffer.of(0x44, 0),
      number(2, 3),
      extent(1, picture.length),
      extent(2, exif.length),
      extent(3, xmp.length),
    );
  };
  const inBox = () => {
    const extent = (i: number, method: number, base: number, ...parts: number[][]) =>
      Buffer.concat([
        number(4, i),
        number(2, method),
        number(2, 0),
        number(4, base),
        number(2, parts.length),
        ...parts.flat().map((part) => number(4, part)),
      ]);
    return box(
      'iloc',
      Buffer.of(2, 0, 0, 0),
      Buffer.of(0x44, 0x40),
      number(4, 2),
      extent(2, 1, 0, [0, exif.length]),
      extent(3, 1, exif.length, [0, 5], [5, xmp.length - 5]),
    );
  };
  const file = (version: 2 | 3, exif: Buffer, xmp: Buffer) => {
    const made = (from: number) =>
      Buffer.concat([
        box('ftyp', 'avif'),
        box(
          'meta',
          '\0\0\0\0',
          box(
            'iinf',
            Buffer.of(version === 2 ? 0 : 1, 0, 0, 0),
            number(version === 2 ? 2 : 4, 3),
            info(version, 1, 'av01'),
            info(version, 2, 'Exif'),
            info(version, 3, 'mime'),
          ),
          ...(version === 2 ? [inFile(from)] : [inBox(), box('idat', exif, xmp)]),
        ),
        box('mdat', picture, ...(version === 2 ? [exif, xmp] : [])),
      ]);
    return made(made(0).indexOf(picture));
  };
  for (const version of [2, 3] as const) {
    const before = file(version, exif, xmp);
    const after = await without(before, 'image', 'image/avif');
    assert.deepEqual(after, file(version, cleared, Buffer.alloc(xmp.length)));
    assert.deepEqual(await without(after, 'image', 'image/avif'), after);
    for (let end = 0; end < before.length; end++) {
      const cut = await without(before.subarray(0, end), 'image', 'image/avif');
      assert.equal(cut.length, end);
    }
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
    png(number(3, 0)),
    png(pngChunk('tEXt', PLACE).subarray(0, -1)),
    webp(Buffer.from('VP8')),
    webp(webpChunk('VP8X', ''), webpChunk('VP8 ', PLACE).subarray(0, -2)),
    Buffer.from('0000001c6674797061766966000000106d65746100000000', 'hex'),
  ]) {
    assert.deepEqual(await without(damaged, 'image'), damaged);
    assert.deepEqual(await without(damaged, 'video', 'video/mp4'), damaged);
  }
});
