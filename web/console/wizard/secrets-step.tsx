import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { NewApplication } from '#contract/applications.ts';
import { callConsole } from '../../ui/api.ts';
import { runs } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Fault } from '../../ui/parts/faults.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { LeaveGuard } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';

/** The secrets, as long as the page has them. */
export function ShownSecrets({
  secrets,
  isSaved,
  onDone,
}: {
  secrets: NewApplication;
  /** Until then, leaving asks for confirmation. */
  isSaved: boolean;
  onDone: () => void;
}) {
  const t = useTexts();
  return (
    <Stack align="stretch" maw={640} pt="md">
      {!isSaved && (
        <LeaveGuard title={t('console.wizard.leaveTitle')}>{t('console.wizard.leaveText')}</LeaveGuard>
      )}
      <Text c="dimmed">{t('console.wizard.secretsLead')}</Text>
      <Section title={t('console.wizard.neededNow')}>
        <CopyField
          label={t('console.wizard.apiKey')}
          value={secrets.apiKey}
          hint={t('console.wizard.apiKeyUse')}
        />
      </Section>
      <Section title={t('console.wizard.neededLater')}>
        <CopyField
          label={t('console.wizard.webhookSecret')}
          value={secrets.webhookSecret}
          hint={t('console.wizard.webhookSecretUse')}
        />
        <CopyField
          label={t('console.wizard.clientSecret')}
          value={secrets.clientSecret}
          hint={t('console.wizard.clientSecretUse')}
        />
      </Section>
      <CopyField
        label={t('console.wizard.environment')}
        isBlock
        value={[
          `PARLEY_URL=${location.origin}`,
          `PARLEY_API_KEY=${secrets.apiKey}`,
          `PARLEY_WEBHOOK_SECRET=${secrets.webhookSecret}`,
          `PARLEY_CLIENT_ID=${secrets.clientId}`,
          `PARLEY_CLIENT_SECRET=${secrets.clientSecret}`,
        ].join('\n')}
      />
      <Button w="fit-content" onClick={onDone}>
        {t('console.wizard.stored')}
      </Button>
    </Stack>
  );
}

/** Offers to renew the secrets, since they cannot be shown again. */
export function LostSecrets({
  appId,
  onShown,
  onDone,
}: {
  appId: string;
  onShown: (secrets: NewApplication) => void;
  onDone: () => void;
}) {
  const t = useTexts();
  const renew = useMutation({
    mutationFn: async () => ({
      ...(await callConsole('POST /applications/:appId/api-key', { params: { appId } })),
      ...(await callConsole('POST /applications/:appId/webhook-secret', { params: { appId } })),
      ...(await callConsole('POST /applications/:appId/client-secret', { params: { appId } })),
    }),
    onSuccess: (made) => onShown({ appId, clientId: appId, ...made }),
  });
  return (
    <Stack align="flex-start" maw={640} pt="md">
      <Alert variant="default" title={t('console.wizard.lostTitle')}>
        {t('console.wizard.lostText')}
      </Alert>
      {renew.isError && <Fault error={renew.error} />}
      <Stack gap="xs">
        <Button {...runs(renew)}>{t('console.wizard.renew')}</Button>
        <Button variant="subtle" onClick={onDone}>
          {t('console.wizard.haveThem')}
        </Button>
      </Stack>
    </Stack>
  );
}
