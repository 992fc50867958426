import { Button, Group } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ChatMessage, ShownQuickReplies } from '#contract/chat.ts';
import { callChat } from '../../../ui/api.ts';
import { showError } from '../../../ui/parts/faults.tsx';
import { isSecondTap } from '../../../ui/parts/second-tap.ts';
import { uniqueId } from '../../../ui/secure-context.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { shownUrl } from '../../../ui/shown-url.ts';
import { useTexts } from '../../../ui/texts.ts';
import { showMessage } from '../../frame/follow.ts';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';

/** The buttons below a message of a bot: each writes an answer, or opens a page. */
export function QuickReplies({
  message: { conversationId, msgId, mentionedUserIds = [] },
  buttons,
  mentionedOnly = false,
}: ShownQuickReplies & { message: ChatMessage }) {
  const t = useTexts();
  const client = useQueryClient();
  const { accountId } = useAccount();
  const { mayWrite, isGroup } = useThread();
  const isMine = !isGroup || !mentionedOnly || mentionedUserIds.includes(accountId);
  /** The same for each try of a press, so that an answer is written once. */
  const keys = useRef(new Map<number, string>());
  const press = useMutation({
    mutationFn: (button: number) => {
      const key = keys.current.get(button) ?? uniqueId();
      keys.current.set(button, key);
      return callChat('POST /conversations/:conversationId/messages/:msgId/quick-replies', {
        params: { conversationId, msgId },
        body: { button },
        idempotencyKey: key,
      });
    },
    onSuccess: (answer, button) => {
      keys.current.delete(button);
      return showMessage(client, answer);
    },
    onError: showError,
  });
  return (
    <Group
      component="fieldset"
      gap={6}
      mx={0}
      my={6}
      p={0}
      bd={0}
      miw={0}
      maw="100%"
      aria-label={t('chat.message.answers')}
    >
      {buttons.map(({ label, url }, i) => {
        const key = i;
        const common = {
          size: 'compact-md',
          variant: 'light',
          radius: 'md',
          maw: '100%',
          h: 'auto',
          className: classes.answer ?? '',
          py: 4,
          lh: 1.3,
          styles: { label: { whiteSpace: 'normal', textAlign: 'start', overflowWrap: 'anywhere' } },
        } as const;
        if (url !== undefined) {
          return (
            <Button
              key={key}
              {...common}
              component="a"
              href={url}
              title={shownUrl(url)}
              target="_blank"
              rel="noopener noreferrer nofollow"
              rightSection={<IconExternalLink size={14} aria-hidden="true" />}
            >
              {label}
            </Button>
          );
        }
        return (
          <Button
            key={key}
            {...common}
            disabled={!mayWrite || !isMine}
            loading={press.isPending && press.variables === i}
            onClick={(event) => isSecondTap(event) || press.isPending || press.mutate(i)}
          >
            {label}
          </Button>
        );
      })}
    </Group>
  );
}
