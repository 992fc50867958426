import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { AccountDeps } from './deps.ts';
import type { InTurn } from './throttle/throttle.ts';

/** Shorter ones were refused before. */
const isPossible = (password: string) => password.length >= PASSWORD_LENGTH.min;

/** @throws ApiError 403 where a provider has replaced passwords */
export async function requirePasswords({
  takesPasswords,
}: Pick<AccountDeps, 'takesPasswords'>): Promise<void> {
  if (!(await takesPasswords())) throw permissionDenied('sign-in.passwords-off');
}

let leaked: Promise<ReadonlySet<string>> | undefined;

/**
 * Refuses the most common leaked passwords, ignoring case: attackers try these first.
 *
 * @throws ApiError 400 naming the field
 */
export async function refuseLeakedPassword(field: string, password: string): Promise<void> {
  leaked ??= loadLeaked();
  if ((await leaked).has(password.normalize('NFC').toLowerCase())) {
    throw invalidArgument(field, 'leaked-password');
  }
}

/** Loaded on first use: the list would add 30 ms to every start. */
async function loadLeaked(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(isPossible));
}

const derive = promisify(argon2);

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, 2 passes, 1 lane. */
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const PHC = /^\$argon2id\$v=19\$m=(\d{1,8}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** For the operator's commands, which run alone in their process. */
const atOnce: InTurn = (work) => work();

/** The hash for unknown accounts, so that these take as long as known ones. */
const NOBODY = format(Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/**
 * The form in which a password is stored: a PHC string.
 *
 * @throws ApiError 503 when too many wait
 */
export async function hashPassword(random: Random, password: string, inTurn = atOnce): Promise<string> {
  const salt = random.bytes(SALT_BYTES);
  const hash = await inTurn(() =>
    derive('argon2id', {
      message: toBytes(password),
      nonce: salt,
      memory: MEMORY_KIB,
      passes: PASSES,
      parallelism: PARALLELISM,
      tagLength: HASH_BYTES,
    }),
  );
  return format(salt, hash);
}

/**
 * Whether the password matches the PHC string. Without one, returns false after the same time.
 *
 * @throws ApiError 503 when too many wait
 */
export async function isPassword(
  password: string,
  stored: string | null | undefined,
  inTurn = atOnce,
): Promise<boolean> {
  const parts = PHC.exec(stored ?? NOBODY);
  if (!parts) throw new Error('a stored password hash is not in PHC form');
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
  const [nonce, expected] = parts.slice(4).map((part) => Buffer.from(part, 'base64')) as [Buffer, Buffer];
  const hash = await inTurn(() =>
    derive('argon2id', {
      message: toBytes(password),
      nonce,
      memory,
      passes,
      parallelism,
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(hash, expected) && stored != null;
}

/**
 * NFC (RFC 8265, OpaqueString): keyboards compose the same letter differently. Nothing else is normalised.
 */
function toBytes(password: string): Buffer {
  return Buffer.from(password.normalize('NFC'));
}

function format(salt: Buffer, hash: Buffer): string {
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${saltText}$${hashText}`;
}
