import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../conversations/queries.ts';

/** The address of the private conversation with somebody whom the person shares a group with. */
export function useConversationPath(userId: string, isWanted: boolean): string | undefined {
  const profile = useQuery({ ...profileQuery(userId), enabled: isWanted });
  return profile.data && `/c/${profile.data.conversationId}`;
}
