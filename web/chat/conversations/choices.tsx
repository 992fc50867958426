import {
  Badge,
  Button,
  Checkbox,
  Group,
  ScrollArea,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { runs, useAction } from '../../ui/parts/change.ts';
import { useTexts } from '../../ui/texts.ts';
import { Avatar } from '../media/avatar.tsx';
import classes from './choices.module.css';
import { matching } from './filter.ts';
import { avatarOf } from './names.ts';
import { readMoreConversations } from './queries.ts';

/** A list to choose from by the loaded conversations, with a search by name, and a button that loads more of them. */
export function Choices<C extends Conversation>({
  label,
  find,
  none,
  marksBots = false,
  conversations,
  chosen,
  onChange,
  hasMore,
}: {
  label?: string;
  /** The label of the search. */
  find: string;
  /** Said where nothing matches. */
  none: string;
  marksBots?: boolean;
  conversations: readonly C[];
  chosen: readonly C[];
  onChange: (chosen: C[]) => void;
  hasMore: boolean;
}) {
  const t = useTexts();
  const client = useQueryClient();
  const more = useAction(() => readMoreConversations(client));
  const [typed, setTyped] = useState('');
  const found = matching(conversations, typed, (one) => avatarOf(one).name);
  return (
    <Stack gap="xs">
      <TextInput
        type="search"
        aria-label={find}
        placeholder={find}
        leftSection={<IconSearch size={16} />}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah={280} type="auto" offsetScrollbars="present">
        <SimpleGrid component="ul" spacing={2} aria-label={label}>
          {found.map((one) => {
            const { conversationId: id } = one;
            const avatar = avatarOf(one);
            const others = chosen.filter(({ conversationId }) => conversationId !== id);
            return (
              <li key={id}>
                <Checkbox
                  className={classes.choice ?? ''}
                  checked={others.length < chosen.length}
                  onChange={({ currentTarget: { checked } }) => onChange(checked ? [...others, one] : others)}
                  label={
                    <Group gap="sm" wrap="nowrap">
                      <Avatar {...avatar} size={32} />
                      <Text span truncate>
                        {avatar.name}
                      </Text>
                      {marksBots && one.peer?.isBot && (
                        <Badge color="gray" size="sm" flex="none">
                          {t('chat.group.bot')}
                        </Badge>
                      )}
                    </Group>
                  }
                />
              </li>
            );
          })}
        </SimpleGrid>
        {found.length === 0 && <Text size="sm">{none}</Text>}
        {hasMore && (
          <Button variant="subtle" size="compact-sm" {...runs(more)}>
            {t('ui.common.loadMore')}
          </Button>
        )}
      </ScrollArea.Autosize>
    </Stack>
  );
}
