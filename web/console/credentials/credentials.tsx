import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { callConsole } from '../../ui/api.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { ApiKeys } from './api-keys.tsx';
import { FreshSecret } from './fresh-secret.tsx';
import { credentialsTexts } from './texts.ts';

const OVERLAP_HOURS = [0, 1, 4, 12, 24];

/** The three secrets of an application: their metadata, and buttons to renew them. */
export function Component() {
  const t = useTexts(credentialsTexts);
  return (
    <Screen title={t.title} lead={t.lead}>
      <DeveloperOnly>
        <ApiKeys />
        <ClientSecret />
        <WebhookSecret />
      </DeveloperOnly>
    </Screen>
  );
}

function ClientSecret() {
  const t = useTexts(credentialsTexts);
  const { appId, clientSecretCreatedAt } = useApplication();
  const [fresh, setFresh] = useState<string>();
  const regenerate = useChange(
    appId,
    () => callConsole('POST /applications/:appId/client-secret', { params: { appId } }),
    { onSuccess: (made) => setFresh(made.clientSecret) },
  );
  return (
    <Section
      title={t.clientSecret}
      lead={t.clientSecretLead}
      action={
        <ConfirmButton
          variant="default"
          label={t.regenerate}
          title={t.regenerateClientTitle}
          onConfirm={() => regenerate.mutate(undefined)}
          loading={regenerate.isPending}
        >
          {t.regenerateClientText}
        </ConfirmButton>
      }
    >
      <FreshSecret label={t.newClientSecret} value={fresh} onStored={() => setFresh(undefined)} />
      <Text size="sm">
        {t.created} <Moment at={clientSecretCreatedAt} />
      </Text>
    </Section>
  );
}

function WebhookSecret() {
  const t = useTexts(credentialsTexts);
  const {
    appId,
    webhookSecret: { createdAt, previousSignsUntil },
  } = useApplication();
  const [overlap, setOverlap] = useState('0');
  const [fresh, setFresh] = useState<string>();
  const regenerate = useChange(
    appId,
    (overlapHours: number) =>
      callConsole('POST /applications/:appId/webhook-secret', {
        params: { appId },
        body: overlapHours > 0 ? { overlapHours } : {},
      }),
    { onSuccess: (made) => setFresh(made.webhookSecret) },
  );
  const endOverlap = useChange(
    appId,
    () => callConsole('DELETE /applications/:appId/webhook-secret/previous', { params: { appId } }),
    { done: t.overlapEnded },
  );
  return (
    <Section
      title={t.webhookSecret}
      lead={t.webhookSecretLead}
      action={
        <ConfirmButton
          variant="default"
          label={t.regenerate}
          title={t.regenerateWebhookTitle}
          onConfirm={() => regenerate.mutate(Number(overlap))}
          loading={regenerate.isPending}
        >
          <Stack>
            {t.regenerateWebhookText}
            <Select
              label={t.overlap}
              data={OVERLAP_HOURS.map((hours) => ({
                value: String(hours),
                label: hours === 0 ? t.overlapNone : t.overlapHours(hours),
              }))}
              value={overlap}
              onChange={(hours) => setOverlap(hours ?? '0')}
              allowDeselect={false}
            />
          </Stack>
        </ConfirmButton>
      }
    >
      <FreshSecret label={t.newWebhookSecret} value={fresh} onStored={() => setFresh(undefined)} />
      <Text size="sm">
        {t.created} <Moment at={createdAt} />
      </Text>
      {previousSignsUntil !== undefined && (
        <Group>
          <Text size="sm">{t.overlapUntil(fullTime(previousSignsUntil))}</Text>
          <ConfirmButton
            variant="default"
            size="compact-sm"
            label={t.endOverlap}
            title={t.endOverlap}
            onConfirm={() => endOverlap.mutate(undefined)}
          >
            {t.endOverlapText}
          </ConfirmButton>
        </Group>
      )}
    </Section>
  );
}
