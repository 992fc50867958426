import { Stack, Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { tell, tellError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { hideConversation, setMuted } from '../conversations/queries.ts';
import { detailsTexts } from './texts.ts';

/** Settings of a conversation of either kind; the live stream brings the changes back. */
export function ConversationSwitches({ conversation }: { conversation: Conversation }) {
  const t = useTexts(detailsTexts);
  const { conversationId, isMuted } = conversation;
  const navigate = useNavigate();
  const mute = useMutation({
    mutationFn: (isWanted: boolean) => setMuted(conversationId, isWanted),
    onError: tellError,
  });
  const hide = useMutation({
    mutationFn: () => hideConversation(conversationId),
    onSuccess: () => {
      tell(t.hidden);
      navigate('/', { replace: true });
    },
    onError: tellError,
  });
  return (
    <Stack>
      <Switch
        label={t.mute}
        checked={mute.isPending ? mute.variables : isMuted}
        onChange={(event) => mute.mutate(event.currentTarget.checked)}
      />
      <ConfirmButton
        variant="default"
        label={t.hide}
        title={t.hideTitle}
        loading={hide.isPending}
        onConfirm={() => hide.mutate()}
      >
        {t.hideText}
      </ConfirmButton>
    </Stack>
  );
}
