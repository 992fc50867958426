import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOWNLOADED, kindOfType, servedType } from '#contract/media-types.ts';
import { nameInPath, readRange, safeFileName } from './rules.ts';

test('an upload is served with a type that browsers show, or not at all', () => {
  for (const [kind, sniffed, served] of [
    ['image', 'image/png', 'image/png'],
    ['image', 'image/apng', 'image/png'],
    ['image', 'image/svg+xml', undefined],
    ['image', 'video/mp4', undefined],
    ['image', undefined, undefined],
    ['video', 'video/mp4; codecs="avc1"; x', 'video/mp4'],
    ['video', 'video/x-m4v', 'video/mp4'],
    ['video', 'audio/mp4', undefined],
    ['audio', 'audio/x-wav', 'audio/wav'],
    ['audio', 'video/mp4', 'audio/mp4'],
    ['audio', 'video/webm', 'audio/webm'],
    ['audio', 'video/ogg', 'audio/ogg'],
    ['audio', 'video/quicktime', undefined],
    ['audio', 'xvideo/mp4', undefined],
    ['audio', 'video/mp4x', undefined],
    ['video', 'video/ogg', undefined],
    ['document', 'text/html', DOWNLOADED],
    ['document', undefined, DOWNLOADED],
  ] as const)
    assert.equal(servedType(kind, sniffed), served, `${kind} ${sniffed}`);
  const kinds = ['image/gif', 'video/webm', 'audio/flac', 'text/html', undefined].map(kindOfType);
  assert.deepEqual(kinds, ['image', 'video', 'audio', 'document', 'document']);
});

test('a name has no path, no dots at its ends, and at most 100 letters, with its extension', () => {
  for (const [name, safe] of [
    ['a.png', 'a.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\a b.txt', 'a b.txt'],
    [' .. .hidden. ', 'hidden'],
    ['a..b', 'a..b'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['a"<>:|?*;%#\n\u0000b', 'ab'],
    ['e\u0301', '\u00e9'],
    ['می\u200cخواهم 👩\u200d🚀.pdf', 'می\u200cخواهم 👩\u200d🚀.pdf'],
    ['', 'file'],
    ['folder/', 'file'],
    ['...', 'file'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['x'.repeat(101), 'x'.repeat(100)],
    [`${'x'.repeat(100)}.png`, `${'x'.repeat(96)}.png`],
    [`${'x'.repeat(99)}.${'y'.repeat(10)}`, `${'x'.repeat(89)}.${'y'.repeat(10)}`],
    [`${'x'.repeat(99)}.${'y'.repeat(11)}`, `${'x'.repeat(99)}.`],
    [`.png${'x'.repeat(100)}`, `png${'x'.repeat(97)}`],
    ['🦊'.repeat(101), '🦊'.repeat(100)],
  ] as const)
    assert.equal(safeFileName(name), safe, name);
  assert.equal(nameInPath("a b'(1)!*.png"), 'a%20b%27%281%29%21%2A.png');
});

test('a range is read as browsers ask for it, and ignored if it cannot be read', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=-', undefined],
    ['bytes=0-', { start: 0, end: 9 }],
    ['bytes=2-3', { start: 2, end: 3 }],
    ['bytes=3-3', { start: 3, end: 3 }],
    ['bytes=9-99', { start: 9, end: 9 }],
    ['bytes=3-2', undefined],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-99', { start: 0, end: 9 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=0-1,3-4', undefined],
    ['xbytes=0-1', undefined],
    ['bytes=0-1x', undefined],
    [`bytes=${'1'.repeat(16)}-`, undefined],
    [`bytes=0-${'1'.repeat(16)}`, undefined],
    [`bytes=0-${'1'.repeat(15)}`, { start: 0, end: 9 }],
  ] as const)
    assert.deepEqual(readRange(header, 10), expected, header);
});
