import { Button, Stack, Text } from '@mantine/core';
import type { NewApplication } from '#contract/applications.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { useTexts } from '../../ui/texts.ts';
import { wizardTexts } from './texts.ts';

export function SecretsStep({ made, onDone }: { made: NewApplication; onDone: () => void }) {
  const t = useTexts(wizardTexts);
  return (
    <Stack align="stretch" maw={640} pt="md">
      <Text c="dimmed">{t.secretsLead}</Text>
      <CopyField label={t.apiKey} value={made.apiKey} />
      <CopyField label={t.webhookSecret} value={made.webhookSecret} />
      <CopyField label={t.clientSecret} value={made.clientSecret} />
      <CopyField
        label={t.environment}
        isBlock
        value={[
          `PARLEY_URL=${location.origin}`,
          `PARLEY_API_KEY=${made.apiKey}`,
          `PARLEY_WEBHOOK_SECRET=${made.webhookSecret}`,
          `PARLEY_CLIENT_ID=${made.clientId}`,
          `PARLEY_CLIENT_SECRET=${made.clientSecret}`,
        ].join('\n')}
      />
      <div>
        <Button onClick={onDone}>{t.stored}</Button>
      </div>
    </Stack>
  );
}
