import { viewPeer } from '#features/accounts/index.ts';
import type { GroupNotice } from '#features/groups/index.ts';
import type { Tx } from '#platform/database.ts';
import { withBody } from './content.ts';
import type { MessageDeps } from './deps.ts';
import { insertMessages } from './insert-queries.ts';
import { viewMessage } from './view.ts';

/**
 * A notice in the thread about its group or private conversation. It is stored like a message, but has no
 * author: it raises no event, does not count as unread and cannot be quoted.
 *
 * @returns shows it on open pages, after the commit
 */
export async function writeNotice(
  tx: Tx,
  { keyring, live, newId, accounts }: MessageDeps,
  { bucket, groupId, topics = [groupId] }: { bucket: number; groupId: string; topics?: readonly string[] },
  { from, at, ...notice }: GroupNotice,
): Promise<() => void> {
  const unsealed = {
    bucket,
    conversationId: groupId,
    msgId: newId('msg'),
    senderId: from,
    type: 'notice',
    body: Buffer.alloc(0),
    bodyKeyId: 0,
    replyToMsgId: null,
    sentAt: at,
  };
  const row = withBody(keyring, unsealed, { notice });
  await insertMessages(tx, [row]);
  const message = viewMessage(keyring, row);
  return () => {
    for (const topic of topics)
      live.publish(topic, async () => {
        const named = await accounts.findAll([from, ...(notice.userIds ?? [])]);
        return { type: 'message', data: { ...message, people: named.map(viewPeer) } };
      });
  };
}
