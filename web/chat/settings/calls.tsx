import { Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ApplicationCall } from '#contract/oauth.ts';
import { Moment } from '../../ui/parts/moment.tsx';
import { Pages } from '../../ui/parts/pages.tsx';
import { useTexts } from '../../ui/texts.ts';
import { callsQuery } from './queries.ts';
import { applicationTexts, callTexts } from './texts.ts';

/** The call log of an application: each call that it made on behalf of the person. */
export function Calls({ appId }: { appId: string }) {
  const t = useTexts(applicationTexts);
  const calls = useInfiniteQuery(callsQuery(appId));
  return (
    <Stack gap="xs">
      <div>
        <Title order={2} size="h5">
          {t.calls}
        </Title>
        <Text size="xs" c="dimmed">
          {t.callsLead}
        </Text>
      </div>
      <Pages query={calls} items={(page) => page.calls} empty={<Text size="sm">{t.noCalls}</Text>}>
        {(list) => list.map((call) => <Call key={call.requestId} call={call} />)}
      </Pages>
    </Stack>
  );
}

function Call({ call: { method, path, status, calledAt } }: { call: ApplicationCall }) {
  const t = useTexts(applicationTexts);
  const words = useTexts(callTexts);
  const name = `${method} ${path}`;
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" align="baseline">
      <Text size="sm" title={name}>
        {words[name] ?? name}
        {status >= 400 && (
          <Text span size="sm" c="red">
            {' '}
            {t.refused(status)}
          </Text>
        )}
      </Text>
      <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
        <Moment at={calledAt} />
      </Text>
    </Group>
  );
}
