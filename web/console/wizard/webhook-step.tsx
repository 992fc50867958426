import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { LIMITS } from '#contract/limits.ts';
import { callConsole } from '../../ui/api.ts';
import { Fault } from '../../ui/parts/faults.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { PingResult } from '../events/ping-result.tsx';
import { WebhookUrlHelp } from '../events/webhook-url-help.tsx';
import { wizardTexts } from './texts.ts';

export function WebhookStep({ appId, onDone }: { appId: string; onDone: () => void }) {
  const t = useTexts(wizardTexts);
  const test = useMutation({
    mutationFn: async (webhookUrl: string) => {
      await callConsole('PUT /applications/:appId/webhook-url', { params: { appId }, body: { webhookUrl } });
      return callConsole('POST /applications/:appId/webhook/ping', { params: { appId } });
    },
  });
  return (
    <Form onSubmit={(fields) => test.mutate(String(fields.get('webhookUrl')))}>
      <Stack maw={560} pt="md">
        <Text c="dimmed">{t.webhookLead}</Text>
        <TextInput
          name="webhookUrl"
          label={t.webhookUrl}
          placeholder="https://example.com/webhook"
          maxLength={LIMITS.urlLength}
          inputMode="url"
          autoCapitalize="none"
          required
          autoFocus
        />
        {test.isError && <Fault error={test.error} />}
        <WebhookUrlHelp url={test.variables ?? ''} error={test.error} onUse={(url) => test.mutate(url)} />
        {test.data && <PingResult ping={test.data} />}
        <Group>
          <Button type="submit" variant={test.data ? 'default' : 'filled'} loading={test.isPending}>
            {t.saveAndTest}
          </Button>
          <Button variant={test.data ? 'filled' : 'subtle'} onClick={onDone}>
            {test.data ? t.onward : t.skip}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
