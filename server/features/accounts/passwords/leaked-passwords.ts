import { PASSWORD_LENGTH } from '#contract/accounts.ts';
import { invalidArgument } from '#platform/errors.ts';

/** Shorter ones were refused before. */
const isPossible = (password: string) => password.length >= PASSWORD_LENGTH.min;

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
