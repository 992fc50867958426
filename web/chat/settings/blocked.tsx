import { Button, Group, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Peer } from '#contract/chat.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { showError, tell } from '../../ui/parts/faults.tsx';
import { QueryView } from '../../ui/parts/query-view.tsx';
import { useTexts } from '../../ui/texts.ts';
import { setBlocked } from '../conversations/queries.ts';
import { Avatar } from '../media/avatar.tsx';
import { Page } from '../parts/page.tsx';
import { blockedQuery } from './queries.ts';
import { blockedTexts, settingsTexts } from './texts.ts';

/** The people and bots that the person blocked, with a button to unblock each. */
export function Component() {
  const t = { ...useTexts(settingsTexts), ...useTexts(blockedTexts) };
  const blocked = useQuery(blockedQuery);
  return (
    <Page title={t.blocked} lead={t.lead} back="/settings">
      <QueryView query={blocked}>
        {(list) =>
          list.length === 0 ? (
            <Empty icon={<IconBan />} title={t.none}>
              {t.noneText}
            </Empty>
          ) : (
            <Stack gap="xs">
              {list.map((peer) => (
                <Row key={peer.userId} peer={peer} />
              ))}
            </Stack>
          )
        }
      </QueryView>
    </Page>
  );
}

function Row({ peer: { userId, name, isBot, username, pictureUrl } }: { peer: Peer }) {
  const t = useTexts(blockedTexts);
  const client = useQueryClient();
  const unblock = useMutation({
    mutationFn: () => setBlocked(userId, false),
    onSuccess: () => {
      tell(t.unblocked);
      return client.invalidateQueries(blockedQuery);
    },
    onError: showError,
  });
  return (
    <Group wrap="nowrap" mih={52}>
      <Avatar name={name} seed={userId} pictureUrl={pictureUrl} />
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text truncate>{name}</Text>
        {isBot && (
          <Text size="xs" c="dimmed" truncate>
            {username ? `@${username}` : t.bot}
          </Text>
        )}
      </div>
      <Button
        variant="default"
        size="compact-sm"
        aria-label={t.unblockNamed(name)}
        loading={unblock.isPending}
        onClick={() => unblock.mutate()}
      >
        {t.unblock}
      </Button>
    </Group>
  );
}
