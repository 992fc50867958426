import type { Config } from '#platform/config.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { insertElement, insertStoryName, type StoryRow, selectElements, selectStories } from './queries.ts';
import { type ElementBody, endedIfBegunBy, openBodyIfReadable, sealElement } from './service.ts';

const AT_ONCE = 500;

/** A story in plain text. */
export interface ExportedStory extends StoryRow {
  elements: {
    elementId: string;
    type: 'text' | 'image' | 'video';
    body: ElementBody;
    createdAt: number;
  }[];
}

/** The stories that have not ended, without elements that cannot be read. */
export async function* exportStories(
  { db, keyring, config }: { db: Db; keyring: Platform['keyring']; config: Config },
  now: number,
): AsyncGenerator<ExportedStory> {
  const endedBy = endedIfBegunBy(now, config) ?? 0;
  let after = '';
  for (;;) {
    const stories = await db<StoryRow[]>`
      select account_id, story_id, began_at from stories
      where account_id > ${after} and began_at > ${endedBy} order by account_id limit ${db.constant(AT_ONCE)}`;
    const last = stories.at(-1);
    if (!last) return;
    const ownerIds = stories.map(({ accountId }) => accountId);
    const elements = Map.groupBy(await selectElements(db, ownerIds), ({ accountId }) => accountId);
    for (const story of stories) {
      const opened = (elements.get(story.accountId) ?? []).flatMap((row) => {
        const { elementId, type, createdAt } = row;
        const body = openBodyIfReadable(keyring, row);
        return body ? { elementId, type, body, createdAt } : [];
      });
      yield { ...story, elements: opened };
    }
    after = last.accountId;
  }
}

/** Also one that has ended and is not removed yet. */
export async function hasStory(db: Db, accountId: string): Promise<boolean> {
  return (await selectStories(db, [accountId])).length > 0;
}

/** Stores a story. False if the person has one here. */
export async function importStory(
  tx: Tx,
  { keyring }: Pick<Platform, 'keyring'>,
  { elements, ...story }: ExportedStory,
): Promise<boolean> {
  const { accountId, storyId, beganAt } = story;
  const isNew = await tx`
    insert into stories (account_id, story_id, began_at) values (${accountId}, ${storyId}, ${beganAt})
    on conflict (account_id) do nothing returning story_id`;
  if (isNew.length === 0) return false;
  await insertStoryName(tx, story);
  for (const { elementId, type, body, createdAt } of elements) {
    const sealed = sealElement(keyring, elementId, body);
    await insertElement(tx, { accountId, elementId, type, createdAt, ...sealed });
  }
  return true;
}
