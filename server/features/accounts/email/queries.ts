import type { Tx } from '#platform/database.ts';

/** The address of a person, and when it was proven to be theirs. */
export async function updateEmail(
  tx: Tx,
  accountId: string,
  { email, confirmedAt }: { email: string; confirmedAt: number | null },
): Promise<void> {
  await tx`
    update accounts set email = ${email}, email_confirmed_at = ${confirmedAt}
    where account_id = ${accountId} and not is_bot and deleted_at is null`;
}
