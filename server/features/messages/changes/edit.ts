import type { EventMessage } from '#contract/webhooks/events.ts';
import { failedPrecondition } from '#platform/errors.ts';
import type { BotMessage } from '../access/bot-conversation.ts';
import { inChangedConversation } from '../access/changed-conversation.ts';
import type { OwnMessage } from '../access/own-conversation.ts';
import { openBodyIfReadable, withBody } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { lockMessage, type MessageRow, updateBody } from '../queries.ts';
import { receiversOf } from '../quiet-bots.ts';
import { keepIfHeld } from '../retention/queries.ts';
import { refuseMissing } from '../rules.ts';
import { viewMessage } from '../view.ts';
import { refuseText, refuseToEdit } from './rules.ts';

/**
 * A person or a bot changes the text or caption of a message of theirs (docs/decisions/0056-messages-that-change.md).
 * Delivered events are not sent again; pending events get the new text, and applications that chose it an event of the edit.
 *
 * @param textOf reads the new text for a message of this type
 * @throws ApiError 404 conversation or message, 403 somebody else's or blocked, 400 text, no text to change, forwarded, too old
 */
export async function editMessage(
  deps: MessageDeps,
  { msgId, ...own }: OwnMessage | BotMessage,
  textOf: (type: string) => string,
): Promise<MessageRow> {
  const { keyring, clock, live, webhooks } = deps;
  const { accountId, conversationId } = own;
  const isBot = 'isBot' in own;
  if (!isBot) await deps.accounts.limits.messages.count(accountId);
  const now = clock.now();
  const { changed, topics, announce } = await inChangedConversation(
    deps,
    own,
    'shared',
    async (tx, found) => {
      const { bucket, bots, shownAs, refusal, topics } = found;
      const key = { bucket, conversationId, msgId };
      const message = await lockMessage(tx, key);
      const row = message as MessageRow;
      const refused = refuseMissing(message) ?? refuseToEdit(row, { accountId, isBot, now }) ?? refusal;
      if (refused) throw refused;
      const text = textOf(row.type);
      const unfit = refuseText(row.type, text);
      if (unfit) throw unfit;
      const opened = openBodyIfReadable(keyring, row);
      if (!opened) throw failedPrecondition('message.unreadable');
      if (opened.forwardedFrom) throw failedPrecondition('message.forwarded');
      const { caption: _, ...body } = opened;
      const said = row.type === 'text' ? { content: text } : { ...(text !== '' && { caption: text }) };
      const after = withBody(keyring, row, { ...body, ...said, editedAt: now });
      await keepIfHeld(tx, row, now);
      await updateBody(tx, after);
      const receivers = receiversOf(tx, keyring, row, bots);
      await webhooks.revise(tx, { ...row, ...receivers }, (data) => withText(data, text));
      const data = { msgId, ...shownAs, by: accountId };
      const announce = await webhooks.recordChosen(tx, [
        { bucket, ...receivers, type: 'message.edited', data, at: now },
      ]);
      return { changed: after, topics, announce };
    },
  );
  announce();
  const shown = viewMessage(keyring, changed);
  for (const topic of topics) live.publish(topic, { type: 'message.changed', data: shown });
  return changed;
}

/** The text of an event that is not sent yet, after the edit. */
function withText({ caption: _, ...data }: EventMessage, text: string): EventMessage {
  if (data.type === 'text') return { ...data, textMsg: text };
  return { ...data, ...(text !== '' && { caption: text }) };
}
