import { Alert, Button, Code, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { callConsole } from '../../ui/api.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { readAgain } from '../../ui/session/live.ts';
import { useTexts } from '../../ui/texts.ts';
import { consoleQuery, simulatorQuery, timelineQuery } from '../application/queries.ts';
import { useLiveTimeline } from '../live/live.tsx';

/** Somebody writes to the bot; the event appears live; a ready-made command sends the answer. */
export function FirstEventStep({ appId, apiKey }: { appId: string; apiKey: string | undefined }) {
  const t = useTexts();
  const queries = useQueryClient();
  useLiveTimeline(appId);
  const simulator = useQuery(simulatorQuery(appId)).data;
  const items = useQuery(timelineQuery(appId)).data?.items ?? [];
  const event = items.find(({ kind }) => kind === 'event')?.event;
  const payload = useQuery({
    ...consoleQuery('GET /applications/:appId/events/:eventId/payload', {
      params: { appId, eventId: event?.eventId ?? '' },
    }),
    enabled: event !== undefined,
  }).data;
  const say = useMutation({
    mutationFn: (content: string) =>
      callConsole('POST /applications/:appId/simulator/messages', {
        params: { appId },
        body: { type: 'text', content },
      }),
    onSuccess: () => readAgain(queries, timelineQuery(appId).queryKey),
  });
  const to = simulator?.testPerson.userId ?? 'usr_…';
  return (
    <Stack maw={680} pt="md">
      <Text c="dimmed">{t('console.wizard.firstLead')}</Text>
      <Form onSubmit={(fields) => say.mutate(String(fields.get('content')))}>
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            name="content"
            label={t('console.wizard.say')}
            defaultValue={t('console.wizard.hello')}
            required
            flex={1}
            autoFocus
          />
          <Button type="submit" loading={say.isPending}>
            {t('console.wizard.send')}
          </Button>
        </Group>
      </Form>
      {say.isError && <Fault error={say.error} />}
      {event ? (
        <Alert color="teal" title={t('console.wizard.arrived')} role="status">
          <Code block tabIndex={0}>
            {JSON.stringify(payload?.payload ?? { type: event.type, msgId: event.msgId }, null, 2)}
          </Code>
        </Alert>
      ) : (
        <Group gap="xs" role="status">
          <Loader size="xs" type="dots" />
          <Text size="sm" c="dimmed">
            {t('console.wizard.waiting')}
          </Text>
        </Group>
      )}
      {event && (
        <Section title={t('console.wizard.answer')}>
          <CopyField
            label={t('console.wizard.curl')}
            isBlock
            value={curlAnswer(location.origin, apiKey, to)}
          />
          <CopyField label={t('console.wizard.sdk')} isBlock value={sdkAnswer(location.origin, apiKey)} />
          <Group>
            <Button component={Link} to={`/applications/${appId}/simulator`}>
              {t('console.wizard.simulator')}
            </Button>
            <Button component={Link} variant="default" to={`/applications/${appId}`}>
              {t('console.wizard.overview')}
            </Button>
          </Group>
        </Section>
      )}
    </Stack>
  );
}

/** A command that answers the test person; it contains the real key while the page still has it. */
function curlAnswer(origin: string, apiKey: string | undefined, to: string): string {
  return [
    `curl ${origin}/v1/messages \\`,
    `  -H "Authorization: Bearer ${apiKey ?? '$PARLEY_API_KEY'}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"to":"${to}","type":"text","content":"Hi! I am your bot."}'`,
  ].join('\n');
}

/** A complete bot that answers everybody; it polls its events, so it runs anywhere. */
function sdkAnswer(origin: string, apiKey: string | undefined): string {
  return [
    `// bot.mjs, after: npm install ${origin}/sdk/parley-sdk.tgz`,
    "import { Bot } from 'parley-sdk';",
    '',
    'const bot = new Bot({',
    `  baseUrl: '${origin}',`,
    `  apiKey: ${apiKey === undefined ? 'process.env.PARLEY_API_KEY' : `'${apiKey}'`},`,
    '});',
    "bot.on('message', (message) => message.reply('You said: ' + message.textMsg));",
    'await bot.poll();',
  ].join('\n');
}
