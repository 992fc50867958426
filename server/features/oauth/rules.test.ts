import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { idToHex } from '#platform/ids.ts';
import { dayOf, findEnd, isHeld, KEPT_MS, redirectTo } from './rules.ts';
import {
  type Minted,
  makeAccessToken,
  makeCode,
  makeRefreshToken,
  parseAccessToken,
  parseCode,
  parseRefreshToken,
} from './token-strings.ts';

const DAY_MS = 86_400_000;

test('a grant ends by what was recorded, or else when it expires', () => {
  const grant = { refreshedAt: 1, expiresAt: 10, endedAt: null, endReason: null };
  assert.equal(findEnd(grant, 9), undefined);
  assert.deepEqual(findEnd(grant, 10), { endedAt: 10, endReason: 'refresh-token-expired' });
  assert.deepEqual(findEnd({ ...grant, refreshedAt: null }, 11), { endedAt: 10, endReason: 'code-expired' });
  const ended = { endedAt: 5, endReason: 'revoked-by-person' as const };
  assert.deepEqual(findEnd({ ...grant, ...ended }, 11), ended);
  for (const half of [{ endedAt: 5 }, { endReason: ended.endReason }])
    assert.equal(findEnd({ ...grant, ...half }, 9), undefined);
});

test('times of grants', () => {
  assert.equal(KEPT_MS, 30 * DAY_MS);
  assert.deepEqual([0, DAY_MS - 1, DAY_MS, 20_000 * DAY_MS].map(dayOf), [0, 0, 1, 20_000]);
  assert.equal(isHeld({ heldUntil: null }, 0), false);
  assert.equal(isHeld({ heldUntil: 10 }, 9), true);
  assert.equal(isHeld({ heldUntil: 10 }, 10), false);
});

test('the redirect keeps the query of the registered URI, and returns every value unchanged', () => {
  const state = '&#"<%00é+ \n/?=';
  const rows = [
    ['https://a.example/cb', 'https://a.example/cb?'],
    ['https://a.example', 'https://a.example?'],
    ['https://a.example/cb?', 'https://a.example/cb?'],
    ['https://a.example/cb?x=%41&y', 'https://a.example/cb?x=%41&y&'],
    ['https://a.example/cb?x=1&', 'https://a.example/cb?x=1&'],
  ] as const;
  for (const [uri, beginning] of rows) {
    const to = redirectTo(uri, { code: 'c', state });
    assert.ok(to.startsWith(`${beginning}code=c&state=`), to);
    assert.equal(new URL(to).searchParams.get('state'), state);
    assert.match(to, /^[\x21-\x7e]+$/);
  }
  assert.equal(redirectTo('https://a.example', { code: 'c', state: undefined }), 'https://a.example?code=c');
  assert.equal(redirectTo('https://a.example', { code: 'c', state: '' }), 'https://a.example?code=c&state=');
});

const FAMILY = 'fam_0123456789abcdefghjkmnpq';

/** Each byte is the length that was asked for. */
const random = { bytes: (length: number) => Buffer.alloc(length, length) };

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

test('a credential names its family, has 192 random bits, and is known by its hash', () => {
  const id = idToHex(FAMILY);
  const secret = '18'.repeat(24);
  const kinds: [Minted, string, (text: string) => { familyId: string; hash: Buffer } | undefined][] = [
    [makeCode(FAMILY, random), `xac_${id}${secret}`, parseCode],
    [makeAccessToken(FAMILY, random), `xat_${id}${secret}`, parseAccessToken],
  ];
  for (const [made, text, parse] of kinds) {
    assert.deepEqual(made, { text, hash: sha256(text) });
    assert.deepEqual(parse(text), { familyId: FAMILY, hash: sha256(text) });
    for (const [, other] of kinds) if (other !== text) assert.equal(parse(other), undefined);
    for (const wrong of [
      `x${text}`,
      `${text}0`,
      text.slice(0, -1),
      text.toUpperCase(),
      `${text.slice(0, -1)}g`,
    ])
      assert.equal(parse(wrong), undefined, wrong);
  }
});

test('the refresh tokens of a family have one lineage', () => {
  const first = makeRefreshToken(FAMILY, random);
  const lineage = '10'.repeat(16);
  assert.equal(first.text, `xrt_${idToHex(FAMILY)}${lineage}${'18'.repeat(24)}`);
  const lineageHash = sha256(lineage);
  assert.deepEqual([first.hash, first.lineageHash], [sha256(first.text), lineageHash]);
  const parsed = { familyId: FAMILY, hash: first.hash, lineage, lineageHash };
  assert.deepEqual(parseRefreshToken(first.text), parsed);
  const other = 'ab'.repeat(16);
  assert.deepEqual(parseRefreshToken(makeRefreshToken(FAMILY, random, other).text)?.lineage, other);
  for (const wrong of [
    `x${first.text}`,
    `${first.text}0`,
    first.text.slice(0, -1),
    makeCode(FAMILY, random).text,
  ])
    assert.equal(parseRefreshToken(wrong), undefined, wrong);
});
