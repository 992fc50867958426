import { V1 } from '#contract/api/v1.ts';
import type { StoredMessage } from '#contract/webhooks/events.ts';
import { eventMessage } from '#features/webhooks/index.ts';
import { failedPrecondition } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { type BotConversation, findBotConversation } from './access/bot-conversation.ts';
import { deleteMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { readEdit } from './changes/rules.ts';
import { type MessageContent, openBodyIfReadable, publicContent } from './content.ts';
import { showProfileToBot } from './conversations/profiles.ts';
import type { MessageDeps } from './deps.ts';
import type { MessageRow } from './queries.ts';
import { tellTyping } from './receipts/chat.ts';

/** Calls of bots besides sending (extensions of the contract). */
export function botRoutes(deps: MessageDeps) {
  const find = (botId: string, conversationId: string) => findBotConversation(deps, botId, conversationId);
  return [
    serve(V1, {
      'GET /v1/people/:userId': ({ actor, params }) => showProfileToBot(deps, actor.accountId, params.userId),
      'POST /v1/messages/typing': async ({ actor, body }) => {
        await tellTyping(deps, await find(actor.accountId, body.conversationId));
        return { sent: true as const };
      },
      'PATCH /v1/messages/:msgId': async ({ actor, params, body }) => {
        const conversation = await find(actor.accountId, body.conversationId);
        const row = await editMessage(deps, { ...conversation, ...params }, (type) => readEdit(type, body));
        return viewStored(deps, conversation, row);
      },
      'DELETE /v1/messages/:msgId': async ({ actor, params, body }) => {
        await deleteMessage(deps, { ...(await find(actor.accountId, body.conversationId)), ...params });
        return { deleted: true as const };
      },
    }),
  ];
}

/**
 * A message as its bot sees it: what an event says of it, with uploads as links to this server.
 *
 * @throws ApiError 400 if it cannot be read
 */
function viewStored(
  { config, keyring }: Pick<Platform, 'config' | 'keyring'>,
  { kind, accountId, conversationId, peerId }: BotConversation,
  row: MessageRow,
): StoredMessage {
  const body = openBodyIfReadable(keyring, row);
  if (!body) throw failedPrecondition('message.unreadable');
  const { msgId, senderId: from, sentAt, replyToMsgId } = row;
  const { mentionedUserIds = [], editedAt } = body;
  const content = { type: row.type as MessageContent['type'], body, replyToMsgId: replyToMsgId ?? undefined };
  return {
    ...eventMessage(
      publicContent(config, content),
      { msgId, from, sentAt },
      kind === 'private'
        ? { chatId: peerId as string }
        : {
            groupId: conversationId,
            mentionedUserIds,
            isMentioned: mentionedUserIds.includes(accountId),
          },
    ),
    ...(editedAt !== undefined && { editedAt }),
  };
}
