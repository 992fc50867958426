import { ActionIcon, Button, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { LIMITS } from '#contract/limits.ts';
import { callConsole } from '../../ui/api.ts';
import { Form } from '../../ui/parts/form.tsx';
import { Section } from '../../ui/parts/screen.tsx';
import { useTexts } from '../../ui/texts.ts';
import { DeveloperOnly } from '../application/developer-only.tsx';
import { useApplication } from '../application/layout.tsx';
import { useChange } from '../application/queries.ts';

/** The registered redirect URIs (contract §5.4). */
export function RedirectUris() {
  const t = useTexts();
  const { appId, redirectUris } = useApplication();
  const [typed, setTyped] = useState('');
  const add = useChange(
    appId,
    () =>
      callConsole('POST /applications/:appId/redirect-uris', {
        params: { appId },
        body: { redirectUri: typed },
      }),
    {
      done: t('console.oauth.added'),
      onSuccess: () => setTyped(''),
    },
  );
  const remove = useChange(
    appId,
    (redirectUri: string) =>
      callConsole('DELETE /applications/:appId/redirect-uris', { params: { appId }, body: { redirectUri } }),
    {
      done: t('console.oauth.removed'),
    },
  );
  return (
    <Section title={t('console.oauth.redirectUris')} lead={t('console.oauth.redirectUrisLead')}>
      <DeveloperOnly>
        {redirectUris.length === 0 && <Text size="sm">{t('console.oauth.noRedirectUris')}</Text>}
        <Stack gap={4} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {redirectUris.map((uri) => (
            <Group key={uri} component="li" wrap="nowrap" gap="xs">
              <Code style={{ overflowWrap: 'anywhere' }}>{uri}</Code>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('console.oauth.removeUri', { uri })}
                onClick={() => remove.mutate(uri)}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          ))}
        </Stack>
        <Form onSubmit={() => add.mutate(undefined)}>
          <Group align="flex-end" wrap="nowrap">
            <TextInput
              label={t('console.oauth.redirectUri')}
              placeholder="https://example.com/callback"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
              maxLength={LIMITS.urlLength}
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
      </DeveloperOnly>
    </Section>
  );
}
