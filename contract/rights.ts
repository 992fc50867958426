/** Who may write in a group or broadcast list, a poll included; without TypeBox, since pages ask it, too. */
export function mayPost(
  group: { isBroadcast: boolean; sendMessages: boolean; creatorId: string },
  member: { accountId: string; isAdmin: boolean },
): boolean {
  return group.isBroadcast ? group.creatorId === member.accountId : group.sendMessages || member.isAdmin;
}
