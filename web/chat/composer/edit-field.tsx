import { CloseButton, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { editableLength } from '#contract/rights.ts';
import { callChat } from '../../ui/api.ts';
import { useAction } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { apply } from '../frame/follow.ts';
import { SendButton } from '../parts/send-button.tsx';
import classes from './composer.module.css';
import { hasTouchKeyboard } from './touch.ts';
import { useFormatting } from './use-formatting.ts';

/** The field for editing the text or caption of a sent message. */
export function EditField({ message, onDone }: { message: ChatMessage; onDone: () => void }) {
  const t = useTexts();
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const before = message.content ?? message.caption ?? '';
  const [text, setText] = useState(before);
  const { formatByKey } = useFormatting(field, text, setText);
  const limit = editableLength(message.type) ?? 0;
  const maySave = codePoints(text) <= limit && (message.type !== 'text' || text.trim() !== '');
  const { conversationId, msgId } = message;
  const saving = () =>
    callChat('PATCH /conversations/:conversationId/messages/:msgId', {
      params: { conversationId, msgId },
      body: { text: text.trim() },
    });
  const edit = useAction(saving, {
    onSuccess: (data) => apply(client, { type: 'message.changed', data }),
  });
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  // Not for a field that is gone: another message may be edited by then.
  const save = () => {
    if (text.trim() === before) onDone();
    else if (maySave && !edit.isPending) edit.mutate(undefined, { onSuccess: onDone });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    formatByKey(event);
    if (event.key === 'Escape') {
      event.stopPropagation();
      onDone();
    } else if (event.key === 'Enter' && !event.shiftKey && !hasTouchKeyboard()) {
      event.preventDefault();
      save();
    }
  };
  return (
    <Form gap={0} onSubmit={save}>
      <section className={classes.quote} aria-label={t('chat.composer.editing')}>
        <div>
          <b className="one-line">{t('chat.composer.editing')}</b>
          <span className="one-line">{before}</span>
        </div>
        <CloseButton aria-label={t('chat.composer.noEdit')} onClick={onDone} />
      </section>
      <div className={classes.line}>
        <Textarea
          ref={field}
          flex={1}
          miw={0}
          aria-label={t('chat.composer.editing')}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
          minRows={1}
          maxRows={8}
          radius="lg"
          size="md"
          dir="auto"
        />
        <SendButton aria-label={t('ui.common.save')} disabled={!maySave} loading={edit.isPending}>
          <IconCheck size={20} />
        </SendButton>
      </div>
      {codePoints(text) > limit - 300 && <LengthHint text={text} limit={limit} />}
    </Form>
  );
}
