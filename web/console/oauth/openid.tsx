import { ActionIcon, Alert, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OpenIdSettings } from '#contract/openid.ts';
import { callConsole } from '../../ui/api.ts';
import { useChangeOf } from '../../ui/parts/change.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Form } from '../../ui/parts/form.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { useApplication } from '../application/layout.tsx';
import { consoleQuery, keysOf, useChange } from '../application/queries.ts';

/** OpenID Connect: the owner's switch, the logout URLs, and settings to copy into other programs. */
export function OpenId() {
  const t = useTexts();
  const { appId } = useApplication();
  const settings = useQuery(consoleQuery('GET /applications/:appId/openid', { params: { appId } }));
  return (
    <Section title={t('console.openId.title')} lead={t('console.openId.lead')}>
      <QueryView query={settings}>{(found) => <Settings settings={found} />}</QueryView>
    </Section>
  );
}

function Settings({ settings }: { settings: OpenIdSettings }) {
  const t = useTexts();
  const { role } = useApplication();
  return (
    <Stack>
      <ExtensionSwitch extension="openid" label={t('console.openId.on')} hint={t('console.openId.onHint')} />
      {settings.isEnabled && (
        <>
          <Copied issuer={settings.issuer} />
          {role !== 'viewer' && <Logout settings={settings} />}
        </>
      )}
    </Stack>
  );
}

function Copied({ issuer }: { issuer: string }) {
  const t = useTexts();
  const { appId, redirectUris } = useApplication();
  const given = { issuer, appId, redirectUri: redirectUris[0] ?? 'https://…' };
  return (
    <>
      <CopyField label={t('console.openId.discovery')} value={`${issuer}/.well-known/openid-configuration`} />
      <CopyField label={t('console.openId.issuer')} value={issuer} />
      <CopyField label={t('console.openId.clientId')} value={appId} />
      <CopyField label={t('console.openId.scopes')} value="openid email profile" />
      <CopyField label={t('console.openId.apache')} isBlock value={apacheSettings(given)} />
      <CopyField label={t('console.openId.grafana')} isBlock value={grafanaSettings(given)} />
      <Text size="sm" c="dimmed">
        {t('console.openId.others')}
      </Text>
    </>
  );
}

function Logout({ settings }: { settings: OpenIdSettings }) {
  const t = useTexts();
  const { appId } = useApplication();
  const [resume, setGoOn] = useState('');
  const [hook, setHook] = useState(settings.backchannelLogoutUri ?? '');
  const add = useChange('POST /applications/:appId/openid/post-logout-redirect-uris', {
    done: t('console.openId.saved'),
    onSuccess: () => setGoOn(''),
  });
  const remove = useChange('DELETE /applications/:appId/openid/post-logout-redirect-uris', {
    done: t('console.openId.removed'),
  });
  const setUri = useChangeOf(
    keysOf(appId),
    () =>
      hook === ''
        ? callConsole('DELETE /applications/:appId/openid/backchannel-logout-uri', { params: { appId } })
        : callConsole('PUT /applications/:appId/openid/backchannel-logout-uri', {
            params: { appId },
            body: { backchannelLogoutUri: hook },
          }),
    { done: t('console.openId.saved') },
  );
  return (
    <>
      <Text fw={600} size="sm">
        {t('console.openId.afterLogout')}
      </Text>
      {settings.postLogoutRedirectUris.length > 0 && (
        <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {settings.postLogoutRedirectUris.map((uri) => (
            <Group key={uri} component="li" wrap="nowrap" gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('console.openId.remove', { uri })}
                onClick={() => remove.mutate({ params: { appId }, body: { postLogoutRedirectUri: uri } })}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
      )}
      <Form onSubmit={() => add.mutate({ params: { appId }, body: { postLogoutRedirectUri: resume } })}>
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label={t('console.openId.postLogoutUri')}
            placeholder="https://example.com/"
            value={resume}
            onChange={({ currentTarget }) => setGoOn(currentTarget.value)}
            maxLength={2048}
            inputMode="url"
            autoCapitalize="none"
            required
            flex={1}
            maw={520}
          />
          <Button type="submit" variant="default" loading={add.isPending}>
            {t('ui.common.add')}
          </Button>
        </Group>
      </Form>
      <Form onSubmit={() => setUri.mutate(undefined)}>
        <Group align="flex-end" wrap="nowrap">
          <TextInput
            label={t('console.openId.backchannelUri')}
            description={t('console.openId.backchannelHint')}
            placeholder="https://example.com/callback?logout=backchannel"
            value={hook}
            onChange={({ currentTarget }) => setHook(currentTarget.value)}
            maxLength={2048}
            inputMode="url"
            autoCapitalize="none"
            flex={1}
            maw={520}
          />
          <Button type="submit" variant="default" loading={setUri.isPending}>
            {t('console.openId.save')}
          </Button>
        </Group>
      </Form>
      {settings.lastLogoutFailure && (
        <Alert color="orange" title={t('console.openId.failed')}>
          {settings.lastLogoutFailure.fault}
        </Alert>
      )}
    </>
  );
}

interface Given {
  issuer: string;
  appId: string;
  redirectUri: string;
}

/** For Debian's libapache2-mod-auth-openidc. */
function apacheSettings({ issuer, appId, redirectUri }: Given): string {
  return [
    `OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration`,
    `OIDCClientID ${appId}`,
    'OIDCClientSecret …',
    `OIDCRedirectURI ${redirectUri}`,
    'OIDCCryptoPassphrase …',
    'OIDCScope "openid email profile"',
    'OIDCPKCEMethod S256',
    '<Location />',
    '  AuthType openid-connect',
    '  Require valid-user',
    '</Location>',
  ].join('\n');
}

/** The section of grafana.ini. */
function grafanaSettings({ issuer, appId }: Given): string {
  return [
    '[auth.generic_oauth]',
    'enabled = true',
    'name = Parley',
    `client_id = ${appId}`,
    'client_secret = …',
    'scopes = openid email profile',
    `auth_url = ${issuer}/oauth/authorize`,
    `token_url = ${issuer}/oauth/token`,
    `api_url = ${issuer}/oauth/userinfo`,
    'login_attribute_path = sub',
    'use_pkce = true',
    'use_refresh_token = true',
  ].join('\n');
}
