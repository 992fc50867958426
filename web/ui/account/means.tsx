import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from '../parts/dimmed.tsx';
import { Happened, Moment } from '../parts/moment.tsx';
import { useTexts } from '../texts.ts';

/** A means of signing in: since when there is one, and when it was last used. */
export function Means({
  icon,
  name,
  since,
  at,
  lastUsedAt,
  note,
}: {
  icon: ReactNode;
  name: string;
  /** The word before the time. */
  since: string;
  at: number;
  lastUsedAt: number | undefined;
  note?: string | false;
}) {
  const t = useTexts();
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      {icon}
      <div style={{ minWidth: 0 }}>
        <Text truncate>{name}</Text>
        <Dimmed size="xs">
          {since} <Moment at={at} />
          {lastUsedAt !== undefined && ' · '}
          <Happened words={t('ui.account.used')} at={lastUsedAt} />
          {note && ` · ${note}`}
        </Dimmed>
      </div>
    </Group>
  );
}
