import { hash } from 'node:crypto';
import type { IdKind } from '#contract/ids.ts';
import { idFromHex, idToHex } from '../ids.ts';
import type { Random } from '../random.ts';

const ID_DIGITS = 30;

/** The fingerprint by which a random secret is stored. Nobody can guess one, so it needs neither salt nor a slow hash. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/**
 * A kind of secret: its prefix, the 120 bits of an id in hex, which identify the shard without a lookup, and random bits in hex.
 */
export function secretKind(prefix: string, idKind: IdKind, randomBytes: number) {
  const idEnd = prefix.length + ID_DIGITS;
  const format = new RegExp(`^${prefix}[0-9a-f]{${ID_DIGITS + 2 * randomBytes}}$`);
  return {
    /** The part before the random bits. */
    begin: (id: string) => prefix + idToHex(id),
    make: (id: string, random: Random) => prefix + idToHex(id) + random.bytes(randomBytes).toString('hex'),
    /** Undefined for anything but exactly this format. */
    parse(secret: string): { id: string; hash: Buffer; digits: string } | undefined {
      if (!format.test(secret)) return undefined;
      const id = idFromHex(idKind, secret.slice(prefix.length, idEnd));
      return { id, hash: hashSecret(secret), digits: secret.slice(idEnd) };
    },
  };
}
