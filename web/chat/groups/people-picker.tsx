import { Badge, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { Choices } from '../conversations/choices.tsx';
import { matching } from '../conversations/filter.ts';
import { useKnown } from '../conversations/use-conversation.ts';

/** A picker of the people and bots that the person has conversations with. */
export function PeoplePicker({
  chosen,
  onChange,
  isLeftOut = () => false,
  empty,
}: {
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  isLeftOut?: (userId: string) => boolean;
  /** Shown where there is nobody to choose. */
  empty?: ReactNode;
}) {
  const t = useTexts();
  const [searched, setSearched] = useState('');
  const known = useKnown();
  return (
    <Stack gap="xs">
      <QueryView query={known}>
        {({ known, hasMore }) => {
          const people = known.filter(({ peer }) => !isLeftOut(peer.userId));
          const found = matching(people, searched, ({ peer }) => peer.name);
          if (people.length === 0 && !hasMore)
            return (
              <Stack>
                <Text size="sm">{t('chat.group.nobodyYet')}</Text>
                {empty}
              </Stack>
            );
          return (
            <>
              <Group justify="space-between" align="baseline">
                <Text size="sm" fw={600}>
                  {t('chat.group.members')}
                </Text>
                <Text
                  size="xs"
                  c={chosen.length > LIMITS.membersPerRequest ? 'red' : 'dimmed'}
                  aria-live="polite"
                >
                  {chosen.length > LIMITS.membersPerRequest
                    ? t('chat.group.tooMany', { most: LIMITS.membersPerRequest })
                    : t('chat.group.chosen', { count: chosen.length })}
                </Text>
              </Group>
              <Dimmed size="xs">{t('chat.group.membersLead')}</Dimmed>
              <TextInput
                aria-label={t('chat.group.searchPeople')}
                placeholder={t('chat.group.searchPeople')}
                leftSection={<IconSearch size={16} />}
                value={searched}
                data-autofocus
                onChange={(event) => setSearched(event.currentTarget.value)}
              />
              <Choices
                choices={found.map(({ peer: { userId, name, isBot, pictureUrl } }) => ({
                  id: userId,
                  avatar: { name, seed: userId, pictureUrl },
                  mark: isBot && (
                    <Badge color="gray" size="sm" flex="none">
                      {t('chat.group.bot')}
                    </Badge>
                  ),
                }))}
                chosen={chosen}
                onChange={onChange}
                none={t('chat.group.nobodyFound')}
                hasMore={hasMore}
              />
            </>
          );
        }}
      </QueryView>
    </Stack>
  );
}
