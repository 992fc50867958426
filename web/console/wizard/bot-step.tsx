import { Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewApplication } from '#contract/applications.ts';
import { ApiError, callConsole } from '../../ui/api.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { CommandsEditor, isGoodCommand } from '../bot/commands-editor.tsx';
import { UsernameInput } from '../bot/username-input.tsx';
import { type Draft, keepDraft, readDraft } from './draft.ts';
import { wizardTexts } from './texts.ts';

/** Creates the application with its bot in one request; input survives a reload. */
export function BotStep({
  onMade,
  onFound,
}: {
  onMade: (made: NewApplication) => void;
  /** An earlier request created the application, but its response was lost. */
  onFound: (appId: string) => void;
}) {
  const t = useTexts(wizardTexts);
  const [draft, setDraft] = useState(readDraft);
  const { name, username, commands } = draft;
  const change = (part: Partial<Draft>) => {
    keepDraft({ ...draft, ...part });
    setDraft({ ...draft, ...part });
  };
  const create = useMutation({
    mutationFn: () => callConsole('POST /applications', { body: { name, bot: { username, commands } } }),
    onSuccess: onMade,
    onError: async (error) => {
      const appId = mayBeMade(error) && (await findMade(draft));
      if (appId) onFound(appId);
    },
  });
  return (
    <Form onSubmit={() => create.mutate()}>
      <Stack align="stretch" maw={560} pt="md">
        <Text c="dimmed">{t.botLead}</Text>
        {create.isError && <Fault error={create.error} />}
        <UsernameInput value={username} onChange={(typed) => change({ username: typed })} autoFocus />
        <CommandsEditor commands={commands} onChange={(typed) => change({ commands: typed })} />
        <div>
          <Button type="submit" loading={create.isPending} disabled={!commands.every(isGoodCommand)}>
            {t.create}
          </Button>
        </div>
      </Stack>
    </Form>
  );
}

function mayBeMade(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.reason === 'bot.username-taken');
}

async function findMade({ name, username }: Draft): Promise<string | undefined> {
  const { applications } = await callConsole('GET /home');
  return applications.find((one) => one.name === name && one.bot?.username === username)?.appId;
}
