import { Button, Group, Text } from '@mantine/core';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { outbox } from '../outbox/outbox.ts';
import type { Unsent } from '../outbox/store.ts';

/** Shown below a message that was not sent: the server asked to wait, or refused it, which leaves the choice to the person. */
export function UnsentFault({ unsent: { key, fault, delay, file } }: { unsent: Unsent }) {
  const t = useTexts();
  if (!fault) {
    return delay ? (
      <Dimmed size="xs" ta="end" mt={4} role="status">
        {delay}
      </Dimmed>
    ) : null;
  }
  return (
    <div role="alert">
      <Text size="xs" c="var(--mantine-color-error)" ta="end" mt={4}>
        {t('chat.message.failed')}
        {file && ` (${file.name})`}: {fault}
      </Text>
      <Group gap="xs" justify="flex-end">
        <Button size="compact-xs" variant="subtle" onClick={() => outbox.retry(key)}>
          {t('chat.message.sendAgain')}
        </Button>
        <Button size="compact-xs" variant="subtle" color="red" onClick={() => outbox.discard(key)}>
          {t('chat.message.discard')}
        </Button>
      </Group>
    </div>
  );
}
