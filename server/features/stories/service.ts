import type { AddToStory, ChatStory, Story } from '#contract/stories.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Contacts } from '#features/contacts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Media } from '#features/media/index.ts';
import type { Messages } from '#features/messages/index.ts';
import { eachByItself } from '#platform/concurrency/each-by-itself.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { openSealed, type SealedBody, sealed } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { notFound, permissionDenied } from '#platform/errors.ts';
import { publicFileUrl, requireFileUrl } from '#platform/files/upload-links.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import {
  beginOrLockStory,
  deleteStory,
  deleteViewers,
  type ElementRow,
  insertElement,
  insertStoryName,
  lockStory,
  type StoryRow,
  selectAccountsWithEnded,
  selectElements,
  selectStories,
  selectStoryOwner,
} from './queries.ts';

const HOUR_MS = 3_600_000;

/**
 * Stories that began at or before this time have ended (decisions: Stories): a story ends a fixed time after
 * its first element. Undefined if stories never end.
 */
export function endedIfBegunBy(
  now: number,
  { storyLifetimeHours }: { storyLifetimeHours: number },
): number | undefined {
  return storyLifetimeHours === 0 ? undefined : now - storyLifetimeHours * HOUR_MS;
}

/** Whether a story that began then has ended. */
function hasEnded(beganAt: number, endedIfBegunByTime: number | undefined): boolean {
  return endedIfBegunByTime !== undefined && beganAt <= endedIfBegunByTime;
}

export type StoryDeps = Platform & {
  accounts: Accounts;
  contacts: Contacts;
  groups: Groups;
  messages: Messages;
  media: Media;
};

/**
 * Adds an element to the person's current story, or begins a new one with it (decisions: Stories). Any number
 * of concurrent elements join one story.
 *
 * @param elementId the id of the element; an existing element with it is not changed
 */
export async function addToStory(
  deps: StoryDeps,
  accountId: string,
  sent: AddToStory,
  elementId: string,
): Promise<{ storyId: string }> {
  const { db, clock, keyring, config, newId, accounts } = deps;
  const body = readElement(sent);
  await accounts.limits.messages.count(accountId);
  const createdAt = clock.now();
  const row = { accountId, elementId, type: sent.type, ...sealElement(keyring, elementId, body), createdAt };
  const endedBy = endedIfBegunBy(createdAt, config);
  const newStoryId = newId('sty');
  const storyId = await db.begin(async (tx) => {
    await accounts.lockActor(tx, accountId);
    await removeStory(tx, deps, accountId, ({ beganAt }) => hasEnded(beganAt, endedBy));
    const current = await beginOrLockStory(tx, { accountId, storyId: newStoryId, beganAt: createdAt });
    if (current === newStoryId) await insertStoryName(tx, { storyId: newStoryId, accountId });
    await insertElement(tx, row);
    return current;
  });
  return { storyId };
}

/** The current stories of the given people; those without one are left out. */
export async function findCurrentStories(
  { db, clock, keyring, config }: Platform,
  accountIds: string[],
): Promise<{ accountId: string; story: ChatStory }[]> {
  const current = await selectCurrent(db, accountIds, endedIfBegunBy(clock.now(), config));
  const ownerIds = current.map((story) => story.accountId);
  const elementsOf = Map.groupBy(await selectElements(db, ownerIds), (element) => element.accountId);
  return current.map((row) => {
    const { accountId } = row;
    return { accountId, story: viewStory(keyring, row, elementsOf.get(accountId) ?? []) };
  });
}

/** A story as applications get it: uploads as links to this server, without unreadable elements. */
export function publicStory(
  config: Pick<Platform['config'], 'publicUrl' | 'port'>,
  { unreadable: _, ...story }: ChatStory,
): Story {
  const linkOf = (url: string) => publicFileUrl(config, url);
  return {
    ...story,
    images: story.images.map((image) => ({ ...image, imageUrl: linkOf(image.imageUrl) })),
    videos: story.videos.map((video) => ({
      ...video,
      videoUrl: linkOf(video.videoUrl),
      ...(video.thumbnailUrl !== undefined && { thumbnailUrl: linkOf(video.thumbnailUrl) }),
    })),
  };
}

async function selectCurrent(db: Db, accountIds: string[], endedBy: number | undefined): Promise<StoryRow[]> {
  const stories = await selectStories(db, accountIds);
  return stories.filter(({ beganAt }) => !hasEnded(beganAt, endedBy));
}

