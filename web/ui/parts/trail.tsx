import { Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { Dimmed } from './dimmed.tsx';
import { Timestamp } from './moment.tsx';

/** An entry of a trail: who did what and when, and its details as people read them. */
export interface TrailEntry {
  id: string;
  who: string;
  what: string;
  /** Whom or what it concerns. */
  subject?: ReactNode;
  at: number;
  /** Beside the time. */
  channel?: string;
  details: readonly { name?: string; value: string }[];
}

/** Entries, newest first. */
export function Trail({ entries }: { entries: readonly TrailEntry[] }) {
  return (
    <Timeline bulletSize={14} lineWidth={2} style={{ overflowWrap: 'anywhere' }}>
      {entries.map(({ id, who, what, subject, at, channel, details }) => (
        <Timeline.Item
          key={id}
          title={
            <Text size="sm">
              <b>{who}</b> {what}
              {subject && <>: {subject}</>}
            </Text>
          }
        >
          <Dimmed size="xs">
            <Timestamp at={at} />
            {channel && ` · ${channel}`}
          </Dimmed>
          {details.map(({ name, value }) => (
            <Text key={name} size="sm" mt={4}>
              {name !== undefined && (
                <Text span inherit c="dimmed">
                  {name}:{' '}
                </Text>
              )}
              {value}
            </Text>
          ))}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}
