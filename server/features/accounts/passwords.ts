import { type Argon2Parameters, argon2, hash, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { invalidArgument, permissionDenied } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import type { AccountDeps } from './deps.ts';
import type { Login } from './queries.ts';
import type { InTurn } from './throttle/throttle.ts';

/** Shorter ones were refused before. */
const isPossible = (password: string) => password.length >= PASSWORD_LENGTH.min;

/** @throws ApiError 403 where a provider has replaced passwords */
export async function requirePasswords({
  takesPasswords,
}: Pick<AccountDeps, 'takesPasswords'>): Promise<void> {
  if (!(await takesPasswords())) throw permissionDenied('sign-in.passwords-off');
}

let leaked: ReadonlySet<string> | undefined;

/**
 * Refuses the most common leaked passwords, ignoring case: attackers try these first.
 *
 * @throws ApiError 400 naming the field
 */
export async function refuseLeakedPassword(field: string, password: string): Promise<void> {
  leaked ??= await loadLeaked();
  if (leaked.has(password.normalize('NFC').toLowerCase())) throw invalidArgument(field, 'leaked-password');
}

/** Loaded on first use: the list would add 30 ms to every start. */
async function loadLeaked(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].filter(isPossible));
}

const runArgon2 = promisify(argon2);

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
  const nonce = random.bytes(SALT_BYTES);
  const cost = { memory: MEMORY_KIB, passes: PASSES, parallelism: PARALLELISM, tagLength: HASH_BYTES };
  return format(nonce, await inTurn(() => derive(password, { nonce, ...cost })));
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
  const cost = { memory, passes, parallelism, tagLength: expected.length };
  const tag = await inTurn(() => derive(password, { nonce, ...cost }));
  return timingSafeEqual(tag, expected) && stored != null;
}

/**
 * NFC (RFC 8265, OpaqueString): keyboards compose the same letter differently. Nothing else is normalised.
 */
function derive(password: string, options: Omit<Argon2Parameters, 'message'>): Promise<Buffer> {
  return runArgon2('argon2id', { message: Buffer.from(password.normalize('NFC')), ...options });
}

/** The part of a ticket that names a password, so that it becomes void when the password changes. */
export function passwordFingerprint({ passwordHash }: Pick<Login, 'passwordHash'>): string {
  return hash('sha256', passwordHash ?? '', 'base64url');
}

function format(salt: Buffer, tag: Buffer): string {
  const [saltText, tagText] = [salt, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
  return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${saltText}$${tagText}`;
}
