import type { WhoMayAdd } from '#contract/accounts/profiles.ts';
import { mayPost } from '#contract/rights.ts';
import type { ApiError } from '#platform/errors.ts';
import {
  failedPrecondition,
  invalidArgument,
  notFound,
  permissionDenied,
  resourceExhausted,
} from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Group, Member } from './queries.ts';

/** The actor's own membership, which determines the rights; undefined for an outsider. */
export type Membership = Pick<Member, 'accountId' | 'isAdmin'> | undefined;
type Refusal = ApiError | undefined;

/** No group has the id of an account: whoever sends one means a person. */
export function groupNotFound(groupId: string): ApiError {
  return notFound(isId('usr', groupId) ? 'group.is-account' : 'group.unknown');
}

/** Whether somebody may write. The statements that store group messages apply the same rule. */
export function refuseToPost(
  group: Pick<Group, 'isBroadcast' | 'sendMessages' | 'creatorId'>,
  member: Membership,
): Refusal {
  if (!member) return outsider();
  if (mayPost(group, member)) return undefined;
  return permissionDenied(group.isBroadcast ? 'group.creator-writes' : 'group.administrators-write');
}

/** Who may read the members and the details: every member. */
export function refuseToRead(member: Membership): Refusal {
  return member ? undefined : outsider();
}

/** Whether two members learn who the other is: readers of a broadcast list know only its creator. */
export function isKnownIn(
  group: Pick<Group, 'isBroadcast' | 'creatorId'>,
  one: string,
  other: string,
): boolean {
  return one === other || isKnownToAll(group, one) || isKnownToAll(group, other);
}

/** Whether all members learn who this one is, and this one who they are. */
export function isKnownToAll(
  { isBroadcast, creatorId }: Pick<Group, 'isBroadcast' | 'creatorId'>,
  accountId: string,
): boolean {
  return !isBroadcast || creatorId === accountId;
}

/** Deleting, adding and changing. The creator of a broadcast list is stored as its only administrator. */
export function refuseToAdminister(member: Membership): Refusal {
  if (!member) return outsider();
  return member.isAdmin ? undefined : notAdministrator();
}

/** Where the details are changed: the API always requires an administrator (decisions: Groups). */
export type EditingSurface = 'api' | 'chat';

/**
 * Members may edit the name, description and photo at most; only administrators change who may write or edit. Readers of a
 * broadcast list would learn of each other by what they edit.
 */
export function refuseToEdit(
  group: Pick<Group, 'isBroadcast' | 'editInfoOnlyAdmin'>,
  member: Membership,
  { surface, isInfoOnly }: { surface: EditingSurface; isInfoOnly: boolean },
): Refusal {
  const isOpen = !group.isBroadcast && !group.editInfoOnlyAdmin;
  if (member && surface === 'chat' && isInfoOnly && isOpen) return undefined;
  return refuseToAdminister(member);
}

/** An administrator removes members; members remove themselves, except for the creator of a broadcast list. */
export function refuseToRemove(
  group: Pick<Group, 'isBroadcast' | 'creatorId'>,
  member: Membership,
  target: { accountId: string; isMember: boolean },
): Refusal {
  if (member?.accountId !== target.accountId) {
    return refuseToAdminister(member) ?? (target.isMember ? undefined : memberNotFound());
  }
  if (group.isBroadcast && target.accountId === group.creatorId) {
    return failedPrecondition('group.creator-stays');
  }
  return undefined;
}

/** Promotes or demotes, in groups only; the only administrator stays one. */
export function refuseRole(
  group: Pick<Group, 'isBroadcast'>,
  member: Membership,
  { target, isAdmin, adminCount }: { target: Membership; isAdmin: boolean; adminCount: number },
): Refusal {
  if (!member) return outsider();
  if (group.isBroadcast) return failedPrecondition('group.no-administrators');
  if (!member.isAdmin) return notAdministrator();
  if (!target) return memberNotFound();
  if (target.isAdmin && !isAdmin && adminCount === 1) {
    return failedPrecondition('group.only-administrator');
  }
  return undefined;
}

/** A person or bot to be added. */
export interface Newcomer {
  /** Neither unknown nor deleted. */
  exists: boolean;
  /** The person's own setting. */
  whoMayAddMe: WhoMayAdd;
  /** To the actor who adds; bots may only add accounts that wrote to them (contract §4). */
  hasWritten: boolean;
  hasBlocked: boolean;
}

/** All or nothing: 404 before 403, regardless of the order in the request. For a bot, blocking counts at creation only. */
export function refuseNewcomers(
  newcomers: readonly Newcomer[],
  { field, isByBot, isCreation }: { field: string; isByBot: boolean; isCreation: boolean },
): Refusal {
  if (newcomers.some(({ exists }) => !exists)) return notFound('group.newcomer-unknown', { field });
  if (isByBot && newcomers.some(({ hasWritten }) => !hasWritten)) {
    return permissionDenied('group.newcomer-never-wrote', { field });
  }
  if (isByBot && isCreation && newcomers.some(({ hasBlocked }) => hasBlocked)) {
    return permissionDenied('group.newcomer-blocked-bot', { field });
  }
  if (newcomers.some((newcomer) => !mayBeAdded(newcomer, isByBot))) {
    return permissionDenied('group.newcomer-not-addable', { field });
  }
  return undefined;
}

/**
 * Contacts are accounts to which the newcomer wrote. Between people, a block overrides the setting (for bots see decisions:
 * Groups).
 */
function mayBeAdded({ whoMayAddMe, hasWritten, hasBlocked }: Newcomer, isByBot: boolean): boolean {
  if (hasBlocked && !isByBot) return false;
  switch (whoMayAddMe) {
    case 'everybody':
      return true;
    case 'contacts':
      return hasWritten;
    case 'nobody':
      return false;
    default:
      throw whoMayAddMe satisfies never;
  }
}

export function refuseSize(memberCount: number, largest: number): Refusal {
  return memberCount > largest ? resourceExhausted('group.full', { count: largest }) : undefined;
}

/** Only members can be mentioned. */
export function refuseMentions(
  mentioned: readonly string[],
  isMember: (accountId: string) => boolean,
): Refusal {
  return mentioned.every(isMember) ? undefined : invalidArgument('mentionedUserIds', 'not-a-member');
}

function outsider(): ApiError {
  return permissionDenied('group.not-a-member');
}

function notAdministrator(): ApiError {
  return permissionDenied('group.not-an-administrator');
}

function memberNotFound(): ApiError {
  return notFound('group.unknown-member');
}
