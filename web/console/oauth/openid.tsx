import { Alert, Stack, Text } from '@mantine/core';
import type { OpenIdSettings } from '#contract/openid.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { ExtensionSwitch } from '../application/extension-switch.tsx';
import { useApplication } from '../application/layout.tsx';
import { useChange, useOwnQuery } from '../application/queries.ts';
import { UriForm, Uris } from './uris.tsx';

/** OpenID Connect: the owner's switch, the logout URLs, and settings to copy into other programs. */
export function OpenId() {
  const t = useTexts();
  return (
    <Section title={t('console.openId.title')} lead={t('console.openId.lead')}>
      <QueryView query={useOwnQuery('GET /applications/:appId/openid')}>
        {(found) => <Settings settings={found} />}
      </QueryView>
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
      <Dimmed>{t('console.openId.others')}</Dimmed>
    </>
  );
}

function Logout({ settings }: { settings: OpenIdSettings }) {
  const t = useTexts();
  const add = useChange('POST /applications/:appId/openid/post-logout-redirect-uris', {
    done: t('ui.common.saved'),
  });
  const remove = useChange('DELETE /applications/:appId/openid/post-logout-redirect-uris', {
    done: t('console.openId.removed'),
  });
  const set = useChange('PUT /applications/:appId/openid/backchannel-logout-uri', {
    done: t('ui.common.saved'),
  });
  const unset = useChange('DELETE /applications/:appId/openid/backchannel-logout-uri', {
    done: t('ui.common.saved'),
  });
  return (
    <>
      <Text fw={600} size="sm">
        {t('console.openId.afterLogout')}
      </Text>
      <Uris
        uris={settings.postLogoutRedirectUris}
        onRemove={(uri) => remove.mutate({ body: { postLogoutRedirectUri: uri } })}
        label={t('console.openId.postLogoutUri')}
        placeholder="https://example.com/"
        isPending={add.isPending}
        onSubmit={(uri, after) => add.mutate({ body: { postLogoutRedirectUri: uri } }, after)}
      />
      <UriForm
        label={t('console.openId.backchannelUri')}
        description={t('console.openId.backchannelHint')}
        placeholder="https://example.com/callback?logout=backchannel"
        defaultValue={settings.backchannelLogoutUri ?? ''}
        submit={t('ui.common.save')}
        isPending={set.isPending || unset.isPending}
        onSubmit={(uri) =>
          uri === '' ? unset.mutate({}) : set.mutate({ body: { backchannelLogoutUri: uri } })
        }
      />
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
