import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** Replaces an empty list: what would be in it, and how to add the first entry. */
export function Empty({
  icon,
  title,
  order = 2,
  children,
  action,
}: {
  icon: ReactNode;
  title: string;
  /** 1 if the screen has no other heading. */
  order?: 1 | 2;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Stack align="center" ta="center" gap="sm" py="xl" px="md">
      <ThemeIcon size={56} radius="xl" variant="light" aria-hidden="true">
        {icon}
      </ThemeIcon>
      <Title order={order} size="h4">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  );
}
