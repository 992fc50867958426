import { isDeepStrictEqual } from 'node:util';
import { CHAT } from '#contract/api/chat.ts';
import type { Lifetime } from '#contract/chat/conversation-settings.ts';
import type { Conversation, Reactions } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { type ApiError, failedPrecondition, invalidArgument, permissionDenied } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { inChangedConversation } from './access/changed-conversation.ts';
import type { OwnConversation, OwnMessage } from './access/own-conversation.ts';
import { deleteMessage, hideMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { showConversation } from './conversations/list.ts';
import type { MessageDeps } from './deps.ts';
import { writeNotice } from './notices.ts';
import { pinMessage, unpinMessage } from './pins.ts';
import { lockMessage } from './queries.ts';
import { openReactions, sealReactions, selectReactions, upsertReactions } from './reactions.ts';
import { selectRetention, upsertLifetime } from './retention/queries.ts';
import { refuseMissing } from './rules.ts';
import { viewMessage } from './view.ts';

const EMOJI = /^\p{RGI_Emoji}$/v;

/** Each is one emoji; none is repeated. */
function refuseEmoji(emoji: readonly string[]): ApiError | undefined {
  const wrong = emoji.findIndex((one, i) => !EMOJI.test(one) || emoji.indexOf(one) < i);
  return wrong < 0 ? undefined : invalidArgument(`emoji.${wrong}`, 'not-an-emoji');
}

/**
 * The reactions to a message after somebody's are set to exactly these: new emoji come last, and the others'
 * stay.
 */
export function react(
  given: Reactions['given'],
  accountId: string,
  emoji: readonly string[],
): Reactions['given'] {
  const kept = given.map((one) => ({
    emoji: one.emoji,
    userIds: emoji.includes(one.emoji)
      ? [...new Set([...one.userIds, accountId])]
      : one.userIds.filter((userId) => userId !== accountId),
  }));
  const added = emoji.filter((one) => given.every((other) => other.emoji !== one));
  return [
    ...kept.filter(({ userIds }) => userIds.length > 0),
    ...added.map((one) => ({ emoji: one, userIds: [accountId] })),
  ];
}

function refuseMany(given: Reactions['given']): ApiError | undefined {
  const count = LIMITS.reactionsPerMessage;
  return given.length > count ? failedPrecondition('message.too-many-reactions', { count }) : undefined;
}

/**
 * Sets a person's reactions to a message to exactly these emoji; none removes all. Applications that chose it get an event.
 *
 * @throws ApiError 404 conversation or message, 400 no emoji or too many, 403 blocked, 400 broadcast list
 */
async function reactToMessage(
  deps: MessageDeps,
  { accountId, conversationId, msgId }: OwnMessage,
  emoji: readonly string[],
): Promise<Reactions> {
  const { clock, keyring, live, webhooks } = deps;
  const wrong = refuseEmoji(emoji);
  if (wrong) throw wrong;
  await deps.accounts.limits.messages.count(accountId);
  const own = { accountId, conversationId };
  const { reactions, topics, announce } = await inChangedConversation(
    deps,
    own,
    { isShared: true },
    async (tx, found) => {
      if (found.reactionRefusal) throw found.reactionRefusal;
      const key = { bucket: found.bucket, conversationId, msgId };
      const missing = refuseMissing(await lockMessage(tx, key));
      if (missing) throw missing;
      const [row] = await selectReactions(tx, [key]);
      const before = row ? openReactions(keyring, row) : { version: 0, given: [] };
      const given = react(before.given, accountId, emoji);
      if (isDeepStrictEqual(given, before.given))
        return { reactions: before, topics: [], announce: () => {} };
      const refusal = refuseMany(given);
      if (refusal) throw refusal;
      const after = { version: before.version + 1, given };
      await upsertReactions(tx, sealReactions(keyring, key, after));
      const { bucket, appIds, shownAs, topics } = found;
      const data = { msgId, ...shownAs, by: accountId, emoji: [...emoji] };
      const announce = await webhooks.recordChosen(tx, [
        { bucket, appIds, type: 'reaction.changed', data, at: clock.now() },
      ]);
      return { reactions: after, topics, announce };
    },
  );
  announce();
  for (const topic of topics)
    live.publish(topic, { type: 'message.reactions', data: { conversationId, msgId, reactions } });
  return reactions;
}

/** Editing, deleting and reactions, which are not in the API's contract. */
export function changeChatRoutes(deps: MessageDeps) {
  return [
    serve(CHAT, {
      'PATCH /conversations/:conversationId/messages/:msgId': async ({
        person: { accountId },
        params,
        body,
      }) => viewMessage(deps.keyring, await editMessage(deps, { accountId, ...params }, () => body.text)),
      'DELETE /conversations/:conversationId/messages/:msgId': async ({ person: { accountId }, params }) => {
        await deleteMessage(deps, { accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/messages/:msgId/reactions': ({
        person: { accountId },
        params,
        body,
      }) => reactToMessage(deps, { accountId, ...params }, body.emoji),
      'PUT /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await pinMessage(deps, { accountId: person.accountId, ...params });
        return params;
      },
      'DELETE /conversations/:conversationId/messages/:msgId/pin': async ({ person, params }) => {
        await unpinMessage(deps, { accountId: person.accountId, ...params });
        return params;
      },
      'PUT /conversations/:conversationId/retention': ({ person: { accountId }, params, body }) =>
        changeLifetime(deps, { accountId, ...params }, body.lifetimeDays),
      'POST /conversations/:conversationId/messages/:msgId/hide': async ({
        person: { accountId },
        params,
      }) => {
        await hideMessage(deps, { accountId, ...params });
        return params;
      },
    }),
  ];
}

/**
 * Changes how long the messages of a conversation are kept, existing ones included. Either side of a private
 * conversation may change it, and an administrator of a group. A notice in the thread announces it.
 *
 * @param days undefined for the setting of the server
 * @throws ApiError 404; 403 for a member of the group
 */
async function changeLifetime(
  deps: MessageDeps,
  own: OwnConversation,
  days: Lifetime | undefined,
): Promise<Conversation> {
  const { clock, live } = deps;
  const { accountId, conversationId } = own;
  const lifetimeDays = days ?? null;
  const changed = await inChangedConversation(deps, own, { isShared: false }, async (tx, found) => {
    const { bucket, topics, isAdmin, kind } = found;
    if (kind === 'group' && !isAdmin) throw permissionDenied('group.not-an-administrator');
    const [before] = await selectRetention(tx, [{ bucket, conversationId }]);
    if ((before?.lifetimeDays ?? null) === lifetimeDays) return undefined;
    await upsertLifetime(tx, { bucket, conversationId }, lifetimeDays);
    const at = clock.now();
    const notice = { kind: 'retention', ...(days !== undefined && { lifetimeDays: days }) } as const;
    const group = { bucket, groupId: conversationId, topics };
    return { show: await writeNotice(tx, deps, group, { ...notice, from: accountId, at }), topics };
  });
  if (changed) {
    changed.show();
    const data = { conversationId, lifetimeDays };
    for (const topic of changed.topics) live.publish(topic, { type: 'conversation.retention', data });
  }
  return showConversation(deps, own);
}
