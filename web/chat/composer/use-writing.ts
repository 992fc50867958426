import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { quoteOf } from '#contract/chat/quotes.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { useAccount } from '../../ui/session/session.ts';
import type { OpenConversation } from '../conversations/queries.ts';
import type { Draft } from '../outbox/draft-store.ts';
import { keepDraft, leaveDraft, readDraft, useDraftFromElsewhere } from '../outbox/drafts.ts';
import { keepFile } from '../outbox/files.ts';
import { outbox } from '../outbox/outbox.ts';
import type { Unsent } from '../outbox/store.ts';

export interface Writing {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  quote: (message: ChatMessage) => void;
  /** The message that is being edited; the draft is kept meanwhile. */
  edited: ChatMessage | undefined;
  edit: (message: ChatMessage | undefined) => void;
  /** Sends a message; the quote is taken from the draft, which is cleared if `endsDraft`. */
  send: (
    content: Unsent['content'],
    options?: {
      endsDraft?: boolean;
      mentionedUserIds?: string[];
      /** The file to upload first: the content does not name it yet. */
      file?: File;
    },
  ) => void;
}

/**
 * The draft of a conversation; it survives leaving the page and is synchronised between devices.
 *
 * @param shown the messages of the thread that are loaded
 */
export function useWriting(
  { conversationId, kind, peer, finding }: OpenConversation,
  shown: readonly ChatMessage[] | undefined,
): Writing {
  const { accountId } = useAccount();
  const [draft, setDraft] = useState(() => readDraft(accountId, conversationId));
  const [edited, setEdited] = useState<ChatMessage>();
  const latest = useRef(draft);

  const replace = useCallback(
    (next: Draft) => {
      latest.current = next;
      setDraft(next);
      keepDraft(conversationId, finding ? { ...next, finding } : next);
    },
    [conversationId, finding],
  );
  useEffect(() => leaveDraft, []);
  const readAgain = useCallback(() => {
    latest.current = readDraft(accountId, conversationId);
    setDraft(latest.current);
  }, [accountId, conversationId]);
  useDraftFromElsewhere(conversationId, readAgain);
  const change = useCallback((part: Partial<Draft>) => replace({ ...latest.current, ...part }), [replace]);
  const quote = useCallback(
    (message: ChatMessage) => {
      change({ quote: quoteOf(message) });
      setEdited(undefined);
    },
    [change],
  );
  // The server would refuse to quote or to edit what was deleted meanwhile.
  const isDeleted = (msgId = '') => shown?.find((one) => one.msgId === msgId)?.type === 'deleted';
  const [isQuoteGone, isEditedGone] = [isDeleted(draft.quote?.msgId), isDeleted(edited?.msgId)];
  useEffect(() => {
    if (isQuoteGone) change({ quote: undefined });
    if (isEditedGone) setEdited(undefined);
  }, [isQuoteGone, isEditedGone, change]);
  const to = peer?.userId ?? '';
  const send = useCallback<Writing['send']>(
    (content, { endsDraft = false, mentionedUserIds = [], file } = {}) => {
      const { quote: quoted } = latest.current;
      outbox.add({
        conversationId,
        target:
          kind === 'private'
            ? { to }
            : { groupId: conversationId, ...(mentionedUserIds.length > 0 && { mentionedUserIds }) },
        content: { ...content, ...(quoted && { replyToMsgId: quoted.msgId }) },
        ...(quoted && { quote: quoted }),
        ...(file && { file: keepFile(file) }),
      });
      replace(endsDraft ? { text: '' } : { ...latest.current, quote: undefined });
    },
    [conversationId, kind, to, replace],
  );
  return useMemo(
    () => ({ draft, change, quote, edited, edit: setEdited, send }),
    [draft, change, quote, edited, send],
  );
}
