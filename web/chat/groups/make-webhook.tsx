import { NativeSelect, Stack, TextInput } from '@mantine/core';
import { LIMITS } from '#contract/limits.ts';
import type { GroupWebhooks } from '#contract/webhooks/incoming-webhooks.ts';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { useTexts } from '../../ui/texts.ts';
import { webhookTexts } from './webhook-texts.ts';

/** Name and bot of a new incoming webhook. */
export function MakeWebhook({
  bots,
  onClose,
  onSubmit,
}: {
  bots: GroupWebhooks['bots'];
  onClose: () => void;
  onSubmit: (made: { name: string; botId: string }) => void;
}) {
  const t = useTexts(webhookTexts);
  return (
    <Dialog opened onClose={onClose} title={t.make} centered>
      <Form
        onSubmit={(fields) => {
          onSubmit({ name: String(fields.get('name')), botId: String(fields.get('botId')) });
          onClose();
        }}
      >
        <Stack>
          <TextInput
            name="name"
            label={t.name}
            description={t.nameHint}
            maxLength={LIMITS.incomingWebhookNameLength}
            pattern=".*\S.*"
            autoComplete="off"
            required
            data-autofocus
          />
          <NativeSelect
            name="botId"
            label={t.bot}
            data={bots.map(({ botId, name }) => ({ value: botId, label: name }))}
          />
          <CancelOr onCancel={onClose}>{t.make}</CancelOr>
        </Stack>
      </Form>
    </Dialog>
  );
}
