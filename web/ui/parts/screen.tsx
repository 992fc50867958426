import { Container, Group, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { isolate, useTexts } from '../texts.ts';
import { Dimmed } from './dimmed.tsx';

/** One screen: its title in the window and on the page, its purpose, main action and content. */
export function Screen({
  title,
  lead,
  action,
  size = 'md',
  isCentred = false,
  children,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  size?: 'sm' | 'md' | 'lg' | 'xl';
  /** For a screen without a navigation beside it. */
  isCentred?: boolean;
  children: ReactNode;
}) {
  const t = useTexts();
  return (
    <Container size={size} px={0} mx={isCentred ? 'auto' : 0}>
      <title>{`${isolate(title)} – ${t('ui.common.service')}`}</title>
      <Stack gap="lg" className="in-order">
        <Group justify="space-between" align="flex-start">
          <div>
            <Title order={1}>{breakable(title)}</Title>
            {lead && (
              <Text c="dimmed" maw={640}>
                {lead}
              </Text>
            )}
          </div>
          {action}
        </Group>
        {children}
      </Stack>
    </Container>
  );
}

/** A section of a screen with its own heading. */
export function Section({
  title,
  lead,
  action,
  children,
}: {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Stack component="section" gap="sm">
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={2}>{title}</Title>
          {lead && <Dimmed maw={640}>{lead}</Dimmed>}
        </div>
        {action}
      </Group>
      {children}
    </Stack>
  );
}

/** Names such as `group_message.received` wrap at their separators. */
function breakable(title: string): ReactNode {
  return title.split(/(?<=[._])/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is identified only by its position.
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
