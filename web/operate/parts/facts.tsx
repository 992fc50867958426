import { Anchor, SimpleGrid, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

/** Facts about something, by name. */
export function Facts({ facts }: { facts: Readonly<Record<string, ReactNode>> }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} component="dl" m={0}>
      {Object.entries(facts).map(([name, fact]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" m={0}>
            {fact}
          </Text>
        </div>
      ))}
    </SimpleGrid>
  );
}

export function ApplicationLink({
  application: { appId, name },
}: {
  application: { appId: string; name: string };
}) {
  return (
    <Anchor component={Link} to={`/applications/${appId}`} inherit>
      {name || appId}
    </Anchor>
  );
}
