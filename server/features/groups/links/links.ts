import type {
  GroupLink,
  GroupLinks,
  MakeGroupLink,
  NewGroupLink,
  RevokeGroupLink,
} from '#contract/group-links.ts';
import { LIMITS } from '#contract/limits.ts';
import { withoutAbsent } from '#platform/absent.ts';
import { notFound, resourceExhausted } from '#platform/errors.ts';
import { announceChange } from '../announce.ts';
import { deleteEndedLinks, deleteLink, insertLink, type LinkRow, selectOpenLinks } from '../link-queries.ts';
import { findGroupToAdminister, type GroupDeps, lockGroupToAdminister } from '../service.ts';
import { makeLinkToken } from './tokens.ts';

/**
 * An administrator makes a link by which people join; it is shown only once.
 *
 * @throws ApiError 404 group, 403 right, 429 too many links
 */
export async function makeLink(
  deps: GroupDeps,
  accountId: string,
  { groupId, expiresInSeconds, uses, needsApproval = false }: MakeGroupLink,
): Promise<NewGroupLink> {
  const { db, clock, random } = deps;
  const createdAt = clock.now();
  const expiresAt = expiresInSeconds === undefined ? null : createdAt + expiresInSeconds * 1000;
  const made = await db.begin(async (tx) => {
    const group = await lockGroupToAdminister(tx, groupId, accountId);
    await deleteEndedLinks(tx, group, createdAt);
    const open = await selectOpenLinks(tx, group, createdAt);
    if (open.length >= LIMITS.groupLinks)
      throw resourceExhausted('group.too-many-links', { count: LIMITS.groupLinks });
    const { bucket } = group;
    const { token, tokenHash } = makeLinkToken(bucket, random);
    const row = {
      bucket,
      tokenHash,
      groupId,
      createdBy: accountId,
      createdAt,
      expiresAt,
      uses: uses ?? null,
      used: 0,
      needsApproval,
    };
    await insertLink(tx, row);
    return { row, token, group };
  });
  announceChange(deps, made.group);
  const maker = await deps.accounts.find(accountId);
  return { ...viewLink(made.row, maker?.name), path: `/join#${made.token}` };
}

/** The links by which people can join, for administrators. @throws ApiError 404 group, 403 right */
export async function listLinks(deps: GroupDeps, accountId: string, groupId: string): Promise<GroupLinks> {
  const { db, clock, accounts } = deps;
  const group = await findGroupToAdminister(db, groupId, accountId);
  const rows = await selectOpenLinks(db, group, clock.now());
  const makerOf = await accounts.findByIds(rows.map(({ createdBy }) => createdBy));
  return { links: rows.map((row) => viewLink(row, makerOf.get(row.createdBy)?.name)) };
}

/** Nobody can join by the link any more, whoever made it. @throws ApiError 404 group, 403 right, 404 link */
export async function revokeLink(
  deps: GroupDeps,
  accountId: string,
  { groupId, linkId }: RevokeGroupLink,
): Promise<void> {
  const group = await deps.db.begin(async (tx) => {
    const group = await lockGroupToAdminister(tx, groupId, accountId);
    if (!(await deleteLink(tx, group, Buffer.from(linkId, 'hex')))) throw notFound('group.link-unknown');
    return group;
  });
  announceChange(deps, group);
}

function viewLink(row: LinkRow, name = ''): GroupLink {
  const { tokenHash, createdBy, createdAt, expiresAt, uses, used, needsApproval } = row;
  const [linkId, madeBy] = [tokenHash.toString('hex'), { userId: createdBy, name }];
  return withoutAbsent({ linkId, madeBy, createdAt, expiresAt, uses, used, needsApproval });
}
