import { Button, Card, Group, List, Skeleton, Text, Title } from '@mantine/core';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import classes from './consent-preview.module.css';

const previewQuery = (appId: string, name: string, scopes: string[], redirectUri?: string) =>
  queryOptions({
    queryKey: ['applications', appId, 'consent-preview', name, scopes, redirectUri],
    queryFn: ({ signal }) =>
      callConsole('GET /applications/:appId/consent-preview', {
        params: { appId },
        query: {
          scope: scopes.join(' '),
          redirectUri,
        },
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The consent page is always in English. */
const page = {
  ask: 'Let',
  signInTo: 'Sign in to',
  actForYou: 'act for you?',
  itCan: 'If you approve, it can:',
  goesOn: 'Whether you approve or deny, your browser will go to',
  noHost: 'the host of your redirect URI',
  deny: 'Deny',
  approve: 'Approve',
};

/** A preview of the consent page, with its original texts. */
export function ConsentPreview({
  scopes,
  redirectUri,
}: {
  scopes: string[];
  redirectUri: string | undefined;
}) {
  const t = useTexts();
  const { appId, name } = useApplication();
  const preview = useQuery(previewQuery(appId, name, scopes, redirectUri));
  return (
    <Card withBorder component="section" aria-label={t('console.oauth.preview')} lang="en">
      <QueryView query={preview} loading={<Skeleton height={180} />}>
        {(found) => (
          <>
            <Title order={3} size="h4" mb="sm">
              {found.isSignInAlone ? page.signInTo : page.ask} <bdi>{found.name}</bdi>
              {found.isSignInAlone ? '?' : ` ${page.actForYou}`}
            </Title>
            <Text fw={600} size="sm">
              {page.itCan}
            </Text>
            <List spacing="xs" my="xs" size="sm">
              {found.scopes.map(({ scope, title, detail }) => (
                <List.Item key={scope}>
                  <b>{title}</b>
                  <Text size="xs" c="dimmed">
                    {detail}
                  </Text>
                </List.Item>
              ))}
            </List>
            <Text size="sm">
              {page.goesOn} <b>{found.redirectHost ?? page.noHost}</b>.
            </Text>
            <Group grow mt="md">
              <Button component="span" variant="default" className={classes.still ?? ''}>
                {page.deny}
              </Button>
              <Button component="span" className={classes.still ?? ''}>
                {page.approve}
              </Button>
            </Group>
          </>
        )}
      </QueryView>
    </Card>
  );
}
