import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Peer } from '#contract/chat.ts';
import { runs, useChangeOf } from '../../ui/parts/change.ts';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { Empty } from '../../ui/parts/empty.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { setBlocked } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import { Page } from '../parts/page.tsx';
import { blockedQuery } from './queries.ts';

/** The people and bots that the person blocked, with a button to unblock each. */
export function Component() {
  const t = useTexts();
  const blocked = useQuery(blockedQuery);
  return (
    <Page title={t('chat.settings.blocked')} lead={t('chat.blocked.lead')} back="/settings">
      <QueryView
        query={blocked}
        empty={
          <Empty icon={<IconBan />} title={t('chat.blocked.none')}>
            {t('chat.blocked.noneText')}
          </Empty>
        }
      >
        {(list) => (
          <Stack gap="xs">
            {list.map((peer) => (
              <Row key={peer.userId} peer={peer} />
            ))}
          </Stack>
        )}
      </QueryView>
    </Page>
  );
}

function Row({ peer: { userId, name, isBot, username, pictureUrl } }: { peer: Peer }) {
  const t = useTexts();
  const unblock = useChangeOf([blockedQuery.queryKey], () => setBlocked(userId, false), {
    done: t('chat.blocked.unblocked'),
  });
  return (
    <Group wrap="nowrap" mih={52}>
      <Avatar name={name} seed={userId} pictureUrl={pictureUrl} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text truncate>{name}</Text>
        {isBot && (
          <Dimmed size="xs" truncate>
            {username ? `@${username}` : t('chat.blocked.bot')}
          </Dimmed>
        )}
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t('chat.blocked.unblockNamed', { name })}
        {...runs(unblock)}
      >
        {t('chat.blocked.unblock')}
      </Button>
    </Group>
  );
}
