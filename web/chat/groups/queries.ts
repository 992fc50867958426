import { useQueryClient } from '@tanstack/react-query';
import type { NewGroupLink } from '#contract/group-links.ts';
import { callChat } from '../../ui/api.ts';
import { changeBy, useAction } from '../../ui/parts/change.ts';
import { chatPages, chatQuery } from '../../ui/parts/query.ts';
import { chatKey } from '../live/feed.ts';

const membersKey = [...chatKey, 'members'];

export const membersQuery = (groupId: string) =>
  chatPages([...membersKey, groupId], 'GET /groups/members', { query: { groupId } });

/** In larger groups, only so many pages of members are searched for a name, or offered. */
export const MOST_PAGES = 10;

/** A change to a group: its members are reloaded, with what is reloaded with them; everything else arrives as events. */
export const useGroupChange = changeBy(callChat, () => [membersKey]);

export const DAY_SECONDS = 86_400;
/** The page proposes it. */
export const USUAL_DAYS = 7;

/** Reloaded with the members, who may have joined by one. */
export const linksQuery = (groupId: string) =>
  chatQuery([...membersQuery(groupId).queryKey, 'links'], 'GET /groups/links', { query: { groupId } });

/** Reloaded with the members: whoever was accepted is one. */
export const joinRequestsQuery = (groupId: string) =>
  chatQuery([...membersQuery(groupId).queryKey, 'join-requests'], 'GET /groups/join-requests', {
    query: { groupId },
  });

/** The links that this page has made, which the server does not show again. */
const madeKey = (groupId: string) => ['made-group-link', groupId];

export const addressOf = ({ path }: NewGroupLink) => new URL(path, location.origin).href;

/** A link with the usual end, copied: the one that this page made before, as long as it works. */
export function useCopiedLink(groupId: string) {
  const client = useQueryClient();
  const findOrMake = async (): Promise<NewGroupLink> => {
    const made = client.getQueryData<NewGroupLink>(madeKey(groupId));
    const { links } = made ? await callChat('GET /groups/links', { query: { groupId } }) : { links: [] };
    if (made && links.some(({ linkId }) => linkId === made.linkId)) return made;
    const usual = { groupId, needsApproval: false, expiresInSeconds: USUAL_DAYS * DAY_SECONDS };
    const fresh = await callChat('POST /groups/links', { body: usual });
    client.setQueryData(madeKey(groupId), fresh);
    void client.invalidateQueries(linksQuery(groupId));
    return fresh;
  };
  return useAction(async () => {
    const making = findOrMake();
    const isCopied = await copy(making.then(addressOf));
    return { link: await making, isCopied };
  });
}

/** Begins within the click: Safari does not let a page copy later. False where pages may not copy. */
async function copy(text: Promise<string>): Promise<boolean> {
  const blob = text.then((known) => new Blob([known], { type: 'text/plain' }));
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
    return true;
  } catch {
    return false;
  }
}
