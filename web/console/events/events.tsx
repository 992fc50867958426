import {
  Alert,
  Box,
  Button,
  Group,
  List,
  PasswordInput,
  SimpleGrid,
  Stack,
  Tabs,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { LIMITS } from '#contract/limits.ts';
import { CHOSEN_EVENT_TYPES } from '#contract/webhooks/event-types.ts';
import { runs } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Form, Submit } from '../../ui/parts/form.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch, WithGuide } from '../application/extension-switch.tsx';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { EventLog } from './event-log.tsx';
import { Simulation } from './simulation.tsx';
import { FilesNotice, PingResult, WebhookUrlHelp } from './webhook-help.tsx';

const PANELS = {
  log: EventLog,
  settings: Settings,
  simulate: Simulation,
  signature: SignatureCheck,
  audit: EndpointAudit,
} as const;
const TABS = Object.keys(PANELS) as (keyof typeof PANELS)[];

/** The event log, the webhook's settings, and ways to test the receiver, in tabs. */
export function Component() {
  const t = useTexts();
  const [query, setQuery] = useSearchParams();
  const { webhookUrl } = useApplication();
  const first = webhookUrl || query.size > 0 ? 'log' : 'settings';
  const tab = TABS.find((one) => one === query.get('tab')) ?? first;
  const Panel = PANELS[tab];
  return (
    <Screen title={t('console.application.events')} lead={t('console.events.lead')} size="lg">
      <Tabs value={tab} onChange={(chosen) => setQuery({ tab: chosen ?? first })} keepMounted={false}>
        <Tabs.List mb="md">
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`console.eventTab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>
          {tab === 'log' ? (
            <Panel />
          ) : (
            <DeveloperOnly>
              <Panel />
            </DeveloperOnly>
          )}
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}

function Settings() {
  return (
    <Stack gap="lg">
      <WebhookUrl />
      <FilesNotice />
      <ChosenEvents />
    </Stack>
  );
}

/** Events beyond messages, each sent only if the owner chose it. */
function ChosenEvents() {
  const t = useTexts();
  return (
    <Section
      title={t('console.events.chosenTitle')}
      lead={
        <WithGuide href="/docs/guide/webhooks#events-that-you-choose">
          {t('console.events.chosenLead')}
        </WithGuide>
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {CHOSEN_EVENT_TYPES.map((type) => (
          <ExtensionSwitch key={type} extension={type} label={type} hint={t(`console.chosenEvent.${type}`)} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

/** Tests whether the receiver refuses what it should: forged and stale events. */
function EndpointAudit() {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const { webhookUrl } = useApplication();
  const audit = useChange('POST /applications/:appId/webhook/audit');
  return (
    <Stack maw={640} align="flex-start">
      <Dimmed>{webhookUrl ? t('console.events.auditLead') : t('console.events.noUrl')}</Dimmed>
      <Button variant="light" disabled={!webhookUrl} {...runs(audit)}>
        {t('console.events.runAudit')}
      </Button>
      {audit.data && (
        <Alert
          w="100%"
          color={audit.data.isPassed ? 'teal' : 'red'}
          title={audit.data.isPassed ? t('console.events.auditPassed') : t('console.events.auditFailed')}
        >
          <Stack gap="xs">
            {audit.data.checks.map(({ check, isAccepted, isFault, attempt, ...finding }) => (
              <Group key={check} wrap="nowrap" align="flex-start" gap="xs">
                <Box flex="none">{isFault ? <IconX size={18} /> : <IconCheck size={18} />}</Box>
                <Text size="sm">
                  <b>{t(`console.endpointCheck.${check}`)}</b> (
                  {isAccepted ? t('console.events.accepted') : t('console.events.refused')}):{' '}
                  {inOwnWords(finding)} {isFault && inOwnWords(attempt)}
                </Text>
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

/** Finds out what is wrong with a signed request, for receivers that refuse valid ones. */
function SignatureCheck() {
  const t = useTexts();
  const inOwnWords = useServerWords();
  const check = useChange('POST /applications/:appId/webhook/check-signature');
  const submit = (form: FormData) => {
    const secret = String(form.get('secret'));
    check.mutate({
      body: {
        header: String(form.get('header')),
        // Forms convert LF to CRLF; the signature covers the original body.
        body: String(form.get('body')).replaceAll('\r\n', '\n'),
        ...(secret && { secret }),
      },
    });
  };
  return (
    <Form onSubmit={submit} maw={640}>
      <Dimmed>{t('console.events.checkLead')}</Dimmed>
      <TextInput name="header" label={t('console.events.header')} placeholder="t=1732172400,v1=…" required />
      <Textarea name="body" label={t('console.events.body')} minRows={4} maxRows={16} required />
      <PasswordInput
        name="secret"
        label={t('console.events.secret')}
        description={t('console.events.secretHint')}
        autoComplete="off"
      />
      <Submit of={check} w="fit-content" variant="light">
        {t('console.events.check')}
      </Submit>
      {check.data?.isValid && (
        <Alert color="teal" title={t('console.events.signatureValid')}>
          {t('console.events.signatureValidHint')}
        </Alert>
      )}
      {check.data && !check.data.isValid && (
        <Alert color="red">
          <List size="sm">
            {check.data.faults.map(({ part, ...finding }) => (
              <List.Item key={part + finding.message}>
                <b>{t(`console.eventPart.${part}`)}</b>: {inOwnWords(finding)}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Form>
  );
}

/** The webhook URL, with a ping and its result. */
function WebhookUrl() {
  const t = useTexts();
  const { webhookUrl, isWebhookUrlUnreadable = false } = useApplication();
  const save = useChange('PUT /applications/:appId/webhook-url', { done: t('console.events.saved') });
  const remove = useChange('DELETE /applications/:appId/webhook-url', { done: t('console.events.removed') });
  const ping = useChange('POST /applications/:appId/webhook/ping');
  return (
    <Form
      key={webhookUrl}
      onSubmit={(fields) => save.mutate({ body: { webhookUrl: String(fields.get('webhookUrl')) } })}
      gap="sm"
      maw={640}
    >
      <TextInput
        name="webhookUrl"
        label={t('console.events.url')}
        description={
          webhookUrl || isWebhookUrlUnreadable ? t('console.events.urlHint') : t('console.events.noUrl')
        }
        error={isWebhookUrlUnreadable && t('console.events.unreadableUrl')}
        placeholder="https://example.com/webhook"
        defaultValue={webhookUrl ?? ''}
        maxLength={LIMITS.urlLength}
        inputMode="url"
        autoCapitalize="none"
        required
      />
      <Group gap="xs">
        <Submit of={save}>{t('ui.common.save')}</Submit>
        {webhookUrl && (
          <Button variant="light" {...runs(ping)}>
            {t('console.events.ping')}
          </Button>
        )}
        {(webhookUrl || isWebhookUrlUnreadable) && (
          <Button variant="subtle" {...runs(remove)}>
            {t('ui.common.remove')}
          </Button>
        )}
      </Group>
      <WebhookUrlHelp
        url={save.variables?.body.webhookUrl ?? ''}
        error={save.error}
        onUse={(url) => save.mutate({ body: { webhookUrl: url } })}
      />
      {ping.data && <PingResult ping={ping.data} />}
    </Form>
  );
}
