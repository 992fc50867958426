import { Group, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { confirms } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { ApiKeys, FreshSecret } from './api-keys.tsx';

const OVERLAP_HOURS = [0, 1, 4, 12, 24];

/** The three secrets of an application: their metadata, and buttons to renew them. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.application.credentials')} lead={t('console.credentials.lead')}>
      <DeveloperOnly>
        <ApiKeys />
        <ClientSecret />
        <WebhookSecret />
      </DeveloperOnly>
    </Screen>
  );
}

function ClientSecret() {
  const t = useTexts();
  const { clientSecretCreatedAt } = useApplication();
  const [fresh, setFresh] = useState<string>();
  const regenerate = useChange('POST /applications/:appId/client-secret', {
    onSuccess: (made) => setFresh(made.clientSecret),
  });
  return (
    <Section
      title={t('console.credentials.clientSecret')}
      lead={t('console.credentials.clientSecretLead')}
      action={
        <ConfirmButton
          label={t('console.credentials.regenerate')}
          title={t('console.credentials.regenerateClientTitle')}
          text={t('console.credentials.regenerateClientText')}
          {...confirms(regenerate)}
        />
      }
    >
      <FreshSecret
        label={t('console.credentials.newClientSecret')}
        value={fresh}
        onStored={() => setFresh(undefined)}
      />
      <Text size="sm">
        {t('console.credentials.created')} <Moment at={clientSecretCreatedAt} />
      </Text>
    </Section>
  );
}

function WebhookSecret() {
  const t = useTexts();
  const { createdAt, previousSignsUntil } = useApplication().webhookSecret;
  const [overlap, setOverlap] = useState('0');
  const [fresh, setFresh] = useState<string>();
  const regenerate = useChange('POST /applications/:appId/webhook-secret', {
    onSuccess: (made) => setFresh(made.webhookSecret),
  });
  const endOverlap = useChange('DELETE /applications/:appId/webhook-secret/previous', {
    done: t('console.credentials.overlapEnded'),
  });
  return (
    <Section
      title={t('console.credentials.webhookSecret')}
      lead={t('console.credentials.webhookSecretLead')}
      action={
        <ConfirmButton
          label={t('console.credentials.regenerate')}
          title={t('console.credentials.regenerateWebhookTitle')}
          {...confirms(regenerate, { body: Number(overlap) > 0 ? { overlapHours: Number(overlap) } : {} })}
          text={
            <Stack>
              {t('console.credentials.regenerateWebhookText')}
              <Select
                label={t('console.credentials.overlap')}
                data={OVERLAP_HOURS.map((hours) => ({
                  value: String(hours),
                  label:
                    hours === 0
                      ? t('console.credentials.overlapNone')
                      : t('console.credentials.overlapHours', { hours }),
                }))}
                value={overlap}
                onChange={(hours) => setOverlap(hours ?? '0')}
              />
            </Stack>
          }
        />
      }
    >
      <FreshSecret
        label={t('console.credentials.newWebhookSecret')}
        value={fresh}
        onStored={() => setFresh(undefined)}
      />
      <Text size="sm">
        {t('console.credentials.created')} <Moment at={createdAt} />
      </Text>
      {previousSignsUntil !== undefined && (
        <Group>
          <Text size="sm">
            {t('console.credentials.overlapUntil', { time: fullTime(previousSignsUntil) })}
          </Text>
          <ConfirmButton
            size="compact-sm"
            label={t('console.credentials.endOverlap')}
            text={t('console.credentials.endOverlapText')}
            {...confirms(endOverlap)}
          />
        </Group>
      )}
    </Section>
  );
}
