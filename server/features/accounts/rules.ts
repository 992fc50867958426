import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import type { Config } from '#platform/config.ts';
import { invalidArgument } from '#platform/errors.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const RECENT_MS = 10 * MINUTE_MS;
const IDLE_MS = 14 * DAY_MS;
export const SESSION_LIFETIME_MS = 90 * DAY_MS;
/** How long a device is known without another sign-in. */
export const DEVICE_LIFETIME_MS = 180 * DAY_MS;

/** How long a person may take to answer with a passkey. */
export const PASSKEY_TICKET_MS = 5 * MINUTE_MS;
/** How long a person may take between password and code. */
export const SECOND_STEP_MS = 10 * MINUTE_MS;

/**
 * How a person was authenticated, in the terms of RFC 8176: a password, a code, a passkey (possession of its
 * key); `fed`, which is not one of them, is a provider, with `mfa` if it verified two factors.
 */
export type AuthenticationMethod = 'pwd' | 'otp' | 'pop' | 'fed' | 'mfa';

const RECOVERY_CODE = /^[0-9a-hjkmnp-tv-z]{16}$/;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const EMAIL = /^[^\s@<>\p{Cc}]+@[^\s@<>\p{Cc}]*[^\s@<>.\p{Cc}]$/u;

export interface Email {
  /**
   * As the person writes it, less what is not part of an address: blanks, invisible characters, angle brackets, the final dot of
   * the domain.
   */
  address: string;
  /** Unique: no major provider distinguishes mailboxes by letter case. */
  uniqueName: string;
  /** Every name by which an account may have it, likeliest first: version 0.2 kept brackets and the final dot. */
  storedNames: readonly string[];
}

/** The unique name of an account's address. Version 0.2 kept brackets and the final dot in both. */
export function nameOfStored(address: string): string {
  return address.toLowerCase();
}

/** Only a delivered message proves an address; this refuses what cannot be one. */
export function readEmail(text: string, field = 'email'): Email {
  const trimmed = text.trim().normalize('NFC');
  const visible = trimmed.replace(INVISIBLE, '').trim();
  const [, inBrackets = visible] = /^<\s*(.*?)\s*>$/s.exec(visible) ?? [];
  const address = inBrackets.replace(/\.$/, '');
  if (!EMAIL.test(address)) throw invalidArgument(field, 'email');
  const name = nameOfStored(address);
  const storedNames = new Set([nameOfStored(trimmed), name, `<${name}>`, `${name}.`, `<${name}.>`]);
  return { address, uniqueName: name, storedNames: [...storedNames] };
}

/** For passwords that do not come in a body with a schema. */
export function requirePasswordLength(password: string): void {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH.min || length > PASSWORD_LENGTH.max) {
    throw invalidArgument('password', 'length', { least: PASSWORD_LENGTH.min, most: PASSWORD_LENGTH.max });
  }
}

/** When a session ends that was used at `now`: 14 days without use, and 90 days in any case. */
export function sessionExpiry(createdAt: number, now: number): number {
  return Math.min(now + IDLE_MS, createdAt + SESSION_LIFETIME_MS);
}

/**
 * The service's name contained in a username, ignoring case (contract §2, Bot). Without a setting, the name
 * is Parley.
 */
export function findServiceName(
  username: string,
  { serviceName = 'Parley' }: Pick<Config, 'serviceName'>,
): string | undefined {
  return username.includes(serviceName.toLowerCase()) ? serviceName : undefined;
}

/** A session's last use is stored at most once a minute. */
export function isUseWorthWriting(lastSeenAt: number, now: number): boolean {
  return now - lastSeenAt >= MINUTE_MS;
}

/** Whether the password was given in the last 10 minutes. */
export function isRecent(authenticatedAt: number, now: number): boolean {
  return now - authenticatedAt <= RECENT_MS;
}

/**
 * A code or recovery code normalised for comparison, since people and applications group the characters
 * differently.
 */
export function readCode(text: string): { kind: 'time' | 'recovery'; code: string } | undefined {
  const code = text.replace(/[\s-]/g, '').toLowerCase();
  if (/^\d{6}$/.test(code)) return { kind: 'time', code };
  return RECOVERY_CODE.test(code) ? { kind: 'recovery', code } : undefined;
}
