import type { AuditAction } from '#contract/applications/audit.ts';
import { LIMITS } from '#contract/limits.ts';
import type {
  ApplicationWebhooks,
  ChosenIncomingWebhook,
  CreateIncomingWebhook,
  GroupWebhooks,
  IncomingWebhook,
  NewIncomingWebhook,
} from '#contract/webhooks/incoming-webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { groupKey, groupNotFound, refuseToAdminister, refuseToPost } from '#features/groups/index.ts';
import { type RowOf, withoutAbsent } from '#platform/absent.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Tx } from '#platform/database.ts';
import { failedPrecondition, notFound, resourceExhausted } from '#platform/errors.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { IncomingWebhookDeps } from './deps.ts';
import { deleteWebhook, insertWebhook, selectWebhooks, updateSecret, type WebhookRow } from './queries.ts';
import { makeSecret } from './secret.ts';

/**
 * The member bots of a group whose owner has switched incoming webhooks on, with their webhooks. @throws ApiError 403, 404
 */
export async function listOfGroup(
  deps: IncomingWebhookDeps,
  personId: string,
  groupId: string,
): Promise<GroupWebhooks> {
  const { group } = await requireAdministrator(deps, personId, groupId);
  const members = await deps.groups.findBots([group]);
  const bots = await Promise.all(
    members.map(async ({ accountId: botId, botAppId }) => {
      if (!(await deps.applications.hasExtension(botAppId, 'incoming_webhooks'))) return [];
      const [account, webhooks] = await Promise.all([
        deps.accounts.find(botId),
        selectWebhooks(deps.db, botAppId),
      ]);
      return [
        {
          botId,
          name: account?.name ?? '',
          webhooks: webhooks.filter((row) => row.groupId === groupId).map(view),
        },
      ];
    }),
  );
  return { bots: bots.flat() };
}

/** Creates a webhook; its address is only in the response. @throws ApiError 400, 403, 404, 429 */
export async function createWebhook(
  deps: IncomingWebhookDeps,
  personId: string,
  { groupId, botId, name }: CreateIncomingWebhook,
): Promise<NewIncomingWebhook> {
  const { db, applications, clock, newId, random } = deps;
  const { appId, refusal } = await findBot(deps, personId, { groupId, botId });
  if (refusal) throw refusal;
  if (!(await applications.hasExtension(appId, 'incoming_webhooks')))
    throw failedPrecondition('incoming-webhook.off');
  const secret = makeSecret(appId, random);
  const row = { appId, webhookId: newId('ihk'), groupId, name, createdAt: clock.now() };
  await db.begin(async (tx) => {
    // Serialized by the lock on the application, so that no webhook is added after this count.
    const { state } = await applications.lockAny(tx, appId);
    if (state === 'deleted') throw noBot();
    if ((await selectWebhooks(tx, appId)).length >= LIMITS.incomingWebhooks)
      throw resourceExhausted('incoming-webhook.too-many', { count: LIMITS.incomingWebhooks });
    await insertWebhook(tx, { ...row, secretHash: hashSecret(secret), createdBy: personId });
    await record(tx, deps, { appId, personId }, 'incoming-webhook.created', row);
  });
  return { ...view({ ...row, lastUsedAt: null }), url: urlOf(deps, secret) };
}

/** Replaces the address; the previous one is invalid before the response. @throws ApiError 403, 404 */
export async function renewWebhook(
  deps: IncomingWebhookDeps,
  personId: string,
  chosen: ChosenIncomingWebhook,
): Promise<NewIncomingWebhook> {
  const { appId } = await findBot(deps, personId, chosen);
  const secret = makeSecret(appId, deps.random);
  const renewed = await deps.db.begin(async (tx) => {
    const row = await updateSecret(tx, { ...chosen, appId }, hashSecret(secret));
    if (!row) throw unknownWebhook();
    await record(tx, deps, { appId, personId }, 'incoming-webhook.renewed', row);
    return row;
  });
  return { ...view(renewed), url: urlOf(deps, secret) };
}

