import {
  Button,
  Card,
  Checkbox,
  Grid,
  Group,
  List,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type GrantedScope, OAUTH_SCOPES, OPENID_SCOPES } from '#contract/scopes.ts';
import { CopyField } from '../../ui/parts/copy-field.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { uniqueId } from '../../ui/secure-context.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { consoleQuery } from '../application/queries.ts';

/** Looks like a button, but is not one. */
const STILL = { pointerEvents: 'none' } as const;

/** A preview of the consent page. */
function ConsentPreview({ scopes, redirectUri }: { scopes: string[]; redirectUri: string | undefined }) {
  const t = useTexts();
  const { appId } = useApplication();
  const preview = useQuery({
    ...consoleQuery('GET /applications/:appId/consent-preview', {
      params: { appId },
      query: { scope: scopes.join(' '), redirectUri },
    }),
    placeholderData: keepPreviousData,
  });
  return (
    <Card withBorder component="section" aria-label={t('console.oauth.preview')}>
      <QueryView query={preview} loading={<Skeleton height={180} />}>
        {(found) => (
          <>
            <Title order={3} size="h4" mb="sm">
              {found.question}
            </Title>
            <Text fw={600} size="sm">
              {found.ifYouApprove}
            </Text>
            <List spacing="xs" my="xs" size="sm">
              {found.scopes.map(({ scope, title, detail }) => (
                <List.Item key={scope}>
                  <b>{title}</b>
                  <Dimmed size="xs">{detail}</Dimmed>
                </List.Item>
              ))}
            </List>
            {found.goesOnTo && <Text size="sm">{found.goesOnTo}</Text>}
            <Group grow mt="md">
              <Button component="span" variant="default" style={STILL}>
                {found.deny}
              </Button>
              <Button component="span" style={STILL}>
                {found.approve}
              </Button>
            </Group>
          </>
        )}
      </QueryView>
    </Card>
  );
}

/** Builds the URL of the consent page, to copy or to try at once (contract §4, OAuth 2.0). */
export function AuthorizeUrl() {
  const t = useTexts();
  const { appId, redirectUris, extensions } = useApplication();
  const known: GrantedScope[] = [...(extensions.includes('openid') ? OPENID_SCOPES : []), ...OAUTH_SCOPES];
  const [checked, setChecked] = useState<string[]>(['profile']);
  const scopes = known.filter((scope) => checked.includes(scope));
  const [chosen, setChosen] = useState<string | null>(null);
  const [state, setState] = useState<string>(() => uniqueId());
  const [challenge, setChallenge] = useState('');
  const redirectUri = chosen !== null && redirectUris.includes(chosen) ? chosen : redirectUris[0];
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: appId,
    redirect_uri: redirectUri ?? 'https://…',
    scope: scopes.join(' '),
    ...(state && { state }),
    ...(challenge && { code_challenge: challenge, code_challenge_method: 'S256' }),
  });
  const url = `${location.origin}/oauth/authorize?${query}`;
  return (
    <Section title={t('console.oauth.builder')} lead={t('console.oauth.builderLead')}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack>
            <Checkbox.Group label={t('console.oauth.scopes')} value={scopes} onChange={setChecked}>
              <Stack gap={6} mt={6}>
                {known.map((scope) => (
                  <Checkbox
                    key={scope}
                    value={scope}
                    label={scope}
                    description={t(`console.scope.${scope}`)}
                  />
                ))}
              </Stack>
            </Checkbox.Group>
            <Select
              label={t('console.oauth.redirectUri')}
              data={redirectUris}
              value={redirectUri ?? null}
              onChange={setChosen}
              disabled={redirectUris.length === 0}
              placeholder={t('console.oauth.noRedirectUris')}
            />
            <TextInput
              label={t('console.oauth.state')}
              description={t('console.oauth.stateHint')}
              value={state}
              onChange={({ currentTarget }) => setState(currentTarget.value)}
            />
            <TextInput
              label={t('console.oauth.challenge')}
              description={t('console.oauth.challengeHint')}
              value={challenge}
              onChange={({ currentTarget }) => setChallenge(currentTarget.value)}
            />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="xs">
            <Text size="sm" fw={600}>
              {t('console.oauth.preview')}
            </Text>
            {scopes.length > 0 ? (
              <ConsentPreview scopes={scopes} redirectUri={redirectUri} />
            ) : (
              <Dimmed>{t('console.oauth.previewNone')}</Dimmed>
            )}
          </Stack>
        </Grid.Col>
      </Grid>
      <Stack>
        <CopyField label={t('console.oauth.url')} value={url} isBlock />
        {redirectUri !== undefined && scopes.length > 0 && (
          <Button
            w="fit-content"
            component="a"
            href={url}
            target="_blank"
            rel="noopener"
            variant="default"
            leftSection={<IconExternalLink size={16} />}
          >
            {t('console.oauth.tryIt')}
          </Button>
        )}
        <CopyField
          label={t('console.oauth.exchange')}
          isBlock
          value={[
            `curl ${location.origin}/oauth/token \\`,
            `  -d grant_type=authorization_code -d client_id=${appId} -d client_secret=$CLIENT_SECRET \\`,
            `  -d code=$CODE --data-urlencode redirect_uri=${redirectUri ?? 'https://…'}`,
          ].join('\n')}
        />
      </Stack>
    </Section>
  );
}
