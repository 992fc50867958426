import { Group, Text } from '@mantine/core';
import type { Peer } from '#contract/chat.ts';
import { Avatar } from '../media/avatar.tsx';
import { personName } from './names.ts';

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
