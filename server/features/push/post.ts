import webPush from 'web-push';
import type { PushDevice, PushNotification } from '#contract/chat/push.ts';
import { insertServiceKey, selectServiceKeys, serviceKeyContext } from '#platform/crypto/service-keys.ts';
import type { Platform } from '#platform/platform.ts';
import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { type PostResult, safePost } from '#platform/safe-fetch/safe-post.ts';

/** There are few push services; connections to invented addresses are not kept for long. */
const MOST_SERVICES = 16;
const TTL_SECONDS = 24 * 60 * 60;

const NAME = 'vapid';
const CONTEXT = serviceKeyContext(NAME);

/** `gone`: the browser has dropped the subscription, or its push service no longer knows it. */
export type PushOutcome = 'sent' | 'gone' | 'failed';

/** If it failed, with the status of the push service, or why there was none. */
interface Pushed {
  outcome: PushOutcome;
  reason?: number | string;
}

export interface Push {
  device: PushDevice;
  notification: PushNotification;
  isUrgent: boolean;
  /** A later one replaces an earlier one that the device has not fetched yet. */
  topic: string;
}

export type PushPoster = ReturnType<typeof createPoster>;

/** Posts to push services, encrypted for the browser (RFC 8291), through the guard for untrusted addresses. */
export function createPoster({ config, guard }: Platform, key: () => Promise<ServiceKey>) {
  const agents = new Map<string, WebhookAgent>();

  function agentOf(endpoint: string): WebhookAgent {
    const { origin } = new URL(endpoint);
    const agent = agents.get(origin) ?? new WebhookAgent(guard);
    agents.delete(origin);
    agents.set(origin, agent);
    const [oldest] = agents;
    if (agents.size > MOST_SERVICES && oldest) {
      oldest[1].closeIdle();
      agents.delete(oldest[0]);
    }
    return agent;
  }

  return {
    async post({ device, notification, isUrgent, topic }: Push): Promise<Pushed> {
      const vapidDetails = { ...(await key()), subject: subjectOf(config) };
      const request = webPush.generateRequestDetails(device, JSON.stringify(notification), {
        vapidDetails,
        contentEncoding: 'aes128gcm',
        TTL: TTL_SECONDS,
        urgency: isUrgent ? 'high' : 'normal',
        topic,
      });
      // The HTTP client sets the length.
      const { 'Content-Length': _, ...given } = request.headers;
      const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
      const { endpoint: url, body } = request;
      return outcomeOf(await safePost(agentOf(device.endpoint), { url, headers, body }));
    },
    [Symbol.dispose](): void {
      for (const agent of agents.values()) agent[Symbol.dispose]();
    },
  };
}

function outcomeOf(result: PostResult): Pushed {
  if (result.kind === 'failure') return { outcome: 'failed', reason: result.reason };
  const { status } = result;
  if (status === 404 || status === 410) return { outcome: 'gone' };
  return status < 300 ? { outcome: 'sent' } : { outcome: 'failed', reason: status };
}

/** The contact address for push services, which accept no http address. */
function subjectOf({ publicUrl }: Platform['config']): string {
  return publicUrl?.startsWith('https:') ? publicUrl : 'mailto:postmaster@localhost';
}

/** Both halves in base64url, the format of `web-push`. */
export interface ServiceKey {
  publicKey: string;
  privateKey: string;
}

/** The key that identifies this installation to push services (RFC 8292); created when first needed. */
export function createServiceKey(deps: Platform): () => Promise<ServiceKey> {
  let key: Promise<ServiceKey> | undefined;
  return () => {
    key ??= findOrMake(deps).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

async function findOrMake({ db, clock, keyring }: Platform): Promise<ServiceKey> {
  if ((await selectServiceKeys(db, NAME)).length === 0) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    const { ciphertext, keyId } = keyring.seal(CONTEXT, Buffer.from(privateKey));
    const row = { name: NAME, publicKey, secret: ciphertext, secretKeyId: keyId, createdAt: clock.now() };
    await db.write((tx) => insertServiceKey(tx, row));
  }
  // Another process may have been first.
  const [row] = await selectServiceKeys(db, NAME);
  if (!row) throw new Error('the key for push services is gone');
  const secret = keyring.open(CONTEXT, { ciphertext: row.secret, keyId: row.secretKeyId });
  return { publicKey: row.publicKey, privateKey: secret.toString() };
}
