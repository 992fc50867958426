import { say } from '#contract/reasons.ts';
import type { AUDIT_CHECKS, EndpointAudit } from '#contract/webhooks.ts';
import type { Owned } from '#features/applications/index.ts';
import type { PostResult } from '#platform/safe-fetch/safe-post.ts';
import { attemptEntry, viewAttempt } from '../attempts/attempt-log.ts';
import { postOnce } from '../delivery/post-once.ts';
import type { WebhookDeps } from '../deps.ts';
import { eventMessage } from '../event-message.ts';
import { findOwnTarget } from '../own-target.ts';
import { isDelivered, type Target } from '../rules.ts';
import { SANDBOX } from './sandbox-content.ts';

type Check = (typeof AUDIT_CHECKS)[number];
type Finding = EndpointAudit['checks'][number];

/** Well beyond the 300 s that a receiver tolerates (contract §6). */
const STALE_MS = 600_000;

/**
 * Tests a receiver with sandbox events: a genuine one twice, then one with a forged signature and one with an
 * old one, which must not be answered with 2xx. They are not recorded as events; the audit trail shows who sent
 * them.
 *
 * @throws ApiError 404; 400 while the application receives no webhooks
 */
export async function auditEndpoint(deps: WebhookDeps, own: Owned): Promise<EndpointAudit> {
  const target = await findOwnTarget(deps, own);
  const genuine = sandboxEvent(deps);
  const checks = [
    await tryOut(deps, target, 'genuine', genuine),
    await tryOut(deps, target, 'duplicate', genuine),
    ...(await Promise.all([
      tryOut(deps, forge(deps, target), 'forged', sandboxEvent(deps)),
      tryOut(deps, target, 'stale', sandboxEvent(deps)),
    ])),
  ];
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
