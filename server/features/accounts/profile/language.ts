import type { Language } from '#contract/languages.ts';
import type { Db } from '#platform/database.ts';
import type { AccountDeps } from '../deps.ts';
import { selectLanguage, updateLanguage } from './queries.ts';

/** Stores the language of the person's pages, in which the server writes to them. */
export async function changeLanguage(
  { db }: AccountDeps,
  accountId: string,
  language: Language,
): Promise<void> {
  await db.write((tx) => updateLanguage(tx, accountId, language));
}

/** The language in which to write to a person; English until a page has reported one. */
export async function findLanguage(db: Db, accountId: string): Promise<Language> {
  return (await selectLanguage(db, accountId)) ?? 'en';
}
