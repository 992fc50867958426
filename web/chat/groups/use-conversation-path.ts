import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../conversations/queries.ts';

/** The path of the private conversation with another member of a group. */
export function useConversationPath(userId: string, isWanted: boolean): string | undefined {
  const profile = useQuery({ ...profileQuery(userId), enabled: isWanted });
  return profile.data && `/c/${profile.data.conversationId}`;
}
