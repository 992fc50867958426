import { ActionIcon, CloseButton, Textarea } from '@mantine/core';
import { IconSend2 } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { QuotedWords } from '../message/quote.tsx';
import { usePeople } from '../thread/people.ts';
import classes from './composer.module.css';
import { composerTexts } from './texts.ts';
import type { Writing } from './use-writing.ts';

/** From here on it is worth saying how much room is left. */
const NEARLY_FULL = LIMITS.textLength - 300;

/** The field for texts, with what it quotes above it. */
export function Field({
  conversation: { conversationId },
  writing: { draft, change, send },
}: {
  conversation: Conversation;
  writing: Writing;
}) {
  const t = useTexts(composerTexts);
  const field = useRef<HTMLTextAreaElement>(null);
  const people = usePeople(conversationId);
  const { text, quote } = draft;
  const length = codePoints(text);
  const maySend = text.trim() !== '' && length <= LIMITS.textLength;
  const quotedMsgId = quote?.msgId;
  useEffect(() => {
    if (quotedMsgId) field.current?.focus();
  }, [quotedMsgId]);
  const submit = () => {
    if (!maySend) return;
    send({ type: 'text', content: text.trim() }, { endsDraft: true });
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    // On a screen keyboard there is no other way to a new line.
    if (matchMedia('(pointer: coarse)').matches) return;
    event.preventDefault();
    submit();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {quote && (
        <section className={classes.quote} aria-label={t.quoting}>
          <div>
            <QuotedWords quote={quote} people={people} />
          </div>
          <CloseButton aria-label={t.noQuote} onClick={() => change({ quote: undefined })} />
        </section>
      )}
      <div className={classes.line}>
        <Textarea
          ref={field}
          className={classes.field}
          aria-label={t.write}
          placeholder={t.write}
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
          onKeyDown={onKeyDown}
          autosize
          minRows={1}
          maxRows={8}
          radius="lg"
          size="md"
          dir="auto"
        />
        <ActionIcon type="submit" size={42} radius="xl" aria-label={t.send} disabled={!maySend}>
          <IconSend2 size={20} />
        </ActionIcon>
      </div>
      {length > NEARLY_FULL && <LengthHint text={text} limit={LIMITS.textLength} />}
    </form>
  );
}
