import { invalidArgument } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { findOwnAccount } from '../service.ts';
import { updateTerms } from './queries.ts';

/** Who is signed in, and which terms are still to be accepted. */
export async function showSignedIn({ db, config }: Pick<Platform, 'db' | 'config'>, accountId: string) {
  const { termsUrl, ...account } = await findOwnAccount(db, accountId);
  const wanted = config.termsUrl;
  return { ...account, ...(wanted !== undefined && wanted !== termsUrl && { termsToAccept: wanted }) };
}

/** @throws ApiError 400 for other terms than those of this server */
export async function acceptTerms(
  { db, clock, config }: Pick<Platform, 'db' | 'clock' | 'config'>,
  accountId: string,
  termsUrl: string,
): Promise<void> {
  if (termsUrl !== config.termsUrl)
    throw invalidArgument('termsUrl', 'terms', { url: config.termsUrl ?? '' });
  await db.write((tx) => updateTerms(tx, accountId, { termsUrl, at: clock.now() }));
}
