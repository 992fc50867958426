import { ActionIcon, Checkbox, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconArrowForwardUp, IconCopy, IconX } from '@tabler/icons-react';
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import type { ChatMessage } from '#contract/chat.ts';
import { tell } from '../../ui/parts/faults.tsx';
import { useReturnsFocus } from '../../ui/parts/use-returns-focus.ts';
import { mayCopy } from '../../ui/secure-context.ts';
import { useTexts } from '../../ui/texts.ts';
import { mayForward } from '../forward/forward.ts';
import classes from './thread.module.css';

/** The ids of the selected messages; undefined outside selection mode. */
export interface Selection {
  chosen: ReadonlyMap<string, ChatMessage> | undefined;
  toggle: (message: ChatMessage) => void;
  end: () => void;
}

export const SelectionContext = createContext<Selection>({
  chosen: undefined,
  toggle: () => {},
  end: () => {},
});

/** Escape closes them first. */
const LAYERS = '[role=dialog], [role=menu]';

/** The selection of several messages; Escape ends it. */
export function useSelection(): Selection {
  const [chosen, setChosen] = useState<ReadonlyMap<string, ChatMessage>>();
  const toggle = useCallback((message: ChatMessage) => {
    setChosen((known = new Map()) => {
      const others = new Map(known);
      if (!others.delete(message.msgId)) others.set(message.msgId, message);
      return others.size === 0 ? undefined : others;
    });
  }, []);
  const end = useCallback(() => setChosen(undefined), []);
  useReturnsFocus(chosen !== undefined);
  useWindowEvent('keydown', ({ key, defaultPrevented, target }) => {
    const isInLayer = target instanceof Element && target.closest(LAYERS) !== null;
    if (key === 'Escape' && !defaultPrevented && !isInLayer) end();
  });
  return useMemo(() => ({ chosen, toggle, end }), [chosen, toggle, end]);
}

/** The selection begins in the menu of a message, which is rendered anew with its checkbox. */
function takeLostFocus(checkbox: HTMLInputElement | null): void {
  if (checkbox?.checked && document.activeElement === document.body) checkbox.focus({ preventScroll: true });
}

/** A message or album, with a checkbox in selection mode. */
export function Selectable({ messages, children }: { messages: ChatMessage[]; children: ReactNode }) {
  const t = useTexts();
  const { chosen, toggle } = use(SelectionContext);
  const isOffered = chosen !== undefined && messages.length > 0;
  return (
    <div className={isOffered ? classes.selectable : undefined}>
      {isOffered && (
        <Checkbox
          ref={takeLostFocus}
          aria-label={t('chat.thread.choose')}
          aria-describedby={messages[0]?.msgId}
          checked={messages.some(({ msgId }) => chosen.has(msgId))}
          disabled={!messages.every(mayForward)}
          onChange={() => messages.forEach(toggle)}
        />
      )}
      <div>{children}</div>
    </div>
  );
}

/** The actions on the selected messages, in place of the header. */
export function SelectionBar({
  selection: { chosen, end },
  onForward,
}: {
  selection: Selection;
  onForward: (messages: ChatMessage[]) => void;
}) {
  const t = useTexts();
  const messages = [...(chosen?.values() ?? [])].sort((one, other) => (one.msgId < other.msgId ? -1 : 1));
  const texts = messages.flatMap(({ content, caption }) => content ?? caption ?? []);
  return (
    <header className={classes.head}>
      <ActionIcon size="lg" aria-label={t('chat.thread.endChoice')} onClick={end}>
        <IconX size={20} />
      </ActionIcon>
      <Text component="h1" size="md" fw={600} style={{ flex: 1 }} aria-live="polite">
        {t('chat.thread.chosen', { count: messages.length })}
      </Text>
      {mayCopy && texts.length > 0 && (
        <ActionIcon
          size="lg"
          aria-label={t('chat.thread.copyTexts')}
          onClick={() =>
            navigator.clipboard.writeText(texts.join('\n')).then(() => {
              tell(t('ui.common.copied'));
              end();
            })
          }
        >
          <IconCopy size={20} />
        </ActionIcon>
      )}
      <ActionIcon
        size="lg"
        variant="filled"
        color="parley"
        aria-label={t('chat.thread.forward')}
        onClick={() => onForward(messages)}
      >
        <IconArrowForwardUp size={20} />
      </ActionIcon>
    </header>
  );
}
