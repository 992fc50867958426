import { Button, Card, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { ApiKeyInfo, CreateApiKey } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import { DEFAULT_KEY_SCOPES, KEY_SCOPES, type Scope } from '#contract/scopes.ts';
import { confirms } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { FormDialog } from '../../ui/parts/dialog.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { ShownOnce } from '../../ui/parts/shown-once.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';

/** The bot's API keys. To rotate a key without downtime, a new one is created first. */
export function ApiKeys() {
  const t = useTexts();
  const { apiKeys } = useApplication();
  const [fresh, setFresh] = useState<string>();
  const [isAdding, setAdding] = useState(false);
  const show = ({ apiKey }: { apiKey: string }) => setFresh(apiKey);
  const create = useChange('POST /applications/:appId/api-keys', {
    onSuccess: (made) => {
      setAdding(false);
      show(made);
    },
  });
  const regenerate = useChange('POST /applications/:appId/api-key', { onSuccess: show });
  return (
    <Section
      title={t('console.credentials.apiKeys')}
      lead={t('console.credentials.apiKeysLead')}
      action={
        <Group gap="xs">
          <Button
            loading={create.isPending}
            disabled={apiKeys.length >= LIMITS.apiKeys}
            onClick={() => setAdding(true)}
          >
            {t('console.credentials.createKey')}
          </Button>
          <ConfirmButton
            label={t('console.credentials.regenerate')}
            title={t('console.credentials.regenerateKeyTitle')}
            text={
              apiKeys.length > 1
                ? t('console.credentials.regenerateKeysText', { count: apiKeys.length })
                : t('console.credentials.regenerateKeyText')
            }
            {...confirms(regenerate)}
          />
        </Group>
      }
    >
      <FreshSecret
        label={t('console.credentials.newKey')}
        value={fresh}
        onStored={() => setFresh(undefined)}
      />
      {isAdding && (
        <KeyForm
          title={t('console.credentials.createKey')}
          submit={t('console.credentials.createKey')}
          name=""
          scopes={DEFAULT_KEY_SCOPES}
          loading={create.isPending}
          onClose={() => setAdding(false)}
          onGiven={(key) => create.mutate({ body: key })}
        />
      )}
      <Stack gap="sm">
        {apiKeys.map((key) => (
          <Key key={key.fingerprint} apiKey={key} isLast={apiKeys.length === 1} />
        ))}
      </Stack>
      {apiKeys.length === 0 && <Text c="dimmed">{t('console.credentials.noKeys')}</Text>}
    </Section>
  );
}

function Key({ apiKey, isLast }: { apiKey: ApiKeyInfo; isLast: boolean }) {
  const t = useTexts();
  const { fingerprint, name, scopes, createdAt, lastUsedAt } = apiKey;
  const [isEditing, setEditing] = useState(false);
  const change = useChange('PATCH /applications/:appId/api-keys/:fingerprint', {
    done: t('console.credentials.keyChanged'),
    onSuccess: () => setEditing(false),
  });
  const revoke = useChange('DELETE /applications/:appId/api-keys/:fingerprint', {
    done: t('console.credentials.keyRevoked'),
  });
  return (
    <Card withBorder padding="sm" component="article" aria-label={name}>
      <Stack gap="xs">
        <Group justify="space-between">
          <Text fw={600}>{name}</Text>
          <Group gap="xs">
            <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
              {t('ui.common.edit')}
            </Button>
            <ConfirmButton
              size="compact-sm"
              label={t('console.credentials.revoke')}
              title={t('console.credentials.revokeTitle', { name })}
              text={isLast ? t('console.credentials.revokeLastText') : t('console.credentials.revokeText')}
              {...confirms(revoke, { params: { fingerprint } })}
            />
          </Group>
        </Group>
        <Scopes scopes={scopes} />
        <Text size="sm">
          {t('console.credentials.created')} <Moment at={createdAt} />
          {' · '}
          <Happened
            words={t('console.credentials.lastUsed')}
            at={lastUsedAt}
            never={t('console.credentials.never')}
          />
        </Text>
        <Dimmed size="xs">
          {t('console.credentials.fingerprint')}: {fingerprint}
        </Dimmed>
      </Stack>
      {isEditing && (
        <KeyForm
          title={t('console.credentials.editKey')}
          submit={t('ui.common.save')}
          name={name}
          scopes={scopes}
          loading={change.isPending}
          onClose={() => setEditing(false)}
          onGiven={(key) => change.mutate({ params: { fingerprint }, body: key })}
        />
      )}
    </Card>
  );
}

/** Name and scopes of a key. */
function KeyForm({
  name,
  scopes,
  onGiven,
  ...dialog
}: Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'children'> & {
  name: string;
  scopes: readonly Scope[];
  onGiven: (key: CreateApiKey) => void;
}) {
  const t = useTexts();
  const [chosen, setChosen] = useState<string[]>([...scopes]);
  return (
    <FormDialog
      {...dialog}
      disabled={chosen.length === 0}
      onSubmit={(fields) => onGiven({ name: String(fields.get('name')), scopes: chosen as Scope[] })}
    >
      <TextInput
        name="name"
        label={t('console.credentials.keyName')}
        description={t('console.credentials.keyNameHint')}
        defaultValue={name}
        maxLength={LIMITS.apiKeyNameLength}
        pattern=".*\S.*"
        autoComplete="off"
        required
        data-autofocus
      />
      <Checkbox.Group label={t('console.credentials.scopes')} value={chosen} onChange={setChosen}>
        <Stack gap={6} mt={6}>
          {KEY_SCOPES.map((scope) => (
            <Checkbox key={scope} value={scope} label={scope} description={t(`console.scope.${scope}`)} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}

/** A new secret, shown until the developer confirms that it is stored. */
export function FreshSecret({
  label,
  value,
  onStored,
}: {
  label: string;
  value: string | undefined;
  onStored: () => void;
}) {
  const t = useTexts();
  if (value === undefined) return null;
  return (
    <ShownOnce
      title={label}
      done={t('console.credentials.done')}
      leave={{ title: t('console.credentials.leaveTitle'), text: t('console.credentials.leaveText') }}
      size="lg"
      onStored={onStored}
    >
      <CopyField label={label} value={value} hint={t('console.credentials.shownOnce')} />
    </ShownOnce>
  );
}
