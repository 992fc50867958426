import { Badge, Button, Divider, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Conversation, Peer, Profile } from '#contract/chat.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { tell, tellError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { nameOf } from '../conversations/names.ts';
import { botQuery, profileQuery, setBlocked } from '../conversations/queries.ts';
import { LargeFace } from '../media/face.tsx';
import { useThread } from '../message/thread-context.ts';
import { ConversationSwitches } from './conversation-switches.tsx';
import { detailsTexts } from './texts.ts';

/** A person or bot: what they say of themselves, and keeping them away. */
export function PeerDetails({
  conversation,
  peer,
}: {
  conversation: Conversation & { isNew?: boolean };
  peer: Peer;
}) {
  const t = useTexts(detailsTexts);
  const { isNew = false, isBlocked } = conversation;
  // A bot that one does not know yet is known by its username only.
  const profile = useQuery(isNew && peer.username ? botQuery(peer.username) : profileQuery(peer.userId));
  // A bot's description stands above the button, which must not move under a finger.
  const isAboutToGrow = peer.isBot && profile.isLoading;
  const block = useMutation({
    mutationFn: (isWanted: boolean) => setBlocked(peer.userId, isWanted),
    onSuccess: (_, isWanted) => tell(isWanted ? t.blocked : t.unblocked),
    onError: tellError,
  });
  return (
    <Stack gap="lg">
      <Stack align="center" gap={6} ta="center">
        <LargeFace name={nameOf(peer)} seed={peer.userId} pictureUrl={peer.pictureUrl} size={88} />
        <Title order={2} size="h3">
          {nameOf(peer)}
        </Title>
        {peer.isBot && (
          <Group gap="xs">
            <Badge variant="light">{t.bot}</Badge>
            {peer.username && <Text c="dimmed">@{peer.username}</Text>}
          </Group>
        )}
      </Stack>
      {profile.data?.isBot && <AboutBot bot={profile.data} />}
      <Divider />
      {!isNew && <ConversationSwitches conversation={conversation} />}
      {!peer.isDeleted &&
        !isAboutToGrow &&
        (isBlocked ? (
          <Button variant="default" loading={block.isPending} onClick={() => block.mutate(false)}>
            {t.unblock}
          </Button>
        ) : (
          <ConfirmButton
            variant="light"
            color="red"
            label={t.block}
            title={t.blockTitle}
            loading={block.isPending}
            onConfirm={() => block.mutate(true)}
          >
            {t.blockText}
          </ConfirmButton>
        ))}
    </Stack>
  );
}

function AboutBot({ bot: { description, commands = [], conversationId } }: { bot: Profile }) {
  const t = useTexts(detailsTexts);
  const { send, mayWrite } = useThread();
  const navigate = useNavigate();
  return (
    <Stack gap="md">
      <div>
        <Text size="sm" fw={600}>
          {t.about}
        </Text>
        <Text size="sm">{description || t.noDescription}</Text>
      </div>
      {commands.length > 0 && (
        <div>
          <Text size="sm" fw={600} mb={4}>
            {t.commands}
          </Text>
          <Stack gap={0}>
            {commands.map(({ command, description: about }) => (
              <UnstyledButton
                key={command}
                py={6}
                disabled={!mayWrite}
                onClick={() => {
                  send({ type: 'text', content: `/${command}` });
                  navigate(`/c/${conversationId}`);
                }}
              >
                <Text size="sm" fw={600}>
                  /{command}
                </Text>
                <Text size="sm" c="dimmed">
                  {about}
                </Text>
              </UnstyledButton>
            ))}
          </Stack>
        </div>
      )}
    </Stack>
  );
}
