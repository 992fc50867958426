import { Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
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
import { matching } from '../conversations/filter.ts';
import { avatarOf } from '../conversations/names.ts';
import { inOrder } from '../conversations/order.ts';
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
  const [typed, setTyped] = useState('');
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
          const found = matching(open, typed, (one) => avatarOf(one).name);
          if (open.length === 0 && !nextCursor) return <Text size="sm">{t('chat.forward.nobody')}</Text>;
          return (
            <Stack gap="xs">
              <TextInput
                type="search"
                aria-label={t('chat.forward.find')}
                placeholder={t('chat.forward.find')}
                leftSection={<IconSearch size={16} />}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                data-autofocus
              />
              <Choices
                label={t('chat.forward.to')}
                choices={found.map((one) => ({ id: one.conversationId, avatar: avatarOf(one) }))}
                chosen={chosen.map(({ conversationId }) => conversationId)}
                onChange={(ids) =>
                  setChosen(
                    ids.flatMap((id) => open.find(({ conversationId }) => conversationId === id) ?? []),
                  )
                }
                none={t('chat.forward.none')}
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
