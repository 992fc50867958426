import { Anchor, Button, Divider, Group, NativeSelect, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import type {
  ChosenIncomingWebhook,
  CreateIncomingWebhook,
  GroupWebhooks,
  IncomingWebhook,
  NewIncomingWebhook,
} from '#contract/webhooks/incoming-webhooks.ts';
import { callChat } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dialog } from '../../ui/parts/dialog.tsx';
import { CancelOr, Form } from '../../ui/parts/form.tsx';
import { Moment } from '../../ui/parts/moment.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';
import classes from './groups.module.css';
import { membersQuery } from './queries.ts';
import { webhookTexts } from './webhook-texts.ts';

/** Reloaded with the members: bots come and go with them. */
const webhooksQuery = (groupId: string) =>
  queryOptions({
    queryKey: [...membersQuery(groupId).queryKey, 'incoming-webhooks'],
    queryFn: ({ signal }) => callChat('GET /groups/incoming-webhooks', { query: { groupId }, signal }),
  });

const webhookCalls = {
  create: (body: CreateIncomingWebhook) => callChat('POST /groups/incoming-webhooks', { body }),
  renew: (body: ChosenIncomingWebhook) => callChat('POST /groups/incoming-webhooks/renew', { body }),
  revoke: (body: ChosenIncomingWebhook) => callChat('POST /groups/incoming-webhooks/revoke', { body }),
};

/** The group's incoming webhooks, for administrators of groups with a bot that may have some; otherwise nothing. */
export function IncomingWebhooks({ groupId }: { groupId: string }) {
  const t = useTexts(webhookTexts);
  const bots = useQuery(webhooksQuery(groupId)).data?.bots ?? [];
  const [isMaking, setMaking] = useState(false);
  const [fresh, setFresh] = useState<NewIncomingWebhook>();
  const create = useChangeOf(
    [webhooksQuery(groupId).queryKey],
    (made: { name: string; botId: string }) => webhookCalls.create({ groupId, ...made }),
    { onSuccess: setFresh },
  );
  if (bots.length === 0 && !fresh) return null;
  return (
    <>
      <Divider />
      <Stack gap="xs" component="section" aria-label={t.title}>
        <Group justify="space-between" gap="xs">
          <Title order={3} size="h5">
            {t.title}
          </Title>
          <Button
            variant="light"
            size="compact-sm"
            leftSection={<IconPlus size={16} />}
            loading={create.isPending}
            onClick={() => setMaking(true)}
          >
            {t.make}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t.lead} <Guide />
        </Text>
        <ul className={classes.people}>
          {bots.flatMap(({ botId, name, webhooks }) =>
            webhooks.map((webhook) => (
              <Row key={webhook.webhookId} bot={{ botId, name }} webhook={webhook} onRenewed={setFresh} />
            )),
          )}
        </ul>
        {isMaking && <MakeWebhook bots={bots} onClose={() => setMaking(false)} onSubmit={create.mutate} />}
        {fresh && <Fresh webhook={fresh} onStored={() => setFresh(undefined)} />}
      </Stack>
    </>
  );
}

function Row({
  bot: { botId, name: botName },
  webhook: { webhookId, groupId, name, lastUsedAt },
  onRenewed,
}: {
  bot: { botId: string; name: string };
  webhook: IncomingWebhook;
  onRenewed: (renewed: NewIncomingWebhook) => void;
}) {
  const t = useTexts(webhookTexts);
  const chosen = { groupId, botId, webhookId };
  const changed = [webhooksQuery(groupId).queryKey];
  const renew = useChangeOf(changed, () => webhookCalls.renew(chosen), { onSuccess: onRenewed });
  const revoke = useChangeOf(changed, () => webhookCalls.revoke(chosen), { done: t.revoked });
  return (
    <Stack component="li" gap={4} py="xs" aria-label={name}>
      <Text style={{ overflowWrap: 'anywhere' }}>{name}</Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {t.made(botName)} ·{' '}
        {lastUsedAt === undefined ? (
          t.never
        ) : (
          <>
            {t.lastUsed} <Moment at={lastUsedAt} />
          </>
        )}
      </Text>
      <Group gap="xs">
        <ConfirmButton
          variant="default"
          size="compact-sm"
          label={t.renew}
          title={t.renewTitle(name)}
          loading={renew.isPending}
          onConfirm={() => renew.mutate(undefined)}
        >
          {t.renewText}
        </ConfirmButton>
        <ConfirmButton
          variant="default"
          size="compact-sm"
          label={t.revoke}
          title={t.revokeTitle(name)}
          loading={revoke.isPending}
          onConfirm={() => revoke.mutate(undefined)}
        >
          {t.revokeText}
        </ConfirmButton>
      </Group>
    </Stack>
  );
}

function Fresh({ webhook: { name, url }, onStored }: { webhook: NewIncomingWebhook; onStored: () => void }) {
  const t = useTexts(webhookTexts);
  return (
    <ShownOnce
      title={t.addressOf(name)}
      done={t.done}
      leave={{ title: t.leaveTitle, text: t.leaveText }}
      onStored={onStored}
    >
      <CopyField label={t.address} value={url} hint={t.secret} />
      <Text size="sm">
        <Guide />
      </Text>
    </ShownOnce>
  );
}

function Guide() {
  const t = useTexts(webhookTexts);
  return (
    <Anchor href="/docs/guide/incoming-webhooks" target="_blank" inherit underline="always">
      {t.guide}
    </Anchor>
  );
}

/** Name and bot of a new incoming webhook. */
function MakeWebhook({
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
