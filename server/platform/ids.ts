import { hash } from 'node:crypto';
import type { IdKind } from '#contract/ids.ts';
import type { Clock } from './clock.ts';
import type { Random } from './random.ts';

/** Lower-case Crockford base 32: URL-safe, sorts like the numbers, without ambiguous characters. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** All pairs of its characters in order, which halves the concatenations. */
const PAIRS = Array.from(ALPHABET, (one) => Array.from(ALPHABET, (other) => one + other)).flat();
const TIME_CHARACTERS = 10;
const RANDOM_CHARACTERS = 14;
const HASHED_CHARACTERS = 6;
const ID = /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{24}$/;

/** Whether a text has the format of an ID; others never reach the database. */
export function isId(kind: IdKind, text: string): boolean {
  return text.startsWith(kind) && ID.test(text);
}

/** Creates IDs that sort by time of creation: 50 bits of milliseconds, then 70 random bits. */
export function createIds(clock: Clock, random: Random): (kind: IdKind) => string {
  let lastTime = -1;
  let timeText = '';
  let sequence = 0;
  return (kind) => {
    const time = Math.max(clock.now(), lastTime);
    if (time !== lastTime) {
      lastTime = time;
      timeText = base32(time, TIME_CHARACTERS);
      sequence = 0;
    }
    // Ids of one process in one millisecond count up, so that a conversation's order is the order of its ids.
    const order = sequence++ & 0x7fff;
    const bytes = random.bytes(RANDOM_CHARACTERS - 3);
    let tail = `${ALPHABET[order >> 10]}${PAIRS[order & 1023]}${ALPHABET[(bytes[0] as number) & 31]}`;
    for (let i = 1; i < bytes.length; i += 2) tail += pairOf(bytes[i] as number, bytes[i + 1] as number);
    return `${kind}_${timeText}${tail}`;
  };
}

/** The lower bound of the IDs created at this time or later: not an ID itself, but it sorts like one. */
export function firstIdAt(kind: IdKind, time: number): string {
  return `${kind}_${base32(time, TIME_CHARACTERS)}`;
}

/** When an ID was created, in epoch milliseconds. */
export function timeOfId(id: string): number {
  let time = 0;
  for (const character of id.slice(4, 4 + TIME_CHARACTERS)) time = time * 32 + ALPHABET.indexOf(character);
  return time;
}

/** Two characters, each for the last five bits of a byte. */
function pairOf(one: number, other: number): string {
  return PAIRS[((one & 31) << 5) | (other & 31)] as string;
}

function base32(value: number, characters: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < characters; i++) {
    text = ALPHABET[rest % 32] + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The 120 bits of an id as 30 lower-case hex digits: the part of a credential that identifies its row. */
export function idToHex(id: string): string {
  let digits = '';
  for (let i = 4; i < id.length; i += 4) {
    let bits = 0;
    for (let j = i; j < i + 4; j++) bits = bits * 32 + ALPHABET.indexOf(id[j] as string);
    digits += bits.toString(16).padStart(5, '0');
  }
  return digits;
}

/** The id whose 120 bits are these 30 lower-case hex digits; the inverse of {@link idToHex}. */
export function idFromHex(kind: IdKind, digits: string): string {
  let text = `${kind}_`;
  for (let i = 0; i < digits.length; i += 5) {
    const bits = Number.parseInt(digits.slice(i, i + 5), 16);
    text +=
      (ALPHABET[bits >> 15] as string) +
      ALPHABET[(bits >> 10) & 31] +
      ALPHABET[(bits >> 5) & 31] +
      ALPHABET[bits & 31];
  }
  return text;
}

/** The conversation of two accounts: a function of both IDs, so that it needs no lookup and is unique. */
export function privateConversationId(one: string, other: string): string {
  return idOf('prv', one < other ? `${one}:${other}` : `${other}:${one}`);
}

/** The ID of a named object as a function of the name: 120 bits of a hash. It does not sort by time. */
export function idOf(kind: IdKind, name: string): string {
  // One character for each byte: takes a third of the time of a Buffer.
  const digest = hash('sha256', name, 'binary');
  let text = `${kind}_`;
  for (let i = 0; i < TIME_CHARACTERS + RANDOM_CHARACTERS; i += 2) {
    text += pairOf(digest.charCodeAt(i), digest.charCodeAt(i + 1));
  }
  return text;
}

/**
 * The ID of a message that was written elsewhere, as a function of where and when: it sorts by time, then by `order`, then by
 * `part`.
 *
 * @param order below 2^35
 * @param part below 32
 */
export function writtenElsewhereId({
  name,
  time,
  order,
  part,
}: {
  name: string;
  time: number;
  order: number;
  part: number;
}): string {
  const hashed = idOf('msg', name).slice(-HASHED_CHARACTERS);
  const ordered = base32(order, RANDOM_CHARACTERS - 1 - HASHED_CHARACTERS);
  return `${firstIdAt('msg', time)}${ordered}${ALPHABET[part]}${hashed}`;
}

/** The number of buckets of the conversation tables (storage design). Never changes. */
export const BUCKETS = 1024;

/** The bucket of a conversation: FNV-1a over its id. */
export function bucketOf(conversationId: string): number {
  let state = 0x811c9dc5;
  for (let i = 0; i < conversationId.length; i++) {
    state = Math.imul(state ^ conversationId.charCodeAt(i), 0x01000193);
  }
  return (state >>> 0) % BUCKETS;
}
