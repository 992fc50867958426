import { Button, Checkbox, Group, ScrollArea, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { ChatMessage, Conversation } from '#contract/chat.ts';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { matching } from '../conversations/filter.ts';
import { avatarOf } from '../conversations/names.ts';
import { inOrder } from '../conversations/order.ts';
import { conversationsQuery, readMoreConversations } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './forward.module.css';
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
      <Targets chosen={chosen} onChange={setChosen} />
      <Switch
        label={t('chat.forward.namesAuthor')}
        checked={!isAnonymous}
        onChange={(event) => setAnonymous(!event.currentTarget.checked)}
      />
    </FormDialog>
  );
}

/** The conversations in which the person may write. */
function Targets({
  chosen,
  onChange,
}: {
  chosen: readonly Conversation[];
  onChange: (chosen: Conversation[]) => void;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const more = useMutation({ mutationFn: () => readMoreConversations(client), onError: showError });
  return (
    <QueryView query={useQuery(conversationsQuery)}>
      {(list) => {
        const open = inOrder(list.conversations).filter(({ mayWrite }) => mayWrite);
        const found = matching(open, typed, (one) => avatarOf(one).name);
        if (open.length === 0 && !list.nextCursor) return <Text size="sm">{t('chat.forward.nobody')}</Text>;
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
            <ScrollArea.Autosize mah={320} type="auto" offsetScrollbars="present">
              <ul className={classes.targets} aria-label={t('chat.forward.to')}>
                {found.map((one) => (
                  <li key={one.conversationId}>
                    <Target
                      conversation={one}
                      isChosen={chosen.some(({ conversationId }) => conversationId === one.conversationId)}
                      onChoose={(isChosen) => {
                        const rest = chosen.filter((other) => other.conversationId !== one.conversationId);
                        onChange(isChosen ? [...rest, one] : rest);
                      }}
                    />
                  </li>
                ))}
              </ul>
              {found.length === 0 && <Text size="sm">{t('chat.forward.none')}</Text>}
              {list.nextCursor && (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  loading={more.isPending}
                  onClick={() => more.mutate(undefined)}
                >
                  {t('ui.common.loadMore')}
                </Button>
              )}
            </ScrollArea.Autosize>
            <Text size="xs" c="dimmed" aria-live="polite">
              {t('chat.forward.chosen', { count: chosen.length })}
            </Text>
          </Stack>
        );
      }}
    </QueryView>
  );
}

function Target({
  conversation,
  isChosen,
  onChoose,
}: {
  conversation: Conversation;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
}) {
  const { name, ...avatar } = avatarOf(conversation);
  return (
    <Checkbox
      className={classes.target ?? ''}
      checked={isChosen}
      onChange={(event) => onChoose(event.currentTarget.checked)}
      label={
        <Group gap="sm" wrap="nowrap">
          <Avatar name={name} {...avatar} size={32} />
          <Text span truncate>
            {name}
          </Text>
        </Group>
      }
    />
  );
}
