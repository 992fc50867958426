import { Anchor, Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callAuth } from '../api.ts';
import { runs } from '../parts/change.ts';
import { Fault } from '../parts/faults.tsx';
import { Preferences } from '../parts/preferences.tsx';
import { useTexts } from '../texts.ts';
import { sessionQuery, useSignOut } from './session.ts';

/** Asks people who joined before the current terms to accept them; nothing else is shown until they do. */
export function AskForTerms({ termsUrl }: { termsUrl: string }) {
  const t = useTexts();
  const queries = useQueryClient();
  const leave = useSignOut();
  const accept = useMutation({
    mutationFn: () => callAuth('POST /terms', { body: { termsUrl } }),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  return (
    <Stack component="main" maw={460} mx="auto" px="md" pt="max(1rem, 12vh)" pb="xl">
      <title>{`${t('ui.session.termsTitle')} – ${t('ui.common.service')}`}</title>
      <Group gap="xs">
        <img src="/icon.svg" width={28} height={28} alt="" />
        <Text fw={650} size="lg">
          {t('ui.common.service')}
        </Text>
      </Group>
      <Card withBorder padding="xl" radius="lg">
        <Stack>
          <Title order={1}>{t('ui.session.termsTitle')}</Title>
          <Text>
            {t('ui.session.termsText')}{' '}
            <Anchor href={termsUrl} target="_blank" rel="noopener" underline="always">
              {t('ui.session.readTerms')}
            </Anchor>
          </Text>
          {accept.isError && <Fault error={accept.error} />}
          <Button {...runs(accept)}>{t('ui.session.acceptTermsButton')}</Button>
          <Button variant="subtle" {...runs(leave)}>
            {t('ui.session.signOut')}
          </Button>
        </Stack>
      </Card>
      <Preferences />
    </Stack>
  );
}
