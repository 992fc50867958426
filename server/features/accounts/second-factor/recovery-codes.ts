import { hash } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/accounts/second-factors.ts';
import type { Random } from '#platform/random.ts';

/** Crockford base 32: nothing to confuse when it is copied from paper. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 bits: too many to guess from a stolen fingerprint, so no slow hash is needed. */
const CHARACTERS = 16;

/** New recovery codes as they are shown, `xxxx-xxxx-xxxx-xxxx`. */
export function makeRecoveryCodes(random: Random): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const characters = Array.from(random.bytes(CHARACTERS), (byte) => ALPHABET[byte & 31]).join('');
    return characters.replace(/.{4}(?!$)/g, '$&-');
  });
}

/** @param code without its hyphens */
export function hashRecoveryCode(accountId: string, code: string): Buffer {
  return hash('sha256', `${accountId}:${code}`, 'buffer');
}