/** The address is invalid before the response. @throws ApiError 403, 404 */
export async function revokeWebhook(
  deps: IncomingWebhookDeps,
  personId: string,
  chosen: ChosenIncomingWebhook,
): Promise<void> {
  const { appId } = await findBot(deps, personId, chosen);
  await deps.db.begin(async (tx) => {
    const row = await deleteWebhook(tx, { ...chosen, appId });
    if (!row) throw unknownWebhook();
    await record(tx, deps, { appId, personId }, 'incoming-webhook.revoked', row);
  });
}

/** The webhooks of an application, for its team. @throws ApiError 404 */
export async function listOfApplication(deps: IncomingWebhookDeps, own: Owned): Promise<ApplicationWebhooks> {
  await deps.applications.requireOwn(own);
  const rows = await selectWebhooks(deps.db, own.appId);
  const keys = rows.flatMap(({ groupId }) => groupKey(groupId) ?? []);
  const groups = keys.length === 0 ? [] : await deps.groups.find(keys);
  const nameOf = new Map(groups.map(({ groupId, name }) => [groupId, name]));
  return {
    webhooks: rows.map((row) => {
      const groupName = nameOf.get(row.groupId);
      return { ...view(row), ...(groupName !== undefined && { groupName }) };
    }),
  };
}

/** Revokes a webhook on behalf of the application, whichever group it posts to. @throws ApiError 403, 404 */
export async function revokeOwnWebhook(
  deps: IncomingWebhookDeps,
  own: Owned,
  webhookId: string,
): Promise<void> {
  await deps.db.begin(async (tx) => {
    await deps.applications.lockOwn(tx, own);
    const row = (await selectWebhooks(tx, own.appId)).find((one) => one.webhookId === webhookId);
    if (!row) throw unknownWebhook();
    await deleteWebhook(tx, row);
    await deps.applications.recordAudit(tx, own, 'incoming-webhook.revoked', { name: row.name });
  });
}

/** Records for the application's team what group administrators did with its bot. */
async function record(
  tx: Tx,
  { applications }: IncomingWebhookDeps,
  { appId, personId }: { appId: string; personId: string },
  action: AuditAction,
  { name, groupId }: Pick<WebhookRow, 'name' | 'groupId'>,
): Promise<void> {
  const change = { appId, actorId: personId, channel: 'chat' } as const;
  await applications.recordAudit(tx, change, action, { name, groupId });
}

/** The application of a member bot, and the reason why it may not write there, if any. @throws ApiError 403, 404 */
async function findBot(
  deps: IncomingWebhookDeps,
  personId: string,
  { groupId, botId }: { groupId: string; botId: string },
) {
  const { group } = await requireAdministrator(deps, personId, groupId);
  const [bots, found] = await Promise.all([
    deps.groups.findBots([group]),
    deps.groups.findForActor(groupId, botId),
  ]);
  const bot = bots.find(({ accountId }) => accountId === botId);
  if (!bot || !found) throw noBot();
  return { appId: bot.botAppId, refusal: refuseToPost(group, found.member) };
}

async function requireAdministrator({ groups }: IncomingWebhookDeps, personId: string, groupId: string) {
  const found = await groups.findForActor(groupId, personId);
  if (!found) throw groupNotFound(groupId);
  const refusal = refuseToAdminister(found.member);
  if (refusal) throw refusal;
  return found;
}

function noBot() {
  return notFound('incoming-webhook.no-bot');
}

function unknownWebhook() {
  return notFound('incoming-webhook.unknown');
}

function urlOf({ config }: IncomingWebhookDeps, secret: string): string {
  return `${publicUrlOf(config)}/hooks/${secret}`;
}

function view({ webhookId, name, groupId, createdAt, lastUsedAt }: RowOf<IncomingWebhook>): IncomingWebhook {
  return withoutAbsent({ webhookId, name, groupId, createdAt, lastUsedAt });
}
