import { plainText } from '#contract/formatting.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Notification, Push } from '#features/push/index.ts';
import type { Platform } from '#platform/platform.ts';
import { selectWanting } from '../access/queries.ts';
import type { Draft, NewMessage } from '../content.ts';

export type NotifyDeps = Platform & { accounts: Accounts; groups: Groups; push: Push };

type Written = Draft & NewMessage;

/**
 * Notifies the browsers of the recipients of a new message; the sender neither waits for that nor learns of
 * failures.
 */
export function notifyPeople(deps: NotifyDeps, message: Written): void {
  if (!deps.push.notifier.isUsed) return;
  void notify(deps, message).catch((err) => deps.log.warn({ err }, 'nobody was notified of a message'));
}

async function notify(deps: NotifyDeps, message: Written): Promise<void> {
  const { db, push } = deps;
  if (!(await push.notifier.isUsed)) return;
  const { conversationId, msgId, senderId, sentAt: at, content } = message;
  const mentionedUserIds = content.body.mentionedUserIds ?? [];
  const people = (await findPeople(deps, message)).filter((accountId) => accountId !== senderId);
  if (people.length === 0) return;
  await push.notifier.tell(people, at, async (reachable) => ({
    to: await selectWanting(db, reachable, { conversationId, msgId, mentionedUserIds, at }),
    notification: await describe(deps, message),
  }));
}

async function findPeople({ groups }: NotifyDeps, { kind, bucket, conversationId, topics }: Written) {
  if (kind === 'private') return [...topics];
  return groups.findPeople([{ bucket, groupId: conversationId }]);
}

async function describe({ accounts, groups }: NotifyDeps, message: Written): Promise<Notification> {
  const { kind, bucket, conversationId, msgId, senderId, content } = message;
  const { type, body } = content;
  const [sender] = await accounts.findAll([senderId]);
  const [group] = kind === 'group' ? await groups.find([{ bucket, groupId: conversationId }]) : [];
  const name = sender?.name ?? '';
  const text = body.content ?? body.caption ?? body.poll?.question ?? body.location?.name ?? '';
  const labels = (body.quickReplies?.buttons ?? []).map(({ label }) => `[${label}]`);
  return {
    conversationId,
    msgId,
    title: group?.name ?? name,
    ...(group && { sender: name }),
    kind: type,
    text: [sender?.plainText ? text : plainText(text), ...labels].join(' '),
    isUrgent: kind === 'private',
  };
}
