import { Group, NativeSelect, Stack, Switch, UnstyledButton } from '@mantine/core';
import { IconBell, IconBellOff, IconSearch } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import type { ChangeConversation, Lifetime } from '#contract/chat/conversation-settings.ts';
import type { Conversation } from '#contract/chat.ts';
import { LIFETIMES } from '#contract/limits.ts';
import { isArchivedAt, isMutedAt } from '#contract/rights.ts';
import { callChat } from '../../ui/api.ts';
import { confirms, useAction, useSettings } from '../../ui/parts/change.ts';
import { ConfirmButton } from '../../ui/parts/confirm-button.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';
import { fullTime } from '../../ui/times.ts';
import { MUTES, useSettingsChange } from '../conversations/use-conversation.ts';
import { keepDraft } from '../outbox/drafts.ts';
import classes from './details.module.css';

const NOTIFICATIONS = {
  all: { isMuted: false, notifyOf: 'all' },
  mentions: { isMuted: false, notifyOf: 'mentions' },
  ...MUTES,
} as const satisfies Record<string, ChangeConversation>;
const CHOICES = Object.keys(NOTIFICATIONS) as (keyof typeof NOTIFICATIONS)[];

/** The most wanted actions on a conversation. */
export function Shortcuts({ conversation }: { conversation: Conversation }) {
  const t = useTexts();
  const { conversationId } = conversation;
  const isMuted = isMutedAt(conversation, useNow());
  const settings = useSettingsChange(conversationId);
  return (
    <Group gap="xs">
      <UnstyledButton className={classes.shortcut} onClick={() => settings.mutate({ isMuted: !isMuted })}>
        {isMuted ? <IconBell size={20} aria-hidden="true" /> : <IconBellOff size={20} aria-hidden="true" />}
        {isMuted ? t('chat.conversation.unmute') : t('chat.conversation.mute')}
      </UnstyledButton>
      <UnstyledButton component={Link} to={`/c/${conversationId}?search=`} className={classes.shortcut}>
        <IconSearch size={20} aria-hidden="true" />
        {t('chat.details.search')}
      </UnstyledButton>
    </Group>
  );
}

const SWITCHES = [
  ['hasSound', 'sound'],
  ['isPinned', 'pin'],
  ['isArchived', 'archive'],
] as const;

/** The person's settings of a conversation, private or group. */
export function ConversationSwitches({ conversation }: { conversation: Conversation }) {
  const t = useTexts();
  const { conversationId, pinnedAt, hasSound } = conversation;
  const change = useSettingsChange(conversationId);
  const isArchived = isArchivedAt(conversation, useNow());
  const [shown, choose] = useSettings(
    { hasSound, isPinned: pinnedAt !== undefined, isArchived },
    change.mutateAsync,
  );
  return (
    <Stack>
      <Notifications conversation={conversation} onChange={change.mutate} />
      {SWITCHES.map(([field, name]) => (
        <Switch
          key={field}
          label={t(`chat.details.${name}`)}
          description={name === 'archive' && t('chat.details.archiveHint')}
          checked={shown[field]}
          onChange={(event) => choose({ [field]: event.currentTarget.checked })}
        />
      ))}
      <LifetimeField conversation={conversation} />
    </Stack>
  );
}

/** Deletes the conversation for the person. */
export function HideConversation({ conversationId }: Pick<Conversation, 'conversationId'>) {
  const t = useTexts();
  const navigate = useNavigate();
  const hide = useAction(
    () => callChat('DELETE /conversations/:conversationId', { params: { conversationId } }),
    {
      done: t('chat.details.hidden'),
      onSuccess: () => {
        keepDraft(conversationId, { text: '' });
        navigate('/', { replace: true });
      },
    },
  );
  return (
    <ConfirmButton
      label={t('chat.details.hide')}
      title={t('chat.details.hideTitle')}
      text={t('chat.details.hideText')}
      {...confirms(hide)}
    />
  );
}

/** Which messages notify the person, or until when none do. */
function Notifications({
  conversation,
  onChange,
}: {
  conversation: Conversation;
  onChange: (change: ChangeConversation) => void;
}) {
  const t = useTexts();
  const { kind, notifyOf, mutedUntil } = conversation;
  const isMuted = isMutedAt(conversation, useNow());
  const isForTime = isMuted && mutedUntil !== undefined;
  const choices = CHOICES.filter((choice) => choice !== 'mentions' || kind === 'group');
  return (
    <NativeSelect
      label={t('chat.details.notifications')}
      value={isForTime ? 'until' : isMuted ? 'always' : notifyOf}
      onChange={({ currentTarget: { value } }) => {
        const chosen = CHOICES.find((choice) => choice === value);
        if (chosen) onChange(NOTIFICATIONS[chosen]);
      }}
      data={[
        ...(isForTime
          ? [{ value: 'until', label: t('chat.details.mutedUntil', { when: fullTime(mutedUntil) }) }]
          : []),
        ...choices.map((value) => ({ value, label: t(`chat.details.${value}`) })),
      ]}
    />
  );
}

/** How long everybody's messages are kept here; read-only for those who may not change it. */
function LifetimeField({ conversation }: { conversation: Conversation }) {
  const t = useTexts();
  const { conversationId, kind, isAdmin, isBlocked, lifetimeDays } = conversation;
  const mayChange = kind === 'private' ? !isBlocked : isAdmin;
  const change = useAction((days: Lifetime | undefined) =>
    callChat('PUT /conversations/:conversationId/retention', {
      params: { conversationId },
      body: days ? { lifetimeDays: days } : {},
    }),
  );
  return (
    <NativeSelect
      label={t('chat.details.lifetime')}
      description={t('chat.details.lifetimeHint')}
      disabled={!mayChange || change.isPending}
      value={lifetimeDays ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change.mutate(LIFETIMES.find((days) => String(days) === value))
      }
      data={[
        { value: '', label: t('chat.details.lifetimeOff') },
        ...LIFETIMES.map((days) => ({ value: String(days), label: t(`chat.lifetime.days${days}`) })),
      ]}
    />
  );
}
