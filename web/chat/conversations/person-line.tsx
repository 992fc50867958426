import { Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Peer } from '#contract/chat.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { Avatar } from '../media/avatar.tsx';
import { personName } from './names.ts';
import { learnPeople, type People, usePeople } from './people.ts';

/** The people of a conversation; those of these who are not known yet are loaded. */
export function useLearned(conversationId: string, userIds: readonly string[]): People {
  const client = useQueryClient();
  const asked = userIds.join();
  useEffect(() => {
    if (asked !== '') learnPeople(client, conversationId, asked.split(',')).catch(showError);
  }, [client, conversationId, asked]);
  return usePeople(conversationId);
}

/** Somebody in a list of those who did something, by another name if it is the person themselves. */
export function PersonLine({
  userId,
  person,
  name = personName(person),
  ...line
}: {
  userId: string;
  person: Peer | null | undefined;
  name?: string;
  component?: 'li';
}) {
  return (
    <Group gap="xs" mt={6} wrap="nowrap" {...line}>
      <Avatar name={personName(person)} seed={userId} pictureUrl={person?.pictureUrl} size={26} />
      <Text size="sm">{name}</Text>
    </Group>
  );
}
