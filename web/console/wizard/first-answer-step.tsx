import { Alert, Button, Code, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { callConsole, callV1 } from '../../ui/api.ts';
import { runs } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Fault, faultOf } from '../../ui/parts/faults.tsx';
import { FormLine, Submit } from '../../ui/parts/form.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { readAgain } from '../../ui/session/live.ts';
import { text, useTexts } from '../../ui/texts.ts';
import { keysOf, simulatorQuery, timelineQuery, useOwnQuery } from '../application/queries.ts';
import { useLiveTimeline } from '../live/live.tsx';
import { Bubble, sideOf } from '../simulator/bubble.tsx';
import classes from '../simulator/chat-pane.module.css';

/** The last messages of the conversation that are shown. */
const SHOWN = 4;

/** Somebody writes to the bot, and it answers: both messages appear live, whoever sends them. */
export function FirstAnswerStep({ appId, apiKey }: { appId: string; apiKey: string | undefined }) {
  const t = useTexts();
  const queries = useQueryClient();
  useLiveTimeline(appId);
  const simulator = useQuery(simulatorQuery(appId)).data;
  const items = useQuery(timelineQuery(appId)).data?.items ?? [];
  const messages = items.flatMap(({ message }) => message ?? []);
  const [newest] = messages;
  const isAnswered = newest !== undefined && newest.from === simulator?.bot.userId;
  const say = useMutation({
    mutationFn: (content: string) =>
      callConsole('POST /applications/:appId/simulator/messages', {
        params: { appId },
        body: { type: 'text', content },
      }),
    onSuccess: () => readAgain(queries, timelineQuery(appId).queryKey),
  });
  const body = {
    to: simulator?.testPerson.userId ?? 'usr_…',
    type: 'text' as const,
    content: t('console.wizard.answerText'),
  };
  const answer = useMutation({
    mutationFn: () => answerAsBot(appId, apiKey, body),
    onSuccess: async () => {
      for (const queryKey of keysOf(appId)) await queries.invalidateQueries({ queryKey });
    },
  });
  const fault = faultOf(say.error, 'content');
  const event = items.find(({ kind }) => kind === 'event')?.event;
  return (
    <Stack maw={680} pt="md">
      <Text c="dimmed">{t('console.wizard.firstLead')}</Text>
      <FormLine onSubmit={(fields) => say.mutate(String(fields.get('content')))} noValidate wrap="nowrap">
        <TextInput
          name="content"
          label={t('console.wizard.say')}
          defaultValue={t('console.wizard.hello')}
          error={fault}
          inputWrapperOrder={['label', 'error', 'input']}
          required
          flex={1}
          autoFocus
        />
        <Submit of={say} variant={newest ? 'default' : 'filled'}>
          {t('console.wizard.send')}
        </Submit>
      </FormLine>
      {say.isError && !fault && <Fault error={say.error} />}
      <div className={classes.messages} role="log" aria-label={t('console.simulator.chat')}>
        {simulator &&
          messages
            .slice(0, SHOWN)
            .toReversed()
            .map((message) => (
              <Bubble key={message.msgId} message={message} {...sideOf(simulator, message)} />
            ))}
        {!isAnswered && (
          <Group gap="xs">
            <Loader size="xs" type="dots" />
            <Dimmed>{newest ? t('console.wizard.awaitsAnswer') : t('console.wizard.awaitsMessage')}</Dimmed>
          </Group>
        )}
      </div>
      {answer.isError && <Fault error={answer.error} />}
      {newest && !isAnswered && (
        <Button w="fit-content" {...runs(answer)}>
          {t('console.wizard.answerForMe')}
        </Button>
      )}
      {isAnswered && (
        <Alert color="teal" icon={<IconCircleCheck />} title={t('console.wizard.answered')}>
          <Stack gap="sm">
            <Text size="sm">{t('console.wizard.answeredText')}</Text>
            <Group>
              <Button component={Link} to={`/applications/${appId}`}>
                {t('console.wizard.overview')}
              </Button>
              <Button component={Link} variant="default" to={`/applications/${appId}/simulator`}>
                {t('console.wizard.simulator')}
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
      {event && <Received eventId={event.eventId} />}
      {newest && (
        <Section title={t('console.wizard.ownProgram')}>
          <CopyField
            label={t('console.wizard.curl')}
            isBlock
            value={curlAnswer(location.origin, apiKey, body)}
          />
          <CopyField label={t('console.wizard.sdk')} isBlock value={sdkAnswer(location.origin, apiKey)} />
        </Section>
      )}
    </Stack>
  );
}

/** An event as the program receives it. */
function Received({ eventId }: { eventId: string }) {
  const t = useTexts();
  const { data } = useOwnQuery('GET /applications/:appId/events/:eventId/payload', { params: { eventId } });
  if (!data) return null;
  return (
    <Section title={t('console.wizard.received')}>
      <Code block tabIndex={0}>
        {JSON.stringify(data.payload, null, 2)}
      </Code>
    </Section>
  );
}

/**
 * Sends an answer as every bot does: by the public API. If the page no longer has the key, it makes one for this answer
 * alone, and revokes it.
 */
async function answerAsBot(
  appId: string,
  apiKey: string | undefined,
  body: { to: string; type: 'text'; content: string },
): Promise<void> {
  if (apiKey !== undefined) {
    await callV1('POST /v1/messages', { body, apiKey });
    return;
  }
  const made = await callConsole('POST /applications/:appId/api-keys', {
    params: { appId },
    body: { name: text('console.wizard.keyName'), scopes: ['messages:send'] },
  });
  try {
    await callV1('POST /v1/messages', { body, apiKey: made.apiKey });
  } finally {
    const { fingerprint } = made;
    await callConsole('DELETE /applications/:appId/api-keys/:fingerprint', {
      params: { appId, fingerprint },
    });
  }
}

/** A command that answers the test person; it contains the real key while the page still has it. */
function curlAnswer(origin: string, apiKey: string | undefined, body: object): string {
  return [
    `curl ${origin}/v1/messages \\`,
    `  -H "Authorization: Bearer ${apiKey ?? '$PARLEY_API_KEY'}" \\`,
    "  -H 'Content-Type: application/json' \\",
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

/** A complete bot that answers everybody; it polls its events, so it runs anywhere. */
function sdkAnswer(origin: string, apiKey: string | undefined): string {
  return [
    `// bot.mjs, after: npm install --allow-remote=root ${origin}/sdk/parley-sdk.tgz`,
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
