import type { NewApplication } from '#contract/applications.ts';
import type { CreateApplication } from '#contract/bots.ts';
import type { Origin } from '#features/applications/index.ts';
import { joined } from '#platform/database/joined.ts';
import { type BotDeps, createBot } from './service.ts';

/**
 * Creates an application and, if requested, its bot: both or neither, so that a taken username does not leave an application
 * whose secrets nobody has seen.
 *
 * @throws ApiError 429 for the 21st application; 400 and 409 as for a bot
 */
export async function createApplicationWithBot(
  deps: Pick<BotDeps, 'db' | 'clock' | 'newId' | 'config' | 'accounts' | 'applications'>,
  ownerId: string,
  { name, bot }: CreateApplication,
  origin: Origin,
): Promise<NewApplication> {
  const { db, applications } = deps;
  if (!bot) return applications.create(ownerId, name, origin);
  return db.begin(async (tx) => {
    const within = joined(tx);
    const made = await applications.within(within).create(ownerId, name, origin);
    await createBot({ ...deps, db: within }, { ownerId, appId: made.appId, ...origin }, bot);
    return made;
  });
}