/**
 * A person deletes their current story.
 *
 * @throws ApiError 404 if it is unknown or has ended, 403 if it is somebody else's
 */
export async function deleteOwnStory(deps: StoryDeps, accountId: string, storyId: string): Promise<void> {
  const { db, clock, config } = deps;
  const ownerId = isId('sty', storyId) ? await selectStoryOwner(db, storyId) : undefined;
  if (ownerId === undefined) throw storyNotFound();
  const [current] = await selectCurrent(db, [ownerId], endedIfBegunBy(clock.now(), config));
  if (current?.storyId !== storyId) throw storyNotFound();
  if (ownerId !== accountId) throw permissionDenied('story.not-yours');
  const isDeleted = await db.begin((tx) =>
    removeStory(tx, deps, accountId, (story) => story.storyId === storyId),
  );
  if (!isDeleted) throw storyNotFound();
}

function storyNotFound() {
  return notFound('story.unknown');
}

/** One step of the worker: removes up to `limit` ended stories. */
export async function removeExpiredStories(deps: StoryDeps, { limit }: { limit: number }): Promise<void> {
  const { db, clock, config } = deps;
  const endedBy = endedIfBegunBy(clock.now(), config);
  if (endedBy === undefined) return;
  await eachByItself(
    await selectAccountsWithEnded(db, { endedIfBegunBy: endedBy, limit }),
    (accountId) =>
      db.begin(async (tx) => {
        if (await removeStory(tx, deps, accountId, ({ beganAt }) => hasEnded(beganAt, endedBy)))
          await deleteViewers(tx, accountId);
      }),
    'not all stories that have ended could be removed',
  );
}

/** Removes a person's story, if it is the one that is meant, with its elements and the files that nothing else uses. */
export async function removeStory(
  tx: Tx,
  { keyring, media, clock }: Pick<StoryDeps, 'keyring' | 'media' | 'clock'>,
  accountId: string,
  isMeant: (story: StoryRow) => boolean,
): Promise<boolean> {
  const story = await lockStory(tx, accountId);
  if (!story || !isMeant(story)) return false;
  const elements = await selectElements(tx, [accountId]);
  await deleteStory(tx, story);
  const uses = elements.flatMap((element) => {
    const { imageUrl, videoUrl, thumbnailUrl } = openBodyIfReadable(keyring, element) ?? {};
    return [imageUrl, videoUrl, thumbnailUrl].flatMap((url) =>
      url === undefined ? [] : [{ url, usedBy: element.elementId, ownerId: accountId }],
    );
  });
  await media.release(tx, uses, clock.now());
  return true;
}

/** The content of an element, as it is sealed in the database. */
export interface ElementBody {
  text?: string;
  imageUrl?: string;
  videoUrl?: string;
  thumbnailUrl?: string;
}

/**
 * Takes an element out of a request body; the schema has checked which type has which fields.
 *
 * @throws ApiError 400 naming the field when a URL is not public https
 */
function readElement({ text, ...urls }: AddToStory): ElementBody {
  const body: ElementBody = text == null ? {} : { text };
  for (const field of ['imageUrl', 'videoUrl', 'thumbnailUrl'] as const) {
    const url = urls[field];
    if (url != null) body[field] = requireFileUrl(field, url);
  }
  return body;
}

/** All texts of people are sealed, including stories. */
export function sealElement(keyring: Keyring, elementId: string, body: ElementBody): SealedBody {
  return sealed(keyring, contextOf(elementId), body);
}

/** A stored story as its readers see it. */
function viewStory(keyring: Keyring, { storyId }: StoryRow, elements: ElementRow[]): ChatStory {
  const story: ChatStory = { storyId, texts: [], images: [], videos: [] };
  for (const row of elements) {
    const { type, elementId: id, createdAt } = row;
    const opened = openBodyIfReadable(keyring, row);
    // Which fields there are follows from the type.
    const element = { id, ...opened, createdAt } as never;
    if (!opened) story.unreadable = [...(story.unreadable ?? []), element];
    else if (type === 'text') story.texts.push(element);
    else if (type === 'image') story.images.push(element);
    else story.videos.push(element);
  }
  return story;
}

/** Undefined if the row cannot be read. */
export function openBodyIfReadable(keyring: Keyring, row: ElementRow): ElementBody | undefined {
  return openSealed(keyring, contextOf(row.elementId), row);
}

function contextOf(elementId: string) {
  return { table: 'story_elements', rowId: elementId };
}
