import type { Applications } from '#features/applications/index.ts';
import type { ChosenEvent } from '#features/webhooks/index.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import type { Db, Tx } from '#platform/database.ts';
import { firstIdAt, isId } from '#platform/ids.ts';
import { type Draft, type EventReceiver, type MessageBody, openBodyIfReadable } from './content.ts';
import { findMessages, type MessageKey, type MessageRow } from './queries.ts';

const QUIET = 'quiet_in_groups';

/** A message of a group, as far as it decides whether it reaches a quiet bot. */
interface Reaching extends MessageKey {
  senderId: string;
  replyToMsgId?: string | null | undefined;
  body: Pick<MessageBody, 'content' | 'caption' | 'mentionedUserIds'>;
}

/**
 * Which messages of groups concern a bot whose owner wants only those: commands, mentions of it, answers to it, and its own.
 *
 * @returns tells it of one of the messages
 */
export async function findConcerning(
  db: Db,
  messages: readonly Reaching[],
): Promise<(message: Reaching, botId: string) => boolean> {
  const quoted = messages.flatMap(({ bucket, conversationId, replyToMsgId: msgId }) =>
    typeof msgId === 'string' ? { bucket, conversationId, msgId } : [],
  );
  const found = await findMessages(db, quoted);
  const authors = new Map(
    found.map(({ conversationId, msgId, senderId }) => [conversationId + msgId, senderId]),
  );
  return ({ conversationId, senderId, replyToMsgId, body }, botId) =>
    senderId === botId ||
    body.mentionedUserIds?.includes(botId) === true ||
    /^\s*\/\w/.test(body.content ?? body.caption ?? '') ||
    authors.get(conversationId + replyToMsgId) === botId;
}

/** Leaves out the receivers that are quiet in groups and that a message does not concern. */
export async function withoutQuietBots<D extends Draft>(
  applications: Applications,
  drafts: D[],
  db: Db,
): Promise<D[]> {
  const receivers = drafts.flatMap((draft) => draft.receivers);
  const unknown = receivers.filter(({ isQuiet }) => isQuiet === undefined);
  const choices =
    unknown.length === 0
      ? []
      : await applications.findChoices(db, [...new Set(unknown.map(({ botAppId }) => botAppId))], [QUIET]);
  const quiet = new Set([
    ...choices.map(({ appId }) => appId),
    ...receivers.flatMap(({ isQuiet, botAppId }) => (isQuiet ? botAppId : [])),
  ]);
  if (quiet.size === 0) return drafts;
  const reaching = drafts.map((draft) => ({
    ...draft,
    body: draft.content.body,
    replyToMsgId: draft.content.replyToMsgId,
  }));
  const concerns = await findConcerning(db, reaching);
  return drafts.map((draft, i) => ({
    ...draft,
    receivers: draft.receivers.filter(
      ({ botAppId, accountId }) => !quiet.has(botAppId) || concerns(reaching[i] as Reaching, accountId),
    ),
  }));
}

/** A bot among those of a conversation, and in a group since when. */
export type MemberBot = Pick<EventReceiver, 'accountId' | 'botAppId'> & { joinedAt?: number };

export function appIdsOf(bots: readonly MemberBot[]): string[] {
  return bots.map(({ botAppId }) => botAppId);
}

/** Of the applications of these bots, those that hear of a change of a message although they are quiet in its group. */
export async function findConcerned(
  tx: Tx,
  keyring: Keyring,
  message: MessageRow | undefined,
  bots: readonly MemberBot[],
): Promise<string[]> {
  if (message && !isId('grp', message.conversationId)) return appIdsOf(bots);
  const body = message && openBodyIfReadable(keyring, message);
  if (!body) return [];
  const reaching = { ...message, body };
  const concerns = await findConcerning(tx, [reaching]);
  return appIdsOf(bots.filter(({ accountId }) => concerns(reaching, accountId)));
}

/**
 * The applications of these bots, as those that may hear of a change of a message, which is given as it was before: bots read
 * nothing that was written before they joined.
 */
export function receiversOf(
  tx: Tx,
  keyring: Keyring,
  message: MessageRow,
  bots: readonly MemberBot[],
): Pick<ChosenEvent, 'appIds' | 'findConcerned'> {
  const reading = bots.filter(({ joinedAt = 0 }) => message.msgId > firstIdAt('msg', joinedAt));
  return { appIds: appIdsOf(reading), findConcerned: () => findConcerned(tx, keyring, message, reading) };
}

/** Whether the bot of an application is quiet in groups. */
export function isQuiet(applications: Applications, appId: string): Promise<boolean> {
  return applications.hasExtension(appId, QUIET);
}
