import {
  INVITATION_DAYS,
  type Invited,
  type NewInvitation,
  type Team,
  type TeamRole,
} from '#contract/applications/team.ts';
import { LIMITS } from '#contract/limits.ts';
import { sessionEnded } from '#features/accounts/index.ts';
import { hashSecret, secretKind } from '#platform/crypto/random-secrets.ts';
import type { Tx } from '#platform/database.ts';
import {
  alreadyExists,
  failedPrecondition,
  notFound,
  permissionDenied,
  resourceExhausted,
} from '#platform/errors.ts';
import { recordAudit } from '../audit/record.ts';
import type { ApplicationDeps } from '../deps.ts';
import { findApplication } from '../queries.ts';
import { lockAnyApplication, lockOwnApplication, type Owned, requireOwnApplication } from '../service.ts';
import {
  deleteAccountTeam,
  deleteExpiredInvitations,
  deleteInvitation,
  deleteInvitations,
  deleteTeammate,
  deleteTeammates,
  findInvitations,
  findTeamIds,
  findTeammates,
  type InvitationRow,
  insertAccountTeam,
  insertInvitation,
  insertTeammate,
  updateTeamRole,
} from './queries.ts';

/** Begins with the application's id, as API keys do; 160 random bits follow. */
const { make: makeInvitationToken, parse: parseInvitationToken } = secretKind('xin_', 'app', 20);

const INVITATION_MS = INVITATION_DAYS * 86_400_000;

/** The team of an application and its open invitations. @throws ApiError 404 */
export async function showTeam({ db, clock, accounts }: ApplicationDeps, own: Owned): Promise<Team> {
  const { ownerId, createdAt } = await requireOwnApplication(db, own);
  const [teammates, invitations] = await Promise.all([
    findTeammates(db, own.appId),
    findInvitations(db, own.appId, clock.now()),
  ]);
  const personOf = await accounts.findByIds([ownerId, ...teammates.map(({ accountId }) => accountId)]);
  return {
    members: [
      { userId: ownerId, name: personOf.get(ownerId)?.name ?? '', role: 'owner', joinedAt: createdAt },
      ...teammates.map(({ accountId, role, joinedAt }) => ({
        userId: accountId,
        name: personOf.get(accountId)?.name ?? '',
        role,
        joinedAt,
      })),
    ],
    invitations: invitations.map(viewInvitation),
  };
}

/** @throws ApiError 403 for anybody but the owner; 429 when the team is full */
export async function invite(deps: ApplicationDeps, own: Owned, role: TeamRole): Promise<NewInvitation> {
  const { db, clock, random } = deps;
  const now = clock.now();
  const token = makeInvitationToken(own.appId, random);
  const invitation = {
    tokenHash: hashSecret(token),
    role,
    createdAt: now,
    expiresAt: now + INVITATION_MS,
  };
  await db.begin(async (tx) => {
    const { appId } = await lockAsOwner(tx, own);
    await deleteExpiredInvitations(tx, appId, now);
    const teammates = await findTeammates(tx, appId);
    const invitations = await findInvitations(tx, appId, now);
    if (teammates.length + invitations.length >= LIMITS.teammates)
      throw resourceExhausted('team.too-many', { count: LIMITS.teammates });
    await insertInvitation(tx, appId, invitation);
    await recordAudit(tx, deps, own, 'teammate.invited', { role });
  });
  return { ...viewInvitation(invitation), token };
}

/** @throws ApiError 403 for anybody but the owner; 404 */
export async function withdrawInvitation(
  deps: ApplicationDeps,
  own: Owned,
  fingerprint: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    const { appId } = await lockAsOwner(tx, own);
    const found = { tokenHash: Buffer.from(fingerprint, 'hex'), now: deps.clock.now() };
    const role = await deleteInvitation(tx, appId, found);
    if (role === undefined) throw invitationNotFound();
    await recordAudit(tx, deps, own, 'teammate.invitation-withdrawn', { role });
  });
}

/** The application and the role that a token invites to. @throws ApiError 404 */
export async function showInvitation(
  { db, clock, accounts }: ApplicationDeps,
  token: string,
): Promise<Invited> {
  const parsed = parseInvitationToken(token);
  const application = parsed && (await findApplication(db, parsed.id));
  if (!parsed || !application || application.state === 'deleted') throw invitationNotFound();
  const { appId, name, ownerId } = application;
  const invitations = await findInvitations(db, appId, clock.now());
  const invitation = invitations.find(({ tokenHash }) => tokenHash.equals(parsed.hash));
  if (!invitation) throw invitationNotFound();
  return { appId, name, role: invitation.role, owner: (await accounts.find(ownerId))?.name ?? '' };
}

