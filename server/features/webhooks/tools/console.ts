import { APPLICATION } from '#contract/api/console.ts';
import { LIMITS } from '#contract/limits.ts';
import { say } from '#contract/reasons.ts';
import type {
  AUDIT_CHECKS,
  CheckSignature,
  EndpointAudit,
  ShownEvent,
  SignatureVerdict,
} from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { bucketOf } from '#platform/ids.ts';
import { RateLimit } from '#platform/rate-limits.ts';
import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';
import { sealAnswer } from '../attempts/answer.ts';
import { attemptEntry, viewAttempt } from '../attempts/attempt-log.ts';
import { insertAttempts } from '../attempts/queries.ts';
import { type SignedRequest, signedHeaders } from '../delivery/attempt.ts';
import type { WebhookDeps } from '../deps.ts';
import { LOGGED_EVENTS, showEvent } from '../log/event-log.ts';
import { findLatestOfMessage, insertEnded } from '../log/queries.ts';
import { findOwnReceiver, findOwnTarget } from '../own-target.ts';
import { openBodyIfReadable, sealBody } from '../record-events.ts';
import { eventMessage, isDelivered, type Target } from '../rules.ts';
import { SANDBOX } from './sandbox-content.ts';
import { checkSignature } from './signature-check.ts';
import { simulateEvent } from './simulate.ts';

type Check = (typeof AUDIT_CHECKS)[number];
type Finding = EndpointAudit['checks'][number];

/** Well beyond the 300 s that a receiver tolerates (contract §6). */
const STALE_MS = 600_000;

/**
 * Tests a receiver with sandbox events: a genuine one twice, then one with a forged signature and one with an
 * old one, which must not be answered with 2xx; only the first if it is not accepted. They are not recorded as events; the audit trail shows who sent
 * them.
 *
 * @throws ApiError 404; 400 while the application receives no webhooks
 */
async function auditEndpoint(deps: WebhookDeps, own: Owned): Promise<EndpointAudit> {
  const target = await findOwnTarget(deps, own);
  const event = sandboxEvent(deps);
  const genuine = await tryOut(deps, target, 'genuine', event);
  // A receiver that accepts nothing refuses the rest, too.
  const others = genuine.isAccepted
    ? [
        await tryOut(deps, target, 'duplicate', event),
        ...(await Promise.all([
          tryOut(deps, forge(deps, target), 'forged', sandboxEvent(deps)),
          tryOut(deps, target, 'stale', sandboxEvent(deps)),
        ])),
      ]
    : [];
  const checks = [genuine, ...others];
  await deps.db.write((tx) => deps.applications.recordAudit(tx, own, 'webhook.audited'));
  return { isPassed: checks.every(({ isFault }) => !isFault), checks };
}

interface SandboxEvent {
  msgId: string;
  body: Buffer;
}

function sandboxEvent({ clock, newId }: WebhookDeps): SandboxEvent {
  const origin = { msgId: newId('msg'), from: SANDBOX.userId, sentAt: clock.now() };
  const content = {
    type: 'text',
    body: { content: 'This message is part of an audit of your webhook.' },
  } as const;
  const data = { ...eventMessage(content, origin, { chatId: SANDBOX.userId }), sandbox: true };
  return { msgId: origin.msgId, body: Buffer.from(JSON.stringify({ type: 'message.received', data })) };
}

function forge({ random }: WebhookDeps, target: Target): Target {
  return { ...target, secrets: [`whsec_${random.bytes(32).toString('base64')}`] };
}

async function tryOut(
  deps: WebhookDeps,
  { url, secrets }: Target,
  check: Check,
  { msgId, body }: SandboxEvent,
): Promise<Finding> {
  const now = deps.clock.now();
  const at = check === 'stale' ? now - STALE_MS : now;
  const request = { secrets, eventId: msgId, type: 'message.received', body, at };
  return findingOf(check, now, await postOnce(deps, url, request), url);
}

function findingOf(check: Check, at: number, result: PostResult, url: string): Finding {
  const isAccepted = isDelivered(result);
  const mustAccept = check === 'genuine' || check === 'duplicate';
  return {
    check,
    isAccepted,
    isFault: isAccepted !== mustAccept,
    ...say(`audit.${check}-${isAccepted ? 'accepted' : 'refused'}`),
    attempt: viewAttempt(attemptEntry(1, at, result, new URL(url).host)),
  };
}

const MESSAGE = 'Your webhook works: answer 2xx once you have verified the signature.';

