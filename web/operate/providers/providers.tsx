import { Alert, Badge, Button, Card, Group, Stack, Title } from '@mantine/core';
import { IconBuilding } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatedProvider } from '#contract/operate/providers.ts';
import { confirms, runs } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryRows } from '../../ui/parts/query-view.tsx';
import { Screen } from '../../ui/parts/screen.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { ActButton } from '../parts/act-button.tsx';
import { CopyDialog } from '../parts/copy-dialog.tsx';
import { operateQuery, useOperateChange } from '../parts/queries.ts';
import { POLICIES, ProviderForm } from './provider-form.tsx';

/** Providers through which people sign in. */
export function Component() {
  const t = useTexts();
  const providers = useQuery({ ...operateQuery('GET /providers'), select: ({ providers: list }) => list });
  const [isAdding, setAdding] = useState(false);
  const add = useOperateChange('POST /providers', {
    done: t('operate.provider.added'),
    onSuccess: () => setAdding(false),
  });
  return (
    <Screen
      title={t('operate.section.providers')}
      lead={t('operate.provider.lead')}
      size="lg"
      action={<Button onClick={() => setAdding(true)}>{t('operate.provider.add')}</Button>}
    >
      <QueryRows
        query={providers}
        empty={
          <Empty icon={<IconBuilding />} title={t('operate.provider.none')}>
            {t('operate.provider.noneText')}
          </Empty>
        }
      >
        {(provider) => <Provider key={provider.providerId} provider={provider} />}
      </QueryRows>
      <ProviderForm
        opened={isAdding}
        onClose={() => setAdding(false)}
        title={t('operate.provider.add')}
        submit={t('operate.provider.add')}
        loading={add.isPending}
        onGiven={({ issuer = '', clientSecret = '', ...settings }) =>
          add.mutate({ body: { ...settings, issuer, clientSecret } })
        }
      />
    </Screen>
  );
}

function Provider({ provider }: { provider: OperatedProvider }) {
  const t = useTexts();
  const { providerId, name, issuer, domains, operators } = provider;
  const params = { providerId };
  const [isChanging, setChanging] = useState(false);
  const change = useOperateChange('PATCH /providers/:providerId', {
    done: t('operate.provider.changed'),
    onSuccess: () => setChanging(false),
  });
  return (
    <Card withBorder component="article" aria-label={name}>
      <Stack>
        <div>
          <Title order={2}>{name}</Title>
          <Dimmed>{issuer}</Dimmed>
        </div>
        <Group gap="xs">
          {POLICIES.filter((policy) => provider[policy]).map((policy) => (
            <Badge key={policy}>{t(`operate.provider.${policy}`)}</Badge>
          ))}
          {domains.map((domain) => (
            <Badge key={domain} color="gray">
              {domain}
            </Badge>
          ))}
          {operators && <Badge color="gray">{t('operate.provider.operators', operators)}</Badge>}
        </Group>
        {(['callbackUrl', 'logoutUrl'] as const).map((address) => (
          <CopyField key={address} label={t(`operate.provider.${address}`)} value={provider[address]} />
        ))}
        {provider.hasScimToken && (
          <CopyField label={t('operate.provider.scimUrl')} value={provider.scimUrl} />
        )}
        <Trial providerId={providerId} />
        <Group gap="xs">
          <Button variant="default" onClick={() => setChanging(true)}>
            {t('operate.provider.change')}
          </Button>
          <ScimToken provider={provider} />
          <ActButton
            act="provider.removed"
            params={params}
            title={t('operate.actTitle.provider.removed', { name })}
          />
        </Group>
      </Stack>
      <ProviderForm
        provider={provider}
        opened={isChanging}
        onClose={() => setChanging(false)}
        title={t('operate.provider.change')}
        submit={t('ui.common.save')}
        loading={change.isPending}
        onGiven={({ issuer: _, ...settings }) => change.mutate({ params, body: settings })}
      />
    </Card>
  );
}

/** Tries the provider as far as that is possible without a person. */
function Trial({ providerId }: { providerId: string }) {
  const t = useTexts();
  const words = useServerWords();
  const attempt = useOperateChange('POST /providers/:providerId/try');
  const faults = attempt.data?.faults;
  return (
    <>
      <Button w="fit-content" variant="light" {...runs(attempt, { params: { providerId } })}>
        {t('operate.provider.try')}
      </Button>
      {faults?.length === 0 && (
        <Alert color="teal" variant="light">
          {t('operate.provider.works')}
        </Alert>
      )}
      {faults?.map(({ what, remedy }) => (
        <Alert key={what.message} color="red" variant="light" role="alert" title={words(what)}>
          {words(remedy)}
        </Alert>
      ))}
    </>
  );
}

function ScimToken({ provider: { providerId, hasScimToken } }: { provider: OperatedProvider }) {
  const t = useTexts();
  const [token, setToken] = useState<string>();
  const make = useOperateChange('POST /providers/:providerId/scim-token', {
    onSuccess: (made) => setToken(made.token),
  });
  const close = () => setToken(undefined);
  return (
    <>
      <ConfirmButton
        color={hasScimToken ? 'red' : 'parley'}
        label={t(hasScimToken ? 'operate.provider.renewToken' : 'operate.provider.makeToken')}
        text={t('operate.provider.tokenText')}
        {...confirms(make, { params: { providerId } })}
      />
      {hasScimToken && <ActButton act="provider.scim-token-removed" params={{ providerId }} />}
      <CopyDialog title={t('operate.provider.scimToken')} value={token} onClose={close} />
    </>
  );
}
