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
import type { Group, Member } from './queries.ts';

/** Rights depend on this: the actor's own membership, missing for an outsider. */
export type Membership = Pick<Member, 'accountId' | 'isAdmin'> | undefined;
type Refusal = ApiError | undefined;

export function groupNotFound(): ApiError {
  return notFound('group.unknown');
}

/** Whether somebody may write. The statements that store messages in groups decide the same. */
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

/** Deleting, adding and changing. The creator of a broadcast list is stored as its one administrator. */
export function refuseToAdminister(member: Membership): Refusal {
  if (!member) return outsider();
  return member.isAdmin ? undefined : notAdministrator();
}

/** Where the details are changed: the API always asks for an administrator (decisions: Groups). */
export type EditingSurface = 'api' | 'chat';

/** Information is the name, description and photo; who may write or edit stays with the administrators. */
export function refuseToEdit(
  group: Pick<Group, 'editInfoOnlyAdmin'>,
  member: Membership,
  { surface, isInfoOnly }: { surface: EditingSurface; isInfoOnly: boolean },
): Refusal {
  if (member && surface === 'chat' && isInfoOnly && !group.editInfoOnlyAdmin) return undefined;
  return refuseToAdminister(member);
}

/** An administrator takes out a member; anybody takes out itself, but not the creator of a broadcast list. */
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

/** A person or bot who is to become a member. */
export interface Newcomer {
  /** Neither unknown nor deleted. */
  exists: boolean;
  /** The person's own setting. */
  whoMayAddMe: WhoMayAdd;
  /** Towards whoever adds; a bot that does so may not surprise people (contract §4). */
  hasWritten: boolean;
  hasBlocked: boolean;
}

/** All or nothing: 404 before 403, whoever comes first in the request. Blocking counts at creation only. */
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

/** Contacts are those whom the newcomer wrote to; among people, being blocked ends it (for bots see decisions: Groups). */
function mayBeAdded({ whoMayAddMe, hasWritten, hasBlocked }: Newcomer, isByBot: boolean): boolean {
  switch (whoMayAddMe) {
    case 'everybody':
      return true;
    case 'contacts':
      return hasWritten && (isByBot || !hasBlocked);
    case 'nobody':
      return false;
    default:
      throw whoMayAddMe satisfies never;
  }
}

export function refuseSize(memberCount: number, largest: number): Refusal {
  return memberCount > largest ? resourceExhausted('group.full', { count: largest }) : undefined;
}

/** Mentions reach members only. */
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
