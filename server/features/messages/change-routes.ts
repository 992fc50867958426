import { CHAT } from '#contract/api/chat.ts';
import type { Lifetime } from '#contract/chat/conversation-settings.ts';
import type { Conversation } from '#contract/chat.ts';
import { serve } from '#platform/http/serve.ts';
import { inChangedConversation } from './access/changed-conversation.ts';
import type { OwnConversation } from './access/own-conversation.ts';
import { deleteMessage, hideMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { reactToMessage, readEmoji } from './changes/react.ts';
import { showConversation } from './conversations/list.ts';
import type { MessageDeps } from './deps.ts';
import { writeNotice } from './notices.ts';
import { pinMessage, unpinMessage } from './pins.ts';
import { selectRetention, upsertLifetime } from './retention/queries.ts';
import { viewMessage } from './view.ts';

/** Editing, deleting, reactions and pins, which are not in the API's contract. */
export function changeChatRoutes(deps: MessageDeps) {
  return serve(CHAT, {
    'PATCH /conversations/:conversationId/messages/:msgId': async ({ person: { accountId }, params, body }) =>
      viewMessage(deps.keyring, await editMessage(deps, { accountId, ...params }, () => body.text)),
    'DELETE /conversations/:conversationId/messages/:msgId': async ({ person: { accountId }, params }) => {
      await deleteMessage(deps, { accountId, ...params });
      return params;
    },
    'PUT /conversations/:conversationId/messages/:msgId/reactions': ({
      person: { accountId },
      params,
      body,
    }) => reactToMessage(deps, { accountId, ...params }, readEmoji(body.emoji)),
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
    'POST /conversations/:conversationId/messages/:msgId/hide': async ({ person: { accountId }, params }) => {
      await hideMessage(deps, { accountId, ...params });
      return params;
    },
  });
}

/**
 * Changes how long the messages of a conversation are kept, existing ones included. Either side of a private
 * conversation may change it, and an administrator of a group. A notice in the thread announces it.
 *
 * @param days undefined for the setting of the server
 * @throws ApiError 404; 403 for a member of the group, and blocked
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
    const { bucket, topics, retentionRefusal } = found;
    if (retentionRefusal) throw retentionRefusal;
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
