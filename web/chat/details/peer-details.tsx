import { Badge, Button, Divider, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import type { Peer, Profile } from '#contract/chat.ts';
import { confirms, runs, useAction } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { Dimmed } from '../../ui/parts/dimmed.tsx';
import { useTexts } from '../../ui/texts.ts';
import { LastSeen } from '../conversations/last-seen.tsx';
import { nameOf } from '../conversations/names.ts';
import { botQuery, type OpenConversation, profileQuery, setBlocked } from '../conversations/queries.ts';
import { Avatar, LargeAvatar } from '../media/avatar.tsx';
import { useThread } from '../message/thread-context.ts';
import { ReportButton } from '../report/report-button.tsx';
import { ConversationSwitches, HideConversation, Shortcuts } from './conversation-switches.tsx';
import { SharedMenu } from './shared-content.tsx';

/** A person's or bot's profile, with blocking and reporting. */
export function PeerDetails({ conversation, peer }: { conversation: OpenConversation; peer: Peer }) {
  const t = useTexts();
  const { isNew = false, isBlocked } = conversation;
  // A bot not contacted before is known only by its username.
  const profile = useQuery(isNew && peer.username ? botQuery(peer.username) : profileQuery(peer.userId));
  // A bot's description is above the button, which must not move while it is being tapped.
  const isAboutToGrow = peer.isBot && profile.isLoading;
  const block = useAction(() => setBlocked(peer.userId, true));
  const unblock = useAction(() => setBlocked(peer.userId, false));
  return (
    <>
      <Stack align="center" gap={6} ta="center">
        <LargeAvatar name={nameOf(peer)} seed={peer.userId} pictureUrl={peer.pictureUrl} size={88} />
        <Title order={3}>{nameOf(peer)}</Title>
        {peer.isService ? (
          <Text c="dimmed">{t('chat.thread.service')}</Text>
        ) : (
          (peer.isBot || peer.username) && (
            <Group gap="xs">
              {peer.isBot && <Badge>{t('chat.details.bot')}</Badge>}
              {peer.username && <Text c="dimmed">@{peer.username}</Text>}
            </Group>
          )
        )}
        {profile.data?.lastSeenAt !== undefined && (
          <Dimmed>
            <LastSeen at={profile.data.lastSeenAt} />
          </Dimmed>
        )}
      </Stack>
      {!isNew && (
        <>
          <Shortcuts conversation={conversation} />
          <SharedMenu />
        </>
      )}
      {profile.data?.isBot && !peer.isService && <AboutBot bot={profile.data} />}
      {profile.data && profile.data.commonGroups.length > 0 && (
        <CommonGroups groups={profile.data.commonGroups} />
      )}
      {!isNew && (
        <>
          <Divider />
          <ConversationSwitches conversation={conversation} />
        </>
      )}
      <Divider />
      {!isNew && <HideConversation conversationId={conversation.conversationId} />}
      {!peer.isDeleted &&
        !isAboutToGrow &&
        (isBlocked ? (
          <Button variant="default" {...runs(unblock)}>
            {t('chat.details.unblock')}
          </Button>
        ) : (
          <ConfirmButton
            variant="light"
            color="red"
            label={t('chat.details.block')}
            title={t('chat.details.blockTitle')}
            text={t('chat.details.blockText')}
            {...confirms(block)}
          />
        ))}
      {!isNew && !isAboutToGrow && (
        <ReportButton conversationId={conversation.conversationId} userId={peer.userId} />
      )}
    </>
  );
}

function CommonGroups({ groups }: { groups: Profile['commonGroups'] }) {
  const t = useTexts();
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>
        {t('chat.details.commonGroups', { count: groups.length })}
      </Text>
      <Stack gap={0}>
        {groups.map(({ groupId, name, photoUrl, photoSetBy }) => (
          <UnstyledButton key={groupId} component={Link} to={`/c/${groupId}`} py={6}>
            <Group gap="sm" wrap="nowrap">
              <Avatar name={name} seed={groupId} pictureUrl={photoUrl} from={photoSetBy} size={32} />
              <Text size="sm" truncate>
                {name}
              </Text>
            </Group>
          </UnstyledButton>
        ))}
      </Stack>
    </div>
  );
}

function AboutBot({ bot }: { bot: Profile }) {
  const { description, commands = [], conversationId, isQuietInGroups } = bot;
  const t = useTexts();
  const { send, mayWrite } = useThread();
  const navigate = useNavigate();
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={600}>
          {t('chat.details.about')}
        </Text>
        <Text size="sm">{description || t('chat.details.noDescription')}</Text>
        <Dimmed>{isQuietInGroups ? t('chat.details.quiet') : t('chat.details.hearsAll')}</Dimmed>
      </div>
      {commands.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t('chat.details.commands')}
          </Text>
          <Stack gap={0}>
            {commands.map(({ command, description: about }) => (
              <UnstyledButton
                key={command}
                py={6}
                disabled={!mayWrite}
                onClick={() => {
                  send({ type: 'text', content: `/${command}` });
                  navigate(`/c/${conversationId}`, { replace: true });
                }}
              >
                <Text size="sm" fw={600}>
                  /{command}
                </Text>
                <Dimmed>{about}</Dimmed>
              </UnstyledButton>
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}
