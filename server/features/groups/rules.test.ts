import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WhoMayAdd } from '#contract/accounts/profiles.ts';
import { idOf } from '#platform/ids.ts';
import {
  groupNotFound,
  isKnownIn,
  type Membership,
  refuseMentions,
  refuseNewcomers,
  refuseRole,
  refuseSize,
  refuseToAdminister,
  refuseToEdit,
  refuseToPost,
  refuseToRead,
  refuseToRemove,
} from './rules.ts';

const member: Membership = { accountId: 'm', isAdmin: false };
const admin: Membership = { accountId: 'a', isAdmin: true };
const outsider: Membership = undefined;
const group = { isBroadcast: false, sendMessages: true, editInfoOnlyAdmin: true, creatorId: 'a' };
const announcements = { ...group, sendMessages: false };
const list = { ...group, isBroadcast: true };

test('who may write: members; administrators of an announcement group; the creator of a broadcast list', () => {
  const cases: [typeof group, Membership, number | undefined][] = [
    [group, outsider, 403],
    [group, member, undefined],
    [group, admin, undefined],
    [announcements, outsider, 403],
    [announcements, member, 403],
    [announcements, admin, undefined],
    [list, outsider, 403],
    [list, member, 403],
    [list, admin, undefined],
    [{ ...list, sendMessages: false }, admin, undefined],
    [{ ...list, creatorId: 'gone' }, admin, 403],
  ];
  for (const [where, who, status] of cases) assert.equal(refuseToPost(where, who)?.status, status);
  assert.equal(refuseToPost(list, member)?.said.reason, 'group.creator-writes');
  assert.equal(refuseToPost(announcements, member)?.said.reason, 'group.administrators-write');
});

test('who may read: every member, and nobody else', () => {
  const unknown = groupNotFound('grp_nowhere');
  assert.deepEqual([unknown.status, unknown.said.reason], [404, 'group.unknown']);
  const person = groupNotFound(idOf('usr', 'Ada'));
  assert.deepEqual([person.status, person.said.reason], [404, 'group.is-account']);
  assert.deepEqual(
    [outsider, member, admin].map((who) => refuseToRead(who)?.said.reason),
    ['group.not-a-member', undefined, undefined],
  );
});

test('readers of a broadcast list know only its creator and themselves', () => {
  assert.equal(isKnownIn(group, 'm', 'o'), true);
  assert.deepEqual(
    ['m', 'a', 'o'].map((other) => isKnownIn(list, 'm', other)),
    [true, true, false],
  );
  assert.equal(isKnownIn(list, 'a', 'm'), true);
});

test('only members can be mentioned, all of them', () => {
  const isMember = (accountId: string) => accountId.startsWith('m');
  assert.equal(refuseMentions([], isMember), undefined);
  assert.equal(refuseMentions(['m1', 'm2'], isMember), undefined);
  assert.equal(refuseMentions(['m1', 'x'], isMember)?.status, 400);
});

test('who may administer: only administrators', () => {
  assert.deepEqual(
    [outsider, member, admin].map((who) => refuseToAdminister(who)?.status),
    [403, 403, undefined],
  );
});

test('who may edit: members only in the chat, only information, and only where it is open', () => {
  const open = { ...group, editInfoOnlyAdmin: false };
  const info = { isInfoOnly: true };
  assert.equal(refuseToEdit(open, member, { surface: 'chat', ...info }), undefined);
  assert.equal(refuseToEdit(open, member, { surface: 'api', ...info })?.status, 403);
  assert.equal(refuseToEdit(open, member, { surface: 'chat', isInfoOnly: false })?.status, 403);
  assert.equal(refuseToEdit(group, member, { surface: 'chat', ...info })?.status, 403);
  assert.equal(refuseToEdit(open, outsider, { surface: 'chat', ...info })?.status, 403);
  assert.equal(
    refuseToEdit({ ...open, isBroadcast: true }, member, { surface: 'chat', ...info })?.status,
    403,
  );
  assert.equal(refuseToEdit(group, admin, { surface: 'api', isInfoOnly: false }), undefined);
});

