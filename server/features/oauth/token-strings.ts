import { hashSecret, secretKind } from '#platform/crypto/random-secrets.ts';
import type { Random } from '#platform/random.ts';

/**
 * Codes and tokens begin with the id of their family; 192 random bits follow. A refresh token has 128 more, its lineage,
 * which is the same for the whole family: it distinguishes old tokens, which are not stored, from invented ones.
 */
const RANDOM_BYTES = 24;
const LINEAGE_BYTES = 16;
const CODE = secretKind('xac_', 'fam', RANDOM_BYTES);
const ACCESS_TOKEN = secretKind('xat_', 'fam', RANDOM_BYTES);
const REFRESH_TOKEN = secretKind('xrt_', 'fam', LINEAGE_BYTES + RANDOM_BYTES);

/** A new credential: its text, shown once, and the fingerprint that is stored. */
export interface Minted {
  text: string;
  hash: Buffer;
}

/** The family of a presented credential, and its fingerprint in the database. */
export interface Presented {
  familyId: string;
  hash: Buffer;
}

export interface PresentedRefreshToken extends Presented {
  /** In hex, for the token that follows this one. */
  lineage: string;
  lineageHash: Buffer;
}

export function makeCode(familyId: string, random: Random): Minted {
  return mint(CODE.make(familyId, random));
}

export function makeAccessToken(familyId: string, random: Random): Minted {
  return mint(ACCESS_TOKEN.make(familyId, random));
}

/** @param lineage of the token that this one follows; a new one for the first of a family */
export function makeRefreshToken(
  familyId: string,
  random: Random,
  lineage = random.bytes(LINEAGE_BYTES).toString('hex'),
): Minted & { lineageHash: Buffer } {
  const text = REFRESH_TOKEN.begin(familyId) + lineage + random.bytes(RANDOM_BYTES).toString('hex');
  return { ...mint(text), lineageHash: hashSecret(lineage) };
}

export function parseCode(text: string): Presented | undefined {
  return toPresented(CODE.parse(text));
}

export function parseAccessToken(text: string): Presented | undefined {
  return toPresented(ACCESS_TOKEN.parse(text));
}

export function parseRefreshToken(text: string): PresentedRefreshToken | undefined {
  const read = REFRESH_TOKEN.parse(text);
  if (!read) return undefined;
  const lineage = read.digits.slice(0, LINEAGE_BYTES * 2);
  return { familyId: read.id, hash: read.hash, lineage, lineageHash: hashSecret(lineage) };
}

function mint(text: string): Minted {
  return { text, hash: hashSecret(text) };
}

function toPresented(read: ReturnType<typeof CODE.parse>): Presented | undefined {
  return read && { familyId: read.id, hash: read.hash };
}
