import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api.ts';
import { Fault } from '../parts/faults.tsx';
import { useTexts } from '../texts.ts';
import { sessionQuery, useChangeOfPerson } from './session.ts';
import { sessionTexts } from './texts.ts';

/** Asks somebody who joined before there were these terms, at their next visit. */
export function AskForTerms({ termsUrl }: { termsUrl: string }) {
  const t = useTexts(sessionTexts);
  const queries = useQueryClient();
  const leave = useChangeOfPerson();
  const accept = useMutation({
    mutationFn: () => api.post('/api/auth/terms', { termsUrl }),
    onSuccess: () => queries.invalidateQueries(sessionQuery),
  });
  const signOut = useMutation({
    mutationFn: () => api.post('/api/auth/sign-out', {}),
    onSuccess: () => leave(null),
  });
  return (
    <Modal opened onClose={() => undefined} withCloseButton={false} title={t.termsTitle} centered>
      <Stack>
        <Text size="sm">
          {t.termsText}{' '}
          <Anchor href={termsUrl} target="_blank" rel="noopener" size="sm">
            {t.readTerms}
          </Anchor>
        </Text>
        {accept.isError && <Fault error={accept.error} />}
        <Group justify="flex-end">
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
            {t.signOut}
          </Button>
          <Button loading={accept.isPending} onClick={() => accept.mutate()} data-autofocus>
            {t.acceptTermsButton}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
