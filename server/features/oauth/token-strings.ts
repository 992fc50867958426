import { hash } from 'node:crypto';
import { idFromHex, idToHex } from '#platform/ids.ts';
import type { Random } from '#platform/random.ts';

/**
 * Codes and tokens begin with the id of their family, which identifies the shard without a lookup (storage
 * design); 192 random bits follow. A refresh token has 128 more, its lineage, which is the same for the whole
 * family: it distinguishes old tokens, which are not stored, from invented ones.
 */
const ID_DIGITS = 30;
const RANDOM_BYTES = 24;
const LINEAGE_BYTES = 16;
const PREFIX_LENGTH = 4;
const ID_END = PREFIX_LENGTH + ID_DIGITS;
const LINEAGE_END = ID_END + LINEAGE_BYTES * 2;

const CODE = /^xac_[0-9a-f]{78}$/;
const ACCESS_TOKEN = /^xat_[0-9a-f]{78}$/;
const REFRESH_TOKEN = /^xrt_[0-9a-f]{110}$/;

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
  return mint(`xac_${idToHex(familyId)}`, random);
}

export function makeAccessToken(familyId: string, random: Random): Minted {
  return mint(`xat_${idToHex(familyId)}`, random);
}

/** @param lineage of the token that this one follows; a new one for the first of a family */
export function makeRefreshToken(
  familyId: string,
  random: Random,
  lineage = random.bytes(LINEAGE_BYTES).toString('hex'),
): Minted & { lineageHash: Buffer } {
  return { ...mint(`xrt_${idToHex(familyId)}${lineage}`, random), lineageHash: sha256(lineage) };
}

export function parseCode(text: string): Presented | undefined {
  return CODE.test(text) ? toPresented(text) : undefined;
}

export function parseAccessToken(text: string): Presented | undefined {
  return ACCESS_TOKEN.test(text) ? toPresented(text) : undefined;
}

export function parseRefreshToken(text: string): PresentedRefreshToken | undefined {
  if (!REFRESH_TOKEN.test(text)) return undefined;
  const lineage = text.slice(ID_END, LINEAGE_END);
  return { ...toPresented(text), lineage, lineageHash: sha256(lineage) };
}

function mint(beginning: string, random: Random): Minted {
  const text = beginning + random.bytes(RANDOM_BYTES).toString('hex');
  return { text, hash: sha256(text) };
}

function toPresented(text: string): Presented {
  return { familyId: idFromHex('fam', text.slice(PREFIX_LENGTH, ID_END)), hash: sha256(text) };
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
