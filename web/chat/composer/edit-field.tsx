import { CloseButton, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { editableLength } from '#contract/rights.ts';
import { useAction } from '../../ui/parts/change.ts';
import { Form } from '../../ui/parts/form.tsx';
import { codePoints, LengthHint } from '../../ui/parts/length-hint.tsx';
import { useTexts } from '../../ui/texts.ts';
import { apply } from '../frame/follow.ts';
import { editMessage } from '../message/changes.ts';
import { SendButton } from '../parts/send-button.tsx';
import classes from './composer.module.css';
import { formatted, markOf } from './marks.ts';
import { hasTouchKeyboard } from './touch.ts';
import { useSelection } from './use-selection.ts';

/** The field for editing the text or caption of a sent message. */
export function EditField({ message, onDone }: { message: ChatMessage; onDone: () => void }) {
  const t = useTexts();
  const client = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const select = useSelection(field);
  const before = message.content ?? message.caption ?? '';
  const [text, setText] = useState(before);
  const limit = editableLength(message.type) ?? 0;
  const maySave = codePoints(text) <= limit && (message.type !== 'text' || text.trim() !== '');
  const edit = useAction(() => editMessage(message, text.trim()), {
    onSuccess: (data) => {
      apply(client, { type: 'message.changed', data });
      onDone();
    },
  });
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const save = () => {
    if (text.trim() === before) onDone();
    else if (maySave && !edit.isPending) edit.mutate(undefined);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const mark = markOf(event);
    if (mark !== undefined) {
      event.preventDefault();
      const { selectionStart: start, selectionEnd: end } = event.currentTarget;
      const marked = formatted({ text, start, end }, mark);
      setText(marked.text);
      select(marked.start, marked.end);
    }
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
