import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { callConsole } from '../../ui/api.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useServerWords } from '../../ui/server-words.ts';
import { useTexts } from '../../ui/texts.ts';
import { useApplication } from '../application/layout.tsx';
import { auditTexts, eventsTexts } from './texts.ts';

/** Tests whether the receiver refuses what it should: forged and stale events. */
export function EndpointAudit() {
  const t = useTexts(eventsTexts);
  const inOwnWords = useServerWords();
  const names = useTexts(auditTexts);
  const { appId, webhookUrl } = useApplication();
  const audit = useMutation({
    mutationFn: () => callConsole('POST /applications/:appId/webhook/audit', { params: { appId } }),
    onError: showError,
  });
  return (
    <Stack maw={640} align="flex-start">
      <Text size="sm" c="dimmed">
        {webhookUrl ? t.auditLead : t.noUrl}
      </Text>
      <Button variant="light" loading={audit.isPending} disabled={!webhookUrl} onClick={() => audit.mutate()}>
        {t.runAudit}
      </Button>
      {audit.data && (
        <Alert
          w="100%"
          role="status"
          color={audit.data.isPassed ? 'teal' : 'red'}
          title={audit.data.isPassed ? t.auditPassed : t.auditFailed}
        >
          <Stack gap="xs">
            {audit.data.checks.map(({ check, isAccepted, isFault, ...finding }) => (
              <Group key={check} wrap="nowrap" align="flex-start" gap="xs">
                {isFault ? <IconX size={18} /> : <IconCheck size={18} />}
                <Text size="sm">
                  <b>{names[check]}</b> ({isAccepted ? t.accepted : t.refused}): {inOwnWords(finding)}
                </Text>
              </Group>
            ))}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
