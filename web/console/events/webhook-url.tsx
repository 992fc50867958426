import { Button, Group, Stack, TextInput } from '@mantine/core';
import { LIMITS } from '#contract/limits.ts';
import { callConsole } from '../../ui/api.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';
import { PingResult } from './ping-result.tsx';
import { eventsTexts } from './texts.ts';
import { WebhookUrlHelp } from './webhook-url-help.tsx';

/** The webhook URL, with a ping and its result. */
export function WebhookUrl() {
  const t = { ...useTexts(commonTexts), ...useTexts(eventsTexts) };
  const { appId, webhookUrl, isWebhookUrlUnreadable = false } = useApplication();
  const save = useChange(
    appId,
    (url: string) =>
      callConsole('PUT /applications/:appId/webhook-url', { params: { appId }, body: { webhookUrl: url } }),
    { done: t.saved },
  );
  const remove = useChange(
    appId,
    () => callConsole('DELETE /applications/:appId/webhook-url', { params: { appId } }),
    { done: t.removed },
  );
  const ping = useChange(appId, () =>
    callConsole('POST /applications/:appId/webhook/ping', { params: { appId } }),
  );
  return (
    <Form key={webhookUrl} onSubmit={(fields) => save.mutate(String(fields.get('webhookUrl')))}>
      <Stack gap="sm" maw={640}>
        <TextInput
          name="webhookUrl"
          label={t.url}
          description={webhookUrl || isWebhookUrlUnreadable ? t.urlHint : t.noUrl}
          error={isWebhookUrlUnreadable && t.unreadableUrl}
          placeholder="https://example.com/webhook"
          defaultValue={webhookUrl ?? ''}
          maxLength={LIMITS.urlLength}
          inputMode="url"
          autoCapitalize="none"
          required
        />
        <Group gap="xs">
          <Button type="submit" loading={save.isPending}>
            {t.save}
          </Button>
          {webhookUrl && (
            <Button variant="light" loading={ping.isPending} onClick={() => ping.mutate(undefined)}>
              {t.ping}
            </Button>
          )}
          {(webhookUrl || isWebhookUrlUnreadable) && (
            <Button variant="subtle" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
              {t.remove}
            </Button>
          )}
        </Group>
        <WebhookUrlHelp url={save.variables ?? ''} error={save.error} onUse={(url) => save.mutate(url)} />
        {ping.data && <PingResult ping={ping.data} />}
      </Stack>
    </Form>
  );
}
