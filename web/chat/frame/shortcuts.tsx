import { Group, Kbd, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useMatch, useNavigate } from 'react-router';
import { isArchivedAt } from '#contract/rights.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { useTexts } from '../../ui/texts.ts';
import { neighbour } from '../conversations/filter.ts';
import { FILTER_ID } from '../conversations/list.tsx';
import { inOrder } from '../conversations/order.ts';
import { conversationsQuery } from '../conversations/queries.ts';

/** The global keyboard shortcuts, and their list. */
export function Shortcuts() {
  const t = useTexts();
  const client = useQueryClient();
  const navigate = useNavigate();
  const openId = useMatch('/c/:conversationId/*')?.params.conversationId;
  const [isOpen, setOpen] = useState(false);
  const wantsFilter = useRef(false);
  useEffect(() => {
    if (openId !== undefined || !wantsFilter.current) return;
    wantsFilter.current = false;
    document.getElementById(FILTER_ID)?.focus();
  }, [openId]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        const filter = document.getElementById(FILTER_ID);
        if (filter?.offsetParent) return filter.focus();
        // On a phone, the list is the screen that this one was opened from.
        wantsFilter.current = true;
        navigate('/');
      } else if (altKey && !ctrlKey && (key === 'ArrowUp' || key === 'ArrowDown')) {
        event.preventDefault();
        const known = client.getQueryData(conversationsQuery.queryKey)?.conversations ?? [];
        const list = inOrder(known).filter((one) => !isArchivedAt(one, Date.now()));
        const next = neighbour(list, openId, key === 'ArrowDown' ? 1 : -1);
        if (next) navigate(`/c/${next.conversationId}`);
      } else if (key === '?' && !isField(target)) setOpen(true);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [client, navigate, openId]);
  const shortcuts: [string[], string][] = [
    [['Ctrl', 'K'], t('chat.frame.keyFilter')],
    [['Alt', '↑'], t('chat.frame.keyPrevious')],
    [['Alt', '↓'], t('chat.frame.keyNext')],
    [['Enter'], t('chat.frame.keySend')],
    [['Shift', 'Enter'], t('chat.frame.keyLine')],
    [['↑'], t('chat.frame.keyEdit')],
    [['Ctrl', 'B'], t('chat.frame.keyBold')],
    [['Ctrl', 'I'], t('chat.frame.keyItalic')],
    [['Esc'], t('chat.frame.keyCancel')],
    [['?'], t('chat.frame.shortcuts')],
  ];
  return (
    <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('chat.frame.shortcuts')} centered>
      <Stack gap="xs">
        {shortcuts.map(([keys, text]) => (
          <Group key={text} justify="space-between" wrap="nowrap">
            <Text size="sm">{text}</Text>
            <Group gap={4} wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;
}
