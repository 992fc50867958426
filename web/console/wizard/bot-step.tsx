import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BotCommand } from '#contract/bots.ts';
import { api } from '../../ui/api.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { CommandsEditor, isGoodCommand } from '../bot/commands-editor.tsx';
import { UsernameInput } from '../bot/username-input.tsx';
import { wizardTexts } from './texts.ts';

export function BotStep({ appId, onDone }: { appId: string; onDone: () => void }) {
  const t = useTexts(wizardTexts);
  const [username, setUsername] = useState('');
  const [commands, setCommands] = useState<BotCommand[]>([]);
  const create = useMutation({
    mutationFn: () => api.post(`/api/console/applications/${appId}/bot`, { username, commands }),
    onSuccess: onDone,
  });
  return (
    <Form onSubmit={() => create.mutate()}>
      <Stack align="stretch" maw={560} pt="md">
        <Text c="dimmed">{t.botLead}</Text>
        {create.isError && <Fault error={create.error} />}
        <UsernameInput value={username} onChange={setUsername} autoFocus />
        <CommandsEditor commands={commands} onChange={setCommands} />
        <div>
          <Button type="submit" loading={create.isPending} disabled={!commands.every(isGoodCommand)}>
            {t.onward}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}
