import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Conversation, Lifetime } from '#contract/chat.ts';
import { LIFETIMES } from '#contract/limits.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { useTexts } from '../../ui/texts.ts';
import { changeLifetime } from '../conversations/queries.ts';
import { lifetimeTexts } from '../conversations/texts.ts';
import { detailsTexts } from './texts.ts';

/** How long everybody's messages are kept here; read-only for those who may not change it. */
export function LifetimeField({ conversation }: { conversation: Conversation }) {
  const t = useTexts(detailsTexts);
  const names = useTexts(lifetimeTexts);
  const { conversationId, kind, isAdmin, lifetimeDays } = conversation;
  const mayChange = kind === 'private' || isAdmin;
  const change = useMutation({
    mutationFn: (days: Lifetime | undefined) => changeLifetime(conversationId, days),
    onError: showError,
  });
  return (
    <NativeSelect
      label={t.lifetime}
      description={t.lifetimeHint}
      disabled={!mayChange || change.isPending}
      value={lifetimeDays ?? ''}
      onChange={({ currentTarget: { value } }) =>
        change.mutate(LIFETIMES.find((days) => String(days) === value))
      }
      data={[
        { value: '', label: t.lifetimeOff },
        ...LIFETIMES.map((days) => ({ value: String(days), label: names[`days${days}`] })),
      ]}
    />
  );
}
