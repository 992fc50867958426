import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';

/** A part of the details of a group, and the button that adds something to it, if the person may. */
export function GroupSection({
  title,
  add,
  icon: Icon = IconPlus,
  onAdd,
  children,
}: {
  title: string;
  add?: string | false;
  icon?: ComponentType<{ size: number }>;
  onAdd?: () => void;
  children: ReactNode;
}) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h5">
          {title}
        </Title>
        {add && (
          <Button variant="light" size="compact-sm" leftSection={<Icon size={16} />} onClick={onAdd}>
            {add}
          </Button>
        )}
      </Group>
      {children}
    </Stack>
  );
}
