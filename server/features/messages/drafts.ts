import { CHAT } from '#contract/api/chat.ts';
import type { Draft, Finding, KeepDraft, KeptDraft } from '#contract/chat/drafts.ts';
import type { Profile } from '#contract/chat.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { openSealed, type SealedBody, sealed } from '#platform/crypto/sealed-body.ts';
import type { Db, Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { findReadable, type OwnConversation } from './access/own-conversation.ts';
import { listWithDraft } from './access/queries.ts';
import { findInvitingProfile, findProfile } from './conversations/profiles.ts';
import type { MessageDeps } from './deps.ts';
import { viewQuote } from './view.ts';

/**
 * Stores a person's draft for all of their devices; without text and quote there is nothing to store. The
 * last one stored counts. It may begin a conversation with somebody whom the person found.
 *
 * @throws ApiError 404, 429
 */
export async function keepDraft(
  deps: MessageDeps,
  own: OwnConversation,
  { finding, ...draft }: KeepDraft,
): Promise<KeptDraft> {
  const { db, keyring, clock, live } = deps;
  const { accountId, conversationId } = own;
  await deps.limits.drafting.count(accountId);
  const now = clock.now();
  const isEmpty = draft.text.trim() === '' && draft.replyToMsgId === undefined;
  if (isEmpty) {
    const version = await db.write((tx) => deleteDraft(tx, { ...own, version: now }));
    const data = { conversationId, version: version ?? now };
    if (version !== undefined) live.publish(accountId, { type: 'draft.changed', data });
    return data;
  }
  const row = { ...own, version: now, ...sealed(keyring, contextOf(own), draft) };
  const version =
    (await db.write((tx) => upsertDraft(tx, row))) ??
    (finding && (await beginWith(deps, row, await find(deps, accountId, finding))));
  if (version === undefined) throw notFound('conversation.unknown');
  const data = { conversationId, version, draft: await view(deps, own, draft) };
  live.publish(accountId, { type: 'draft.changed', data });
  return data;
}

/** Looks somebody up in the way in which the author found them. */
async function find(
  deps: MessageDeps,
  accountId: string,
  { username, inviteToken }: Finding,
): Promise<Profile | undefined> {
  if (username !== undefined) return findProfile(deps, accountId, username);
  return inviteToken === undefined ? undefined : findInvitingProfile(deps, accountId, inviteToken);
}

/** Adds a conversation that has not begun to the author's list. */
async function beginWith(
  { db, clock, accounts }: MessageDeps,
  row: DraftRow,
  peer: Profile | undefined,
): Promise<number | undefined> {
  const { accountId, conversationId } = row;
  if (peer?.conversationId !== conversationId || peer.userId === accountId) return undefined;
  return db.begin(async (tx) => {
    await accounts.lockActor(tx, accountId);
    await listWithDraft(tx, { accountId, conversationId, peerId: peer.userId, createdAt: clock.now() });
    return upsertDraft(tx, row);
  });
}

/** The drafts of a person; only the latest if there are very many. */
export async function listDrafts(deps: MessageDeps, accountId: string): Promise<KeptDraft[]> {
  const rows = await selectDrafts(deps.db, accountId, LIMITS.drafts);
  const drafts = await Promise.all(
    rows.map(async (row) => {
      const opened = openDraft(deps.keyring, row);
      if (!opened) return [];
      const { conversationId, version } = row;
      return [{ conversationId, version, draft: await view(deps, row, opened) }];
    }),
  );
  return drafts.flat();
}

/** Undefined if the row cannot be read. */
export function openDraft(keyring: Keyring, row: DraftRow): KeepDraft | undefined {
  return openSealed(keyring, contextOf(row), row);
}

/** A quoted message is shown in its current form, or not at all if it has been deleted. */
async function view(
  deps: MessageDeps,
  own: OwnConversation,
  { text, replyToMsgId, mentioned }: KeepDraft,
): Promise<Draft> {
  const [quoted] = replyToMsgId === undefined ? [] : await findReadable(deps, own, [replyToMsgId]);
  return { text, ...(quoted && { quote: viewQuote(deps.keyring, quoted) }), ...(mentioned && { mentioned }) };
}

function contextOf({ accountId, conversationId }: OwnConversation) {
  return { table: 'drafts', rowId: `${accountId}:${conversationId}` };
}

/** A draft, sealed. */
interface DraftRow extends OwnConversation, SealedBody {
  version: number;
}

/** The newest first; all of them without a limit. */
export async function selectDrafts(db: Db, accountId: string, limit: number | null): Promise<DraftRow[]> {
  return db<DraftRow[]>`
    select account_id, conversation_id, version, body, body_key_id
    from drafts where account_id = ${accountId}
    order by version desc limit ${limit}`;
}

/** Returns its version; undefined if the conversation is not one of the person's. */
async function upsertDraft(tx: Tx, row: DraftRow): Promise<number | undefined> {
  const { accountId, conversationId, version, body, bodyKeyId } = row;
  const [kept] = await tx<{ version: number }[]>`
    insert into drafts as kept (account_id, conversation_id, version, body, body_key_id)
    select account_id, conversation_id, ${version}::bigint, ${body}::bytea, ${bodyKeyId}::smallint
    from account_conversations where account_id = ${accountId} and conversation_id = ${conversationId}
    for key share
    on conflict (account_id, conversation_id) do update
    set version = greatest(excluded.version, kept.version + 1), body = excluded.body,
      body_key_id = excluded.body_key_id
    returning kept.version`;
  return kept?.version;
}

/** Returns the next version; undefined if there was none. */
export async function deleteDraft(
  tx: Tx,
  { accountId, conversationId, version }: OwnConversation & { version: number },
): Promise<number | undefined> {
  const [deleted] = await tx<{ version: number }[]>`
    delete from drafts where account_id = ${accountId} and conversation_id = ${conversationId}
    returning greatest(${version}::bigint, version + 1) as version`;
  return deleted?.version;
}

/** A person's drafts are on all of their devices; nobody else sees them. */
export function draftChatRoutes(deps: MessageDeps) {
  return serve(CHAT, {
    'GET /drafts': ({ person }) => listDrafts(deps, person.accountId),
    'PUT /conversations/:conversationId/draft': ({ person: { accountId }, params, body }) =>
      keepDraft(deps, { accountId, ...params }, body),
  });
}
