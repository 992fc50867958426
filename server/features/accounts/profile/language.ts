import type { Language } from '#contract/languages.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { selectLanguage, updateLanguage } from './queries.ts';

/** Notes in which language the person's pages are, so that the server writes to them in it. */
export async function changeLanguage(
  { db }: Pick<Platform, 'db'>,
  accountId: string,
  language: Language,
): Promise<void> {
  await db.write((tx) => updateLanguage(tx, accountId, language));
}

/** In which language to write to a person; English until a page has told. */
export async function findLanguage(db: Db, accountId: string): Promise<Language> {
  return (await selectLanguage(db, accountId)) ?? 'en';
}
