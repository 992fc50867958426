import { Anchor, Divider, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import type {
  CreateIncomingWebhook,
  IncomingWebhook,
  NewIncomingWebhook,
} from '#contract/webhooks/incoming-webhooks.ts';
import { confirms } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { bodyOf } from '../../ui/parts/form.tsx';
import { Happened } from '../../ui/parts/moment.tsx';
import { chatQuery } from '../../ui/parts/query.ts';
import { Failed } from '../../ui/parts/query-view.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';
import { GroupSection } from './group-section.tsx';
import { membersQuery, useGroupChange } from './queries.ts';

type Chosen = Omit<CreateIncomingWebhook, 'groupId'>;

/** Reloaded with the members: bots come and go with them. */
const webhooksQuery = (groupId: string) =>
  chatQuery([...membersQuery(groupId).queryKey, 'incoming-webhooks'], 'GET /groups/incoming-webhooks', {
    query: { groupId },
  });

/** The group's incoming webhooks, for administrators of groups with a bot that may have some; otherwise nothing. */
export function IncomingWebhooks({ groupId }: { groupId: string }) {
  const t = useTexts();
  const present = useQuery(webhooksQuery(groupId));
  const bots = present.data?.bots ?? [];
  const [isMaking, setMaking] = useState(false);
  const [fresh, setFresh] = useState<NewIncomingWebhook>();
  const create = useGroupChange('POST /groups/incoming-webhooks', {
    onSuccess: (made) => {
      setMaking(false);
      setFresh(made);
    },
  });
  if (bots.length === 0 && !fresh) return <Failed query={present} />;
  return (
    <>
      <Divider />
      <GroupSection
        title={t('chat.webhook.title')}
        add={t('chat.webhook.make')}
        onAdd={() => setMaking(true)}
      >
        <Dimmed>
          {t('chat.webhook.lead')} <Guide />
        </Dimmed>
        <Stack component="ul" gap={2}>
          {bots.flatMap(({ botId, name, webhooks }) =>
            webhooks.map((webhook) => (
              <Row key={webhook.webhookId} bot={{ botId, name }} webhook={webhook} onRenewed={setFresh} />
            )),
          )}
        </Stack>
        {isMaking && (
          <FormDialog
            onClose={() => setMaking(false)}
            title={t('chat.webhook.make')}
            submit={t('chat.webhook.make')}
            loading={create.isPending}
            onSubmit={(fields) => create.mutate({ body: { groupId, ...bodyOf<Chosen>(fields) } })}
          >
            <TextInput
              name="name"
              label={t('chat.webhook.name')}
              description={t('chat.webhook.nameHint')}
              maxLength={LIMITS.incomingWebhookNameLength}
              pattern=".*\S.*"
              autoComplete="off"
              required
              data-autofocus
            />
            <NativeSelect
              name="botId"
              label={t('chat.webhook.bot')}
              data={bots.map(({ botId, name }) => ({ value: botId, label: name }))}
            />
          </FormDialog>
        )}
        {fresh && <Fresh webhook={fresh} onStored={() => setFresh(undefined)} />}
      </GroupSection>
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
  const t = useTexts();
  const body = { groupId, botId, webhookId };
  const renew = useGroupChange('POST /groups/incoming-webhooks/renew', { onSuccess: onRenewed });
  const revoke = useGroupChange('POST /groups/incoming-webhooks/revoke', { done: t('chat.webhook.revoked') });
  return (
    <Stack component="li" gap={4} py="xs" aria-label={name}>
      <Text>{name}</Text>
      <Dimmed>
        {t('chat.webhook.made', { bot: botName })} ·{' '}
        <Happened words={t('chat.webhook.lastUsed')} at={lastUsedAt} never={t('chat.webhook.never')} />
      </Dimmed>
      <Group gap="xs">
        <ConfirmButton
          size="compact-sm"
          label={t('chat.webhook.renew')}
          title={t('chat.webhook.renewTitle', { name })}
          text={t('chat.webhook.renewText')}
          {...confirms(renew, { body })}
        />
        <ConfirmButton
          size="compact-sm"
          label={t('chat.webhook.revoke')}
          title={t('chat.webhook.revokeTitle', { name })}
          text={t('chat.webhook.revokeText')}
          {...confirms(revoke, { body })}
        />
      </Group>
    </Stack>
  );
}

function Fresh({ webhook: { name, url }, onStored }: { webhook: NewIncomingWebhook; onStored: () => void }) {
  const t = useTexts();
  return (
    <ShownOnce
      title={t('chat.webhook.addressOf', { name })}
      done={t('chat.webhook.done')}
      leave={{ title: t('chat.webhook.leaveTitle'), text: t('chat.webhook.leaveText') }}
      onStored={onStored}
    >
      <CopyField label={t('chat.webhook.address')} value={url} hint={t('chat.webhook.secret')} />
      <Text size="sm">
        <Guide />
      </Text>
    </ShownOnce>
  );
}

function Guide() {
  const t = useTexts();
  return (
    <Anchor href="/docs/guide/incoming-webhooks" target="_blank" inherit underline="always">
      {t('chat.webhook.guide')}
    </Anchor>
  );
}