test('who may remove whom', () => {
  const other = { accountId: 'o', isMember: true };
  const nobody = { accountId: 'n', isMember: false };
  assert.equal(refuseToRemove(group, outsider, other)?.status, 403);
  assert.equal(refuseToRemove(group, outsider, nobody)?.status, 403);
  assert.equal(refuseToRemove(group, member, other)?.status, 403);
  assert.equal(refuseToRemove(group, member, nobody)?.status, 403);
  assert.equal(refuseToRemove(group, admin, nobody)?.status, 404);
  assert.equal(refuseToRemove(group, admin, other), undefined);
  for (const who of [member, admin]) {
    assert.equal(refuseToRemove(group, who, { ...who, isMember: true }), undefined);
  }
  assert.equal(refuseToRemove(list, member, { ...member, isMember: true }), undefined);
  assert.equal(refuseToRemove(list, admin, { ...admin, isMember: true })?.status, 400);
});

test('roles: 403 outsider, 400 broadcast list, 403 member, 404 target, 400 only administrator', () => {
  const only = { target: admin, isAdmin: false, adminCount: 1 };
  const none = { ...only, target: outsider };
  assert.equal(refuseRole(list, outsider, only)?.status, 403);
  assert.equal(refuseRole(list, member, none)?.status, 400);
  assert.equal(refuseRole(list, admin, only)?.status, 400);
  assert.equal(refuseRole(group, member, none)?.status, 403);
  assert.equal(refuseRole(group, admin, none)?.status, 404);
  assert.equal(refuseRole(group, admin, only)?.status, 400);
  assert.equal(refuseRole(group, admin, { ...only, isAdmin: true }), undefined);
  assert.equal(refuseRole(group, admin, { ...only, adminCount: 2 }), undefined);
  assert.equal(refuseRole(group, admin, { ...only, target: member }), undefined);
});

test('newcomers: 404 before 403, in any order; blocking counts for a person, and for a bot at creation only', () => {
  const fine = { exists: true, whoMayAddMe: 'everybody' as const, hasWritten: true, hasBlocked: false };
  const silent = { ...fine, hasWritten: false };
  const unknown = { ...silent, exists: false };
  const blocker = { ...fine, hasBlocked: true };
  const refused = (newcomers: (typeof fine)[], isByBot = true, isCreation = true) =>
    refuseNewcomers(newcomers, { field: 'members', isByBot, isCreation });
  const statusOf = (...asked: Parameters<typeof refused>) => refused(...asked)?.status;
  assert.equal(statusOf([]), undefined);
  assert.equal(statusOf([fine]), undefined);
  assert.equal(statusOf([silent, unknown]), 404);
  assert.equal(statusOf([fine, silent]), 403);
  assert.equal(statusOf([blocker]), 403);
  assert.equal(statusOf([blocker], true, false), undefined);
  assert.equal(statusOf([silent], true, false), 403);
  assert.equal(statusOf([silent], false), undefined);
  assert.equal(refused([fine, blocker], false)?.said.reason, 'group.newcomer-not-addable');
  assert.equal(statusOf([unknown], false), 404);
});

test("who may add whom is the newcomer's own setting; for a bot, never having been written to comes first", () => {
  const anybody = {
    exists: true,
    whoMayAddMe: 'everybody' as WhoMayAdd,
    hasWritten: false,
    hasBlocked: false,
  };
  const ask = (newcomer: Partial<typeof anybody>, isByBot = false) =>
    refuseNewcomers([anybody, { ...anybody, ...newcomer }].slice(isByBot ? 1 : 0), {
      field: 'memberIds',
      isByBot,
      isCreation: false,
    })?.message;
  const refused = 'memberIds includes somebody whose settings do not let you add them to groups';
  assert.equal(ask({}), undefined);
  assert.equal(ask({ hasBlocked: true }), refused);
  assert.equal(ask({ whoMayAddMe: 'contacts' }), refused);
  assert.equal(ask({ whoMayAddMe: 'contacts', hasWritten: true }), undefined);
  assert.equal(ask({ whoMayAddMe: 'contacts', hasWritten: true, hasBlocked: true }), refused);
  assert.equal(ask({ whoMayAddMe: 'nobody', hasWritten: true }), refused);
  assert.equal(ask({ whoMayAddMe: 'contacts', hasWritten: true, hasBlocked: true }, true), undefined);
  assert.equal(ask({ whoMayAddMe: 'nobody', hasWritten: true }, true), refused);
  assert.equal(
    ask({ whoMayAddMe: 'nobody' }, true),
    'memberIds includes somebody who never wrote to this bot',
  );
});

test('the size limit can be reached but not exceeded', () => {
  assert.equal(refuseSize(1024, 1024), undefined);
  assert.equal(refuseSize(1025, 1024)?.status, 429);
});
