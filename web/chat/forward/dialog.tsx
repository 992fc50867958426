import { Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { tell } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Choices } from '../conversations/choices.tsx';
import { inOrder } from '../conversations/filter.ts';
import { conversationsQuery } from '../conversations/queries.ts';
import { forward } from './forward.ts';

/** Chooses the conversations to forward messages to. */
export default function ForwardDialog({
  messages,
  onClose,
}: {
  messages: readonly ChatMessage[];
  onClose: (isSent: boolean) => void;
}) {
  const t = useTexts();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly Conversation[]>([]);
  // Those in which the person may write.
  const list = useQuery(conversationsQuery);
  const [isAnonymous, setAnonymous] = useState(false);
  return (
    <FormDialog
      onClose={() => onClose(false)}
      title={t('chat.forward.title', { count: messages.length })}
      submit={t('chat.forward.send')}
      disabled={chosen.length === 0}
      onSubmit={() => {
        if (chosen.length === 0) return;
        forward(messages, chosen, { isAnonymous });
        tell(t('chat.forward.sent'));
        onClose(true);
        const [only] = chosen;
        if (only && chosen.length === 1) navigate(`/c/${only.conversationId}`);
      }}
    >
      <QueryView query={list}>
        {({ conversations, nextCursor }) => {
          const open = inOrder(conversations).filter(({ mayWrite }) => mayWrite);
          if (open.length === 0 && !nextCursor) return <Text size="sm">{t('chat.forward.nobody')}</Text>;
          return (
            <Stack gap="xs">
              <Choices
                label={t('chat.forward.to')}
                find={t('chat.forward.find')}
                none={t('chat.forward.none')}
                conversations={open}
                chosen={chosen}
                onChange={setChosen}
                hasMore={nextCursor !== undefined}
              />
              <Dimmed size="xs" aria-live="polite">
                {t('chat.forward.chosen', { count: chosen.length })}
              </Dimmed>
            </Stack>
          );
        }}
      </QueryView>
      <Switch
        label={t('chat.forward.namesAuthor')}
        checked={!isAnonymous}
        onChange={(event) => setAnonymous(!event.currentTarget.checked)}
      />
    </FormDialog>
  );
}