/**
 * Sends a ping: one attempt (decisions: Webhooks), whose result is returned and stored in the event log.
 *
 * @throws ApiError 404; 400 while the application receives no webhooks
 */
async function sendPing(deps: WebhookDeps, own: Owned): Promise<ShownEvent> {
  const { db, clock, newId, keyring, live, applications } = deps;
  const { appId } = own;
  const { url, secrets } = await findOwnTarget(deps, own);
  const at = clock.now();
  const deliveryId = newId('dlv');
  const data = { appId, sentAt: at, message: MESSAGE };
  const body = Buffer.from(JSON.stringify({ type: 'ping', data }));
  const result = await postOnce(deps, url, { secrets, eventId: deliveryId, type: 'ping', body, at });
  const { ciphertext, keyId } = sealBody(keyring, deliveryId, body);
  const bucket = bucketOf(appId);
  const event = { bucket, deliveryId, appId, type: 'ping', msgId: deliveryId, body: ciphertext } as const;
  const entry = attemptEntry(1, at, result, new URL(url).host);
  const answer = sealAnswer(keyring, { deliveryId, seq: 1 }, result);
  const attempt = { bucket, deliveryId, logged: 1, replayedAt: null, entry, answer };
  await db.begin(async (tx) => {
    await insertEnded(tx, { ...event, bodyKeyId: keyId, createdAt: at });
    await insertAttempts(tx, [attempt]);
    await applications.recordAudit(tx, own, 'webhook.pinged', { eventId: deliveryId });
  });
  live.publish(appId, { type: 'event.recorded', data: {} });
  return showEvent(deps, own, deliveryId);
}

const TRIALS_PER_MINUTE = 30;

/**
 * The tools with which owners test their receivers; limited, so that they cannot be used to attack other
 * servers.
 */
export function trialRoutes(deps: WebhookDeps) {
  const trials = new RateLimit(deps, {
    name: 'trial',
    limit: TRIALS_PER_MINUTE,
    windowMs: 60_000,
    refusal: say('webhook.too-many-trials', { count: TRIALS_PER_MINUTE }),
  });
  return serve(APPLICATION, {
    'POST /applications/:appId/webhook/ping': async ({ own }) => {
      await trials.count(own.actorId);
      return sendPing(deps, own);
    },
    'POST /applications/:appId/webhook/simulate': async ({ own, body }) => {
      await trials.count(own.actorId);
      return simulateEvent(deps, own, body);
    },
    'POST /applications/:appId/webhook/check-signature': ({ own, body }) =>
      checkOwnSignature(deps, own, body),
    'POST /applications/:appId/webhook/audit': async ({ own }) => {
      await trials.count(own.actorId);
      return auditEndpoint(deps, own);
    },
  });
}

/**
 * Checks a request that a receiver got against the application's secrets and event log.
 *
 * @throws ApiError 404
 */
async function checkOwnSignature(
  deps: WebhookDeps,
  own: Owned,
  { header, body, secret }: CheckSignature,
): Promise<SignatureVerdict> {
  const { webhookSecret, previousWebhookSecret } = await findOwnReceiver(deps, own);
  return checkSignature({
    header,
    body,
    secret,
    ownSecrets: [webhookSecret, previousWebhookSecret?.secret].filter((one) => one !== undefined),
    sentBody: await findSentBody(deps, own.appId, body),
    now: deps.clock.now(),
  });
}

async function findSentBody(
  { db, keyring }: WebhookDeps,
  appId: string,
  body: string,
): Promise<Buffer | undefined> {
  const msgId = /"msgId"\s*:\s*"(msg_[0-9a-z]{24})"/.exec(body)?.[1];
  if (msgId === undefined) return undefined;
  const event = await findLatestOfMessage(db, { appId, msgId, among: LOGGED_EVENTS });
  return event && openBodyIfReadable(keyring, event);
}

/**
 * One signed request outside of the deliveries, while its owner waits for the result: over a new connection,
 * so that every phase is measured.
 */
async function postOnce(
  { guard, config }: WebhookDeps,
  url: string,
  request: Omit<SignedRequest, 'serviceName'>,
): Promise<PostResult> {
  using agent = new WebhookAgent(guard, { maxIdleSockets: 0 });
  const headers = signedHeaders({ ...request, serviceName: config.serviceName });
  return await safePost(agent, { url, headers, body: request.body, deadlineMs: LIMITS.webhookTimeoutMs });
}
