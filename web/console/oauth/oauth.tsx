import { Badge, Text } from '@mantine/core';
import { IconLogin2 } from '@tabler/icons-react';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { Happened, Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { Scopes } from '../../ui/parts/scopes.tsx';
import { Screen, Section } from '../../ui/parts/screen.tsx';
import { WideTable } from '../../ui/parts/wide-table.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly, useApplication } from '../application/layout.tsx';
import { useChange, useOwnPages } from '../application/queries.ts';
import { AuthorizeUrl } from './authorize-url.tsx';
import { OpenId } from './openid.tsx';
import { Uris } from './uris.tsx';

/** Grants, newest first, with the reasons why some have ended. */
function Grants() {
  const t = useTexts();
  return (
    <Section title={t('console.oauth.grants')} lead={t('console.oauth.grantsLead')}>
      <Pages
        query={useOwnPages('GET /applications/:appId/grants')}
        items={({ grants }) => grants}
        empty={
          <Empty icon={<IconLogin2 />} title={t('console.oauth.noGrants')}>
            {t('console.oauth.noGrantsText')}
          </Empty>
        }
      >
        {(grants) => (
          <WideTable
            label={t('console.oauth.grants')}
            minWidth={560}
            verticalSpacing="sm"
            items={grants}
            keyOf={({ grantId }) => grantId}
            columns={[
              [t('console.oauth.granted'), ({ grantedAt }) => <Moment at={grantedAt} />],
              [t('console.oauth.scopes'), ({ scopes }) => <Scopes scopes={scopes} />],
              [t('console.oauth.refreshed'), ({ lastRefreshedAt }) => <Happened at={lastRefreshedAt} />],
              [
                t('console.oauth.state_'),
                ({ endedAt, endReason }) => (
                  <>
                    <Badge variant="dot" color={endedAt === undefined ? 'teal' : 'gray'} fw={500}>
                      {endedAt === undefined ? t('console.oauth.holds') : t('console.oauth.ended')}
                    </Badge>
                    {endReason && <Dimmed size="xs">{t(`console.grantEnd.${endReason}`)}</Dimmed>}
                  </>
                ),
              ],
            ]}
          />
        )}
      </Pages>
    </Section>
  );
}

/** Redirect URIs, the authorization URL, and the grants. */
export function Component() {
  const t = useTexts();
  return (
    <Screen title={t('console.application.oauth')} lead={t('console.oauth.lead')} size="lg">
      <RedirectUris />
      <AuthorizeUrl />
      <OpenId />
      <Grants />
    </Screen>
  );
}

/** The registered redirect URIs (contract §5.4). */
function RedirectUris() {
  const t = useTexts();
  const { redirectUris } = useApplication();
  const add = useChange('POST /applications/:appId/redirect-uris', { done: t('console.oauth.added') });
  const remove = useChange('DELETE /applications/:appId/redirect-uris', { done: t('console.oauth.removed') });
  return (
    <Section title={t('console.oauth.redirectUris')} lead={t('console.oauth.redirectUrisLead')}>
      <DeveloperOnly>
        {redirectUris.length === 0 && <Text size="sm">{t('console.oauth.noRedirectUris')}</Text>}
        <Uris
          uris={redirectUris}
          onRemove={(redirectUri) => remove.mutate({ body: { redirectUri } })}
          label={t('console.oauth.redirectUri')}
          placeholder="https://example.com/callback"
          isPending={add.isPending}
          onSubmit={(redirectUri, after) => add.mutate({ body: { redirectUri } }, after)}
        />
      </DeveloperOnly>
    </Section>
  );
}
