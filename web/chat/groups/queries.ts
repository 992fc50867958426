import { callChat } from '../../ui/api.ts';
import { changeBy } from '../../ui/parts/change.ts';
import { chatPages } from '../../ui/parts/query.ts';
import { chatKey } from '../live/feed.ts';

const membersKey = [...chatKey, 'members'];

export const membersQuery = (groupId: string) =>
  chatPages([...membersKey, groupId], 'GET /groups/members', { query: { groupId } });

/** In larger groups, only so many pages of members are searched for a name, or offered. */
export const MOST_PAGES = 10;

/** A change to a group: its members are reloaded, with what is reloaded with them; everything else arrives as events. */
export const useGroupChange = changeBy(callChat, () => [membersKey]);
