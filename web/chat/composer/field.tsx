import { ActionIcon, CloseButton, Textarea } from '@mantine/core';
import { IconMicrophone, IconMoodSmile, IconSend2 } from '@tabler/icons-react';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { serverNow } from '../../ui/clock.ts';
import { Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { type OpenConversation, ownId, ownProfileQuery } from '../conversations/queries.ts';
import { threadQuery } from '../history/queries.ts';
import { doneTyping, tellTyping } from '../live/typing.ts';
import { mayEdit } from '../message/changes.ts';
import { QuotedWords } from '../message/view/quote.tsx';
import { SendButton } from '../parts/send-button.tsx';
import type { AddFiles } from './album.ts';
import { Attachments } from './attachments.tsx';
import classes from './composer.module.css';
import { FormattingTools } from './formatting-tools.tsx';
import { mentionedIn, type Suggestion } from './suggest.ts';
import { SuggestionMenu, useSuggestions } from './suggestion-menu.tsx';
import { ToolPopover } from './tool-popover.tsx';
import { hasTouchKeyboard } from './touch.ts';
import { useFormatting } from './use-formatting.ts';
import type { Writing } from './use-writing.ts';

const EmojiPicker = lazy(() => import('../reactions/picker.tsx'));
const RecordVoice = lazy(() => import('../voice/record.tsx'));

/** From this length on, the remaining characters are shown. */
const NEARLY_FULL = LIMITS.textLength - 300;

/** The text field, with the quoted message above it and the attachment and voice buttons beside it. */
export function Field({
  conversation,
  writing: { draft, change, send, edit },
  addFiles,
}: {
  conversation: Conversation;
  writing: Writing;
  addFiles: AddFiles;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const menuId = useId();
  const { text, quote, mentioned = {} } = draft;
  const { select, format, formatByKey } = useFormatting(field, text, (after) => change({ text: after }));
  const [isRecording, setRecording] = useState(false);
  const [caret, setCaret] = useState(text.length);
  const suggestions = useSuggestions(conversation, text, caret);
  const { query, list, active } = suggestions;
  const sendsTyping = useSendsTyping(conversation);
  const length = codePoints(text);
  const maySend = text.trim() !== '' && length <= LIMITS.textLength;
  const quotedMsgId = quote?.msgId;
  useEffect(() => {
    // Focusing would open the on-screen keyboard; on touch devices, only a reply does.
    if (quotedMsgId || !hasTouchKeyboard()) field.current?.focus();
  }, [quotedMsgId]);
  const endRecording = () => {
    setRecording(false);
    if (!hasTouchKeyboard()) requestAnimationFrame(() => field.current?.focus());
  };

  const submit = (content = text.trim()) => {
    const mentionedUserIds = mentionedIn(content, mentioned).slice(0, LIMITS.mentions);
    send({ type: 'text', content }, { endsDraft: true, mentionedUserIds });
    doneTyping(conversation.conversationId);
    field.current?.focus();
  };
  const complete = ({ word, person }: Suggestion) => {
    if (!query) return;
    const begun = `${text.slice(0, query.start)}${word} `;
    change({
      text: begun + text.slice(caret).trimStart(),
      ...(person && { mentioned: { ...mentioned, [person.name]: person.userId } }),
    });
    setCaret(begun.length);
    select(begun.length);
  };
  const insert = (emoji: string) => {
    const end = caret + emoji.length;
    change({ text: text.slice(0, caret) + emoji + text.slice(caret) });
    setCaret(end);
    select(end);
  };
  const choose = (suggestion: Suggestion) =>
    suggestion.person ? complete(suggestion) : submit(suggestion.word);
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    formatByKey(event);
    const suggestion = list[active];
    if (suggestion && onMenuKey(event.key, suggestion)) return event.preventDefault();
    if (event.key === 'ArrowUp' && text === '' && !hasModifier(event)) {
      const last = lastEditable(client, conversation.conversationId);
      if (last) {
        event.preventDefault();
        return edit(last);
      }
    }
    if (event.key === 'Escape' && quote) {
      event.preventDefault();
      return change({ quote: undefined });
    }
    // On-screen keyboards have no Shift+Enter for a new line.
    if (event.key !== 'Enter' || event.shiftKey || hasTouchKeyboard()) return;
    event.preventDefault();
    if (maySend) submit();
  };
  const onMenuKey = (key: string, suggestion: Suggestion): boolean => {
    const acts: Record<string, () => void> = {
      ArrowDown: () => suggestions.move(1),
      ArrowUp: () => suggestions.move(-1),
      Enter: () => choose(suggestion),
      Tab: () => complete(suggestion),
      Escape: suggestions.dismiss,
    };
    acts[key]?.();
    return key in acts;
  };
  return (
    <Form
      gap={0}
      onSubmit={() => {
        if (maySend) submit();
      }}
    >
      {list.length > 0 && <SuggestionMenu id={menuId} suggestions={suggestions} onChoose={choose} />}
      {quote && (
        <section className={classes.quote} aria-label={t('chat.composer.quoting')}>
          <div>
            <QuotedWords quote={quote} />
          </div>
          <CloseButton aria-label={t('chat.composer.noQuote')} onClick={() => change({ quote: undefined })} />
        </section>
      )}
      {isRecording && (
        <Suspense>
          <RecordVoice onSend={send} onClose={endRecording} />
        </Suspense>
      )}
      <div className={classes.line} hidden={isRecording}>
        <Attachments conversation={conversation} addFiles={addFiles} onSend={send} />
        <Textarea
          ref={field}
          flex={1}
          miw={0}
          aria-label={t('chat.composer.write')}
          placeholder={t('chat.composer.write')}
          value={text}
          onChange={({ currentTarget }) => {
            change({ text: currentTarget.value });
            if (sendsTyping && currentTarget.value.trim() !== '') tellTyping(conversation.conversationId);
            setCaret(currentTarget.selectionStart);
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files];
            // Office programs add a picture of the text.
            if (pasted.length === 0 || event.clipboardData.types.includes('text/rtf')) return;
            event.preventDefault();
            addFiles(pasted);
          }}
          rightSection={<FormattingTools onFormat={format} onClose={() => field.current?.focus()} />}
          rightSectionProps={{ className: classes.help ?? '' }}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          {...(list.length > 0 && {
            'aria-controls': menuId,
            'aria-activedescendant': `${menuId}-${active}`,
          })}
          minRows={1}
          // The placeholder stays in one line.
          maxRows={text === '' ? 1 : 8}
          classNames={{ input: classes.field ?? '' }}
          radius="lg"
          size="md"
          dir="auto"
        />
        <ToolPopover
          label={t('chat.composer.emoji')}
          icon={<IconMoodSmile size={22} stroke={1.5} />}
          size={42}
          visibleFrom="sm"
          width={352}
          onClose={() => field.current?.focus()}
        >
          {(close) => (
            <Suspense>
              <EmojiPicker
                onChoose={(emoji) => {
                  insert(emoji);
                  close();
                }}
              />
            </Suspense>
          )}
        </ToolPopover>
        {text.trim() === '' ? (
          <ActionIcon
            size={42}
            radius="xl"
            aria-label={t('chat.composer.record')}
            onClick={() => setRecording(true)}
          >
            <IconMicrophone size={22} stroke={1.5} />
          </ActionIcon>
        ) : (
          <SendButton aria-label={t('chat.composer.send')} disabled={!maySend}>
            <IconSend2 size={20} />
          </SendButton>
        )}
      </div>
      {length > NEARLY_FULL && <LengthHint text={text} limit={LIMITS.textLength} />}
    </Form>
  );
}

function hasModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

/** The person's latest message that can still be edited, if the end of the thread is loaded. */
function lastEditable(client: QueryClient, conversationId: string): ChatMessage | undefined {
  const shown = client.getQueryData(threadQuery(conversationId).queryKey);
  if (!shown || shown.hasNewer) return undefined;
  const accountId = ownId(client);
  return shown.messages.findLast((message) => mayEdit(message, accountId, serverNow()));
}

/** Whether typing is announced: not to bots, nor to subscribers of a broadcast list. Until the profile is loaded, the server decides. */
function useSendsTyping({ peer, group, isNew = false }: OpenConversation): boolean {
  const isOn =
    useQuery({ ...ownProfileQuery, select: ({ typingIndicators }) => typingIndicators }).data !== false;
  return isOn && !isNew && !(peer?.isBot ?? group?.isBroadcast);
}
