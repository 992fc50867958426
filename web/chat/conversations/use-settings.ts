import { useMutation } from '@tanstack/react-query';
import type { ChangeConversation } from '#contract/chat/conversation-settings.ts';
import { showError } from '../../ui/parts/faults.tsx';
import { changeConversation } from './queries.ts';

/** Durations for which a conversation can be muted. */
export const MUTE_SECONDS = { hour: 3_600, eightHours: 8 * 3_600, week: 7 * 86_400 } as const;

/** Changes the person's settings of a conversation; the live stream reports the change. */
export function useSettingsChange(conversationId: string) {
  return useMutation({
    mutationFn: (change: ChangeConversation) => changeConversation(conversationId, change),
    onError: showError,
  });
}
