import type { Page } from 'playwright-core';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createIds, firstIdAt } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { createTestDatabase } from '#testing/database.ts';
import { type Receiver, startReceiver } from '#testing/receiver.ts';
import { PATIENT } from '#testing/waits.ts';
import type { Browser } from '../browser.ts';
import { settingsOn } from '../processes.ts';
import { PASSWORD, type Person, startWebScene, turnOnTwoFactor, type WebScene } from './web-scene.ts';

/** The web scene with access to its database, for states that take days to arise, and a webhook receiver. */
export interface ConsoleScene extends WebScene {
  databaseUrl: string;
  db: Database;
  receiver: Receiver;
  /** Accepts every event. */
  takes: string;
  /** Responds to every event with 500, and with {@link FAULT}. */
  fails: string;
}

/** A receiver's answer, which must be shown as text. */
export const FAULT = '{"error":"no such tenant"}<script>document.title = "hacked"</script>';

export interface OwnApplication {
  appId: string;
  apiKey: string;
  clientSecret: string;
  webhookSecret: string;
  /** Below `/console`. */
  path: string;
  /** Below the origin. */
  api: string;
}

export async function startConsoleScene(environment: Record<string, string> = {}): Promise<ConsoleScene> {
  await using made = new AsyncDisposableStack();
  const database = made.use(await createTestDatabase());
  const respond = ({ path }: { path: string }) =>
    path === '/broken' ? { status: 500, headers: { 'x-trace': 'hooks-7' }, body: FAULT } : { status: 204 };
  const receiver = made.use(await startReceiver({ tls: 'plain', host: 'localhost', respond }));
  const db = openDatabase({ url: database.url, poolSize: 2, ...PATIENT });
  made.defer(() => db.end({ timeout: 5 }));
  const web = made.use(
    await startWebScene({
      ...settingsOn(database),
      WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
      ...environment,
    }),
  );
  const kept = made.move();
  return {
    ...web,
    databaseUrl: database.url,
    db,
    receiver,
    takes: receiver.url,
    fails: new URL('/broken', receiver.url).href,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export async function createApplication(calls: Browser, name: string): Promise<OwnApplication> {
  // The rest of a file may have taken longer than a sign-in counts as recent.
  await calls.post('/api/auth/confirm', { password: PASSWORD });
  const made = (await calls.post('/api/console/applications', { name })) as Record<string, string>;
  const { appId = '', apiKey = '', clientSecret = '', webhookSecret = '' } = made;
  const [path, api] = [`/console/applications/${appId}`, `/api/console/applications/${appId}`];
  return { appId, apiKey, clientSecret, webhookSecret, path, api };
}

/** Calls `/v1` with the application's key, ignoring the response. */
export async function callsApi(
  { origin }: Pick<WebScene, 'origin'>,
  { apiKey }: Pick<OwnApplication, 'apiKey'>,
  path: string,
  body?: object,
): Promise<number> {
  const answer = await fetch(`${origin}/v1${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.status;
}

const newId = createIds(systemClock, systemRandom);

const ROUTES = [
  { method: 'POST', route: '/v1/messages', ms: 9 },
  { method: 'POST', route: '/v1/groups/messages', ms: 14 },
  { method: 'GET', route: '/v1/me', ms: 3 },
  { method: 'POST', route: '/v1/polls', ms: 18 },
];
const ERRORS = [
  { status: 404, code: 'not-found', message: 'to names no user' },
  { status: 403, code: 'permission-denied', message: 'the recipient has blocked this bot' },
  { status: 400, code: 'invalid-argument', message: 'content must have at most 4096 characters' },
  { status: 503, code: 'INTERNAL_ERROR', message: 'the service is busy, try again' },
];
const ROWS_PER_STATEMENT = 5_000;

/** An API log as after `count` calls in the last hour, one in nine of which failed. */
export async function fillRequests(db: Database, appId: string, count: number, now: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const at = now - Math.floor((i * 3_500_000) / count) - 5_000;
    const { method, route, ms } = ROUTES[(i * 7) % ROUTES.length] as (typeof ROUTES)[number];
    const error = i % 9 === 4 ? ERRORS[i % ERRORS.length] : undefined;
    return {
      appId,
      requestId: `${firstIdAt('req', at)}${String(count - i).padStart(14, '0')}`,
      at,
      caller: i % 5 === 0 ? 'user' : 'bot',
      method,
      route,
      status: error?.status ?? (method === 'POST' ? 201 : 200),
      durationMs: ms + ((i * 13) % 17) / 2,
      code: error?.code ?? null,
      message: error?.message ?? null,
    };
  });
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    await db`insert into api_requests ${db(rows.slice(from, from + ROWS_PER_STATEMENT))}`;
  }
}

const LATENCY_CLASSES = 22;

/** Usage counts as after activity in the last hour and the last day. */
export async function fillUsage(db: Database, appId: string, now: number): Promise<void> {
  const counted = (span: 'minute' | 'hour', ms: number, count: number, size: number) =>
    Array.from({ length: count }, (_, i) => {
      const startedAt = Math.floor(now / ms) * ms - i * ms;
      const wave = 1.2 + Math.sin(i / 9) + ((i * 7) % 5) / 5;
      const latencies = new Array<number>(LATENCY_CLASSES).fill(0);
      const requests = Math.round(wave * size);
      latencies[4] = Math.round(requests * 0.5);
      latencies[6] = Math.round(requests * 0.4);
      latencies[8 + (i % 9 === 0 ? 1 : 0)] =
        requests - Math.round(requests * 0.5) - Math.round(requests * 0.4);
      const clientErrors = i % 6 === 0 ? Math.ceil(requests / 7) : 0;
      const serverErrors = i % 17 === 5 ? Math.ceil(requests / 15) : 0;
      const seed = { appId, span, startedAt, writer: 'seed', latencies };
      const sums = { ...seed, requests, clientErrors, serverErrors };
      const quota = { quotaLimit: 600, quotaRemaining: 412, quotaResetAt: now + 40_000 };
      const none = { quotaLimit: null, quotaRemaining: null, quotaResetAt: null };
      const me = { caller: 'user', method: 'GET', route: '/v1/me', requests: Math.ceil(requests / 4) };
      const errors = { clientErrors: 0, serverErrors: i % 11 === 3 ? 2 : 0 };
      return [
        { ...sums, caller: 'bot', method: 'POST', route: '/v1/messages', ...quota },
        { ...sums, ...me, ...quota },
        { ...sums, caller: 'webhook', method: 'POST', route: 'webhook', ...errors, ...none },
      ];
    }).flat();
  const rows = [...counted('minute', 60_000, 60, 12), ...counted('hour', 3_600_000, 168, 240)];
  await db`insert into usage_counts ${db(rows)} on conflict do nothing`;
}

/** Deliveries of this hour, of which more than a tenth of the day's failed. */
export async function fillFailures(db: Database, appId: string, now: number): Promise<void> {
  const row = {
    ...{ appId, span: 'hour', startedAt: Math.floor(now / 3_600_000) * 3_600_000, writer: 'failures' },
    ...{ caller: 'webhook', method: 'POST', route: 'webhook' },
    ...{ requests: 15_000, clientErrors: 0, serverErrors: 10_000 },
    latencies: new Array<number>(LATENCY_CLASSES).fill(0),
  };
  await db`insert into usage_counts ${db(row)}`;
}

const ENDS = [null, 'revoked-by-person', null, 'refresh-token-reused', 'code-expired'];

/** Grants of the last days, some of which have ended. */
export async function fillGrants(
  db: Database,
  { appId, accountId, now }: { appId: string; accountId: string; now: number },
): Promise<void> {
  for (const [i, endReason] of ENDS.entries()) {
    const createdAt = now - (i * 19 + 1) * 3_600_000;
    const familyId = `${firstIdAt('fam', createdAt)}00000000000000`;
    const scopes = i % 2 === 0 ? ['profile', 'polls:write'] : ['profile', 'stories:read', 'groups:manage'];
    const grant = {
      familyId,
      appId,
      accountId,
      scopes,
      codeHash: Buffer.alloc(32, i),
      refreshHash: Buffer.alloc(32, i + 100),
      refreshedAt: i === 0 ? now - 600_000 : null,
      expiresAt: now + 30 * 86_400_000,
      expiresOn: Math.floor(now / 86_400_000) + 30,
      createdAt,
      codeConsumedAt: createdAt + 4_000,
      endedAt: endReason && createdAt + 1_800_000,
      endReason,
    };
    await db`insert into grants ${db(grant)}`;
    await db`insert into application_grants ${db({ appId, familyId })}`;
  }
}

/** An alert sent to two contacts, one of them without success. */
export async function fillAlerts(db: Database, appId: string, now: number): Promise<void> {
  const contacts = await db<{ contactId: string }[]>`
    select contact_id from alert_contacts where app_id = ${appId} order by contact_id`;
  const alertId = newId('alr');
  const [firstEventAt, createdAt] = [now - 9_000_000, now - 5_000_000];
  const counts = { 'message.received': 11, 'group_message.received': 3 };
  await db`
    insert into alerts (app_id, alert_id, created_at, event_count, event_counts, first_event_at, last_event_at)
    values (${appId}, ${alertId}, ${createdAt}, 14, ${db.json(counts)}, ${firstEventAt}, ${createdAt})`;
  for (const [i, { contactId }] of contacts.entries()) {
    const outcome = i === 0 ? { state: 'logged', fault: null } : { state: 'failed', fault: 'answered 404' };
    await db`insert into alert_notices ${db({ appId, alertId, contactId, attempts: 1, ...outcome })}`;
  }
}

/** Names an operator, who has a second factor; a window of theirs stays signed in. */
export async function makeOperator(scene: ConsoleScene, person: Person, page?: Page): Promise<void> {
  await nameOperator(scene, person);
  await turnOnTwoFactor(person, page);
}

export async function nameOperator({ db }: ConsoleScene, { accountId }: Person): Promise<void> {
  await db`insert into operators (account_id, named_at) values (${accountId}, 0)`;
}

/** Backdates the sign-in, so that it is no longer recent enough for secrets. */
export async function ageSignIn(db: Database, accountId: string): Promise<void> {
  await db`update sessions set authenticated_at = authenticated_at - 660_000 where account_id = ${accountId}`;
}
