import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { importScene } from '#testing/import-scene.ts';
import { livedIn } from '#testing/lived-in-scene.ts';
import { allTables } from '../../distribution/tables.ts';

/** The tables whose rows an export does not have, by the line of docs/operate/moving-in.md that says so. */
const LEFT_BEHIND: Record<string, readonly string[]> = {
  'passwords, passkeys, second factors, recovery codes': [
    'passkeys',
    'two_factor_secrets',
    'recovery_codes',
    'used_tickets',
  ],
  'sessions, devices, push subscriptions': ['sessions', 'provider_sessions', 'push_devices'],
  'API keys, client secrets, tokens and consents of applications': [
    'api_keys',
    'grants',
    'application_grants',
    'account_grants',
    'openid_grants',
    'connected_applications',
    'decided_consents',
  ],
  'webhook URLs and secrets, incoming webhooks, invitations and invitation links': [
    'incoming_webhooks',
    'group_links',
    'invite_links',
    'sign_up_invitations',
  ],
  'sign-in providers, and who is connected with them': [
    'sign_in_providers',
    'identities',
    'provider_logouts',
  ],
  'operators, limits of single people': ['operators'],
  'legal holds, and what they kept; reports; audit trails': [
    'held_messages',
    'reports',
    'audit_entries',
    'operator_acts',
  ],
  'events, and the requests and usage of applications': [
    'events',
    'event_attempts',
    'event_queue',
    'event_feeds',
    'event_tasks',
    'deliveries',
    'open_breakers',
    'api_requests',
    'usage_counts',
    'application_calls',
  ],
  'teams, extensions, alerts and sign-out addresses of applications': [
    'account_teams',
    'teammates',
    'team_invitations',
    'application_extensions',
    'alert_contacts',
    'alerts',
    'alert_notices',
    'openid_clients',
    'logout_redirect_uris',
    'logout_notices',
  ],
  'drafts, notification settings, who has seen a story': ['drafts', 'notification_settings', 'story_views'],
  'messages that show a new secret, of the management bot': ['shown_secrets', 'dialogues', 'bot_inbox'],
  'announcements, maintenance, and what a server keeps about itself': [
    'announcements',
    'maintenance',
    'built_in_bots',
    'encryption_keys',
    'service_keys',
    'last_backup',
    'schema_migrations',
    'running_processes',
    'delivery_workers',
    'noted_topics',
    'idempotency_keys',
    'media_usage',
  ],
};

test('every table is in an export, or the documentation says that it is not', async (t) => {
  const { scene } = await livedIn(t);
  const file = await scene.exports('export.zip');
  const there = await importScene(t);
  const before = await there.rows();
  await there.imports('parley', file);
  const after = await there.rows();
  const carried = allTables().filter((table) => Number(after[table]) > Number(before[table]));
  assert.deepEqual([...carried, ...Object.values(LEFT_BEHIND).flat()].sort(), allTables().sort());
});

test('the documentation names what an export does not have', async () => {
  const text = await readFile('docs/operate/moving-in.md', 'utf8');
  const [, table = ''] = text.split('| Not in the archive |');
  const [lines = ''] = table.split('\n\n');
  const named = [...lines.matchAll(/^\| ([^|]*[^|\s-]) \|/gm)].map(([, what]) => what);
  assert.deepEqual(named, Object.keys(LEFT_BEHIND));
});