/** @throws ApiError 404; 400 for the owner; 409 for a team member */
export async function join(
  deps: ApplicationDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
  token: string,
): Promise<{ appId: string }> {
  const { db, clock, accounts } = deps;
  const parsed = parseInvitationToken(token);
  if (!parsed) throw invitationNotFound();
  const { id: appId, hash: tokenHash } = parsed;
  const now = clock.now();
  await db.begin(async (tx) => {
    if (!(await accounts.lock(tx, accountId))) throw sessionEnded();
    if (!(await findApplication(tx, appId))) throw invitationNotFound();
    const { ownerId, state } = await lockAnyApplication(tx, appId);
    const role = await deleteInvitation(tx, appId, { tokenHash, now });
    if (role === undefined || state === 'deleted') throw invitationNotFound();
    if (ownerId === accountId) throw failedPrecondition('team.yours');
    if (!(await insertTeammate(tx, appId, { accountId, role, joinedAt: now })))
      throw alreadyExists('team.member-already');
    await insertAccountTeam(tx, accountId, appId);
    await recordAudit(tx, deps, { appId, actorId: accountId, sessionId }, 'teammate.joined', { role });
  });
  return { appId };
}

/** @throws ApiError 403 for anybody but the owner; 404 */
export async function changeRole(
  deps: ApplicationDeps,
  own: Owned,
  { userId, role }: { userId: string; role: TeamRole },
): Promise<void> {
  const name = await nameOf(deps, userId);
  await deps.db.begin(async (tx) => {
    const { appId } = await lockAsOwner(tx, own);
    if (!(await updateTeamRole(tx, appId, { accountId: userId, role }))) throw teammateNotFound();
    await recordAudit(tx, deps, own, 'teammate.role-changed', { name, role });
  });
}

/**
 * The owner may remove anybody, team members only themselves. Takes effect before the response. @throws ApiError 403, 404
 */
export async function removeTeammate(deps: ApplicationDeps, own: Owned, userId: string): Promise<void> {
  const name = await nameOf(deps, userId);
  await deps.db.begin(async (tx) => {
    const isLeaving = userId === own.actorId;
    const { appId } = await (isLeaving ? lockOwnApplication(tx, own, 'viewer') : lockAsOwner(tx, own));
    if (!(await deleteTeammate(tx, appId, userId))) throw teammateNotFound();
    await deleteAccountTeam(tx, userId, appId);
    await recordAudit(tx, deps, own, isLeaving ? 'teammate.left' : 'teammate.removed', { name });
  });
}

/** Part of deleting an application. The team's rows go first, as where one person leaves: they may be doing so right now. */
export async function endTeam(tx: Tx, appId: string): Promise<void> {
  for (const accountId of await deleteTeammates(tx, appId)) await deleteAccountTeam(tx, accountId, appId);
  await deleteInvitations(tx, appId);
}

/** Part of deleting an account, which the transaction has locked. */
export async function leaveTeams(tx: Tx, accountId: string): Promise<void> {
  for (const appId of await findTeamIds(tx, accountId)) {
    await deleteTeammate(tx, appId, accountId);
    await deleteAccountTeam(tx, accountId, appId);
  }
}

async function lockAsOwner(tx: Tx, own: Owned) {
  const application = await lockOwnApplication(tx, own, 'viewer');
  if (application.ownerId !== own.actorId) throw permissionDenied('team.needs-role', { role: 'owner' });
  return application;
}

function viewInvitation({
  tokenHash,
  role,
  createdAt,
  expiresAt,
}: InvitationRow): Team['invitations'][number] {
  return { fingerprint: tokenHash.toString('hex'), role, createdAt, expiresAt };
}

async function nameOf({ accounts }: ApplicationDeps, accountId: string): Promise<string> {
  return (await accounts.find(accountId))?.name ?? '';
}

function invitationNotFound() {
  return notFound('team.invitation-unknown');
}

function teammateNotFound() {
  return notFound('team.member-unknown');
}
